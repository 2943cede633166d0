/**
 * Numbers that a command line gives, between two bounds and in their unit. What is wrong is said in
 * one line.
 *
 * @module
 */
import { shown } from "./escape.ts";
import { UsageError } from "./options.ts";
import { bytesText, countText, readQuantity, type Unit } from "./quantity.ts";

/** What a number of that name counts. */
export function unitOf(name: string): Unit {
  if (name.endsWith("Bytes")) return "bytes";
  return name.endsWith("Seconds") ? "seconds" : "count";
}

/** A number of that name as people read it. */
export function valueText(name: string, value: number): string {
  const unit = unitOf(name);
  if (unit === "bytes") return bytesText(value);
  return unit === "seconds" ? `${value} s` : countText(value);
}

/** What a value of that name is called in a help text. */
export function takesText(name: string): string {
  return { seconds: "SECONDS", bytes: "BYTES", count: "N" }[unitOf(name)];
}

/**
 * A number between these two, in the unit that its name tells; throws a UsageError if it isn't.
 *
 * @example
 * ```ts
 * import { readBounded } from "./bounded.ts";
 *
 * const seconds = readBounded("--wait", "waitSeconds", "500ms", { least: 0, most: 10 });
 * if (seconds !== 0.5) throw new Error("not seconds");
 * ```
 */
export function readBounded(
  what: string,
  name: string,
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const unit = unitOf(name);
  const value = readQuantity(text, unit);
  const whole = unit !== "seconds";
  const isGood = value !== undefined && value >= least && value <= most &&
    (!whole || Number.isInteger(value));
  if (isGood) return value;
  const kind = { seconds: "seconds", bytes: "octets", count: "a whole number" }[unit];
  const range = unit === "bytes"
    ? `${bytesText(least)} to ${bytesText(most)}`
    : `${countText(least)} to ${countText(most)}`;
  const example = { seconds: " (also 500ms, 2min)", bytes: " (also 64MiB, 10kB)", count: "" }[unit];
  throw new UsageError(`${what} takes ${kind} from ${range}${example}, not ${shown(text)}`);
}

/** `max-attempts` as `maxAttempts`. */
export function camelCase(name: string): string {
  const [first = "", ...others] = name.split("-");
  return first + others.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join("");
}
