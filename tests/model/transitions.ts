/**
 * What occurred in the runs of a model, counted by name: which worker said what in which condition,
 * what happened to jobs, workers and clients. A kind that never occurred is a hole in the proof.
 *
 * @module
 */
import { AssertionError } from "@std/assert";
import { SIG } from "./naive_core.ts";
import type { NaiveConnection, NaiveWorker } from "./naive_records.ts";

/** Counts by name. */
export class Transitions {
  readonly #seen: Map<string, number> = new Map();

  /** It occurred once more. */
  count(name: string): void {
    this.#seen.set(name, (this.#seen.get(name) ?? 0) + 1);
  }

  /** Throws if one of these never occurred. */
  check(expected: readonly string[]): void {
    const missing = expected.filter((name) => !this.#seen.has(name));
    if (missing.length > 0) throw new AssertionError(`never occurred: ${missing.join("; ")}`);
  }

  /** The table, most frequent first, in columns. */
  print(columns = 3): void {
    const all = [...this.#seen].sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${String(count).padStart(9)} ${name}`.padEnd(46));
    const rows = Math.ceil(all.length / columns);
    const lines = Array.from(
      { length: rows },
      (_, row) => all.filter((_, i) => i % rows === row).join(" ").trimEnd(),
    );
    // deno-lint-ignore no-console
    console.log(lines.join("\n"));
  }
}

/** How a worker stands: its dialect, and what it may be taken for. */
export function conditionOf(worker: NaiveWorker | undefined): string {
  if (worker === undefined) return "stranger";
  const { dialect, state, running, owed } = worker;
  const busy = running.length > 0 ? "busy" : owed > 0 ? "owing" : "idle";
  return state === "in" ? `${dialect} ${busy}` : `${dialect} ${state} ${busy}`;
}

/** Words of the broker that no job of a test has. */
const SENT = new Set(["PONG", "EXIT", "REGISTERED", "REFUSED"]);

/** What kind of thing the broker says. */
export function sentWord(frames: readonly string[]): string {
  const native = frames.indexOf(SIG);
  if (native >= 0) return frames[native + 1]!;
  return frames.find((frame) => SENT.has(frame)) ?? "body";
}

/** What kind of thing a worker says, by the frames behind its envelope. */
export function wordOf(connection: NaiveConnection, frames: readonly string[]): string {
  const body = connection.type === "REP" ? frames : frames.slice(frames.indexOf("") + 1);
  const [word = "", ...rest] = body;
  if (word === "READY" || (word === "PING" && rest.length === 0)) return word;
  if (word === "PING" && rest.length === 1) return "PING, address";
  if (word === "REGISTER" || word === "INCREMENT" || word === "DEREGISTER") return word;
  if (word.length !== 9 || word[0] !== "\0") return "other words";
  const isHere = connection.workers.some(({ running }) =>
    running.some(({ attempt }) => attempt?.id === word)
  );
  return isHere ? "a job's id" : "another id";
}
