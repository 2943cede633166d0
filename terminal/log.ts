/**
 * Log lines as text or JSON. What happened stands first, its details behind it by name. Values are
 * strangers' words and are escaped here.
 *
 * @module
 */
import { escape, shown, toJson } from "./escape.ts";
import type { Paint } from "./paint.ts";

/** What happened. */
export interface Entry {
  /** 0 what must be told, 1 comings, goings and jobs, 2 heartbeats, 3 sizes, 4 decisions, 5 frames. */
  readonly level: number;
  readonly event: string;
  readonly details: Readonly<Record<string, string | number>>;
}

/**
 * The line that a person reads, without its end.
 *
 * @example
 * ```ts
 * import { textLine } from "./log.ts";
 * import { PLAIN } from "./paint.ts";
 *
 * const entry = { level: 1, event: "worker joined", details: { address: "my w" } };
 * const line = textLine(entry, new Date(2026, 0, 1, 12, 0, 0, 5), PLAIN);
 * if (line !== '12:00:00.005 worker joined address="my w"') throw new Error(line);
 * ```
 */
export function textLine({ level, event, details }: Entry, time: Date, paint: Paint): string {
  const words = [paint.dim(clockText(time)), what(level, escape(event), paint)];
  for (const [name, value] of Object.entries(details)) {
    words.push(paint.dim(`${name}=`) + (typeof value === "number" ? value : shown(value)));
  }
  return words.join(" ");
}

function what(level: number, event: string, paint: Paint): string {
  if (level === 0) return paint.warn(event);
  return level === 1 ? event : paint.dim(event);
}

function clockText(time: Date): string {
  const part = (value: number, digits: number) => String(value).padStart(digits, "0");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((it) => part(it, 2));
  return `${clock.join(":")}.${part(time.getMilliseconds(), 3)}`;
}

/**
 * The line that a program reads, without its end.
 *
 * @example
 * ```ts
 * import { jsonLine } from "./log.ts";
 *
 * const entry = { level: 1, event: "worker joined", details: { address: "w1" } };
 * const line = JSON.parse(jsonLine(entry, new Date(0)));
 * if (line.address !== "w1" || line.time !== "1970-01-01T00:00:00.000Z") throw new Error("lost");
 * ```
 */
export function jsonLine({ level, event, details }: Entry, time: Date): string {
  const head = { time: time.toISOString(), level, event };
  // First for the eye, last so that no detail takes their place.
  return toJson({ ...head, ...details, ...head });
}
