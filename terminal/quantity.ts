/**
 * Numbers with units, as people write and read them: 64MiB, 500ms, 1,234.
 *
 * @module
 */

const SIZES: readonly (readonly [string, number])[] = [
  ["TiB", 1024 ** 4],
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024],
  ["TB", 1000 ** 4],
  ["GB", 1000 ** 3],
  ["MB", 1000 ** 2],
  ["kB", 1000],
  ["B", 1],
];

const TIMES: readonly (readonly [string, number])[] = [
  ["ms", 0.001],
  ["min", 60],
  ["s", 1],
  ["h", 3600],
  ["d", 86_400],
];

/** What a number counts. */
export type Unit = "count" | "bytes" | "seconds";

/**
 * Reads a number: plain, or with a unit of size (64MiB, 10kB) or of time (500ms, 2min). Octets and
 * seconds come out. Undefined if it is none.
 *
 * @example
 * ```ts
 * import { readQuantity } from "./quantity.ts";
 *
 * if (readQuantity("64MiB", "bytes") !== 67_108_864) throw new Error("not octets");
 * if (readQuantity("500ms", "seconds") !== 0.5) throw new Error("not seconds");
 * ```
 */
export function readQuantity(text: string, unit: Unit): number | undefined {
  const match = /^([0-9][0-9_]*(?:\.[0-9]+)?)(?: ?([A-Za-z]+))?$/.exec(text);
  if (match === null || text.length > 40) return undefined;
  const value = Number(match[1]!.replaceAll("_", ""));
  const name = match[2] ?? "";
  if (name === "") return value;
  const units = unit === "bytes" ? SIZES : unit === "seconds" ? TIMES : [];
  const found = units.find(([it]) => it.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : tidy(value * found[1]);
}

/** Without the dust that fractions leave. */
function tidy(value: number): number {
  return Number(value.toPrecision(15));
}

/** A count with a comma between thousands. */
export function countText(value: number): string {
  return value.toLocaleString("en");
}

/** Octets in a unit that keeps them short. */
export function bytesText(value: number): string {
  for (const [name, size] of SIZES) {
    if (size % 1024 !== 0 || value < size) continue;
    const count = value / size;
    return `${
      count >= 100 || Number.isInteger(count) ? Math.round(count) : count.toFixed(1)
    } ${name}`;
  }
  return `${value} B`;
}

/** Milliseconds as a time that people read at a glance. */
export function timeText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 1) return `${Math.round(milliseconds)} ms`;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${two(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}
