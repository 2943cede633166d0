/**
 * Where a worker stands with its broker, as a table: what may follow on what. Only this file changes
 * it.
 *
 * @module
 */

/** Where a worker stands. */
export type Phase =
  /** There is no connection. */
  | "away"
  /** Connected, and unknown to the broker. */
  | "stranger"
  /** It said READY or REGISTER and has no answer. */
  | "asking"
  /** It was refused, and asks again after a while. */
  | "refused"
  /** It is in the broker's table. */
  | "in"
  /** It said that it leaves; jobs may be on their way. */
  | "leaving"
  /** The broker knows it and gives it no jobs. */
  | "out";

/** What may follow on what. */
const NEXT: Readonly<Record<Phase, readonly Phase[]>> = {
  away: ["stranger"],
  stranger: ["away", "asking"],
  asking: ["away", "stranger", "refused", "in", "leaving"],
  refused: ["away", "stranger", "asking"],
  in: ["away", "stranger", "leaving"],
  leaving: ["away", "out"],
  out: ["away", "stranger", "asking"],
};

/** The phase of one session. */
export class SessionPhase {
  #now: Phase = "away";

  /** Where it stands. */
  get now(): Phase {
    return this.#now;
  }

  /** Whether the broker knows it, and so answers its pings. */
  get isKnown(): boolean {
    return this.#now === "in" || this.#now === "leaving" || this.#now === "out";
  }

  /** Goes on to another phase; throws if that can't follow. */
  go(phase: Phase): void {
    if (!NEXT[this.#now].includes(phase)) {
      throw new Error(`Cannot go from ${this.#now} to ${phase}`);
    }
    this.#now = phase;
  }
}
