/**
 * What checkers found: the first violation of a run, with the time and the checker's name. Later ones
 * are often only its consequences.
 *
 * @module
 */
import type { Trace } from "./trace.ts";

/** A promise that didn't hold. */
export interface Finding {
  /** Simulated time, in milliseconds. */
  readonly at: number;
  /** Which checker. */
  readonly checker: string;
  readonly detail: string;
}

/** Takes what checkers find. */
export class Findings {
  #first: Finding | undefined;
  readonly #now: () => number;
  readonly #trace: Trace;
  /** How often each checker has looked. */
  readonly looks: Map<string, number> = new Map();

  constructor(now: () => number, trace: Trace) {
    this.#now = now;
    this.#trace = trace;
  }

  /** The first one, if there is any. */
  get first(): Finding | undefined {
    return this.#first;
  }

  /** A checker looks: what it looks at must be so. */
  expect(checker: string, holds: boolean, detail: () => string): void {
    this.looks.set(checker, (this.looks.get(checker) ?? 0) + 1);
    if (!holds) this.report(checker, detail());
  }

  /** A promise didn't hold. */
  report(checker: string, detail: string): void {
    if (this.#first !== undefined) return;
    this.#first = { at: this.#now(), checker, detail };
    this.#trace.note(this.#now(), `FOUND by ${checker}: ${detail}`);
  }
}
