/**
 * What a signal means: the first one stops the program gently, the next one at once. Under
 * `deno task` one Ctrl-C reaches a program twice, so what comes within a second of the first is the
 * same one.
 *
 * @module
 */

/** How long one Ctrl-C takes to arrive for the last time. */
const SAME_MS = 1000;

/** The rule. */
export class StopRule {
  #first = -Infinity;
  #asked = false;

  /**
   * A signal came at that time.
   *
   * @example
   * ```ts
   * import { StopRule } from "./stop_rule.ts";
   *
   * const rule = new StopRule();
   * const meant = [0, 999, 1000].map((now) => rule.signal(now));
   * if (meant.join() !== "gently,same,at once") throw new Error(meant.join());
   * ```
   */
  signal(now: number): "gently" | "same" | "at once" {
    if (this.#asked) return now - this.#first < SAME_MS ? "same" : "at once";
    this.#asked = true;
    this.#first = now;
    return "gently";
  }
}
