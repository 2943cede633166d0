/**
 * How many log lines of a kind there may be in any second, and how many more there would have been.
 * The rest is told as a sum a second later, also when nothing further happens.
 *
 * @module
 */

const SECOND = 1000;

/** Lines of one kind. */
export class LogQuota {
  /** When the last lines were told, as a ring: the oldest of them is overwritten next. */
  readonly #told: Float64Array;
  #next = 0;
  #more = 0;
  /** When the next sum may be told, and when the last one was. */
  #sumAt = 0;
  #lastSum = -Infinity;

  /** At most so many lines in any second. */
  constructor(most: number) {
    this.#told = new Float64Array(most).fill(-Infinity);
  }

  /** Whether one more line may be told now. One that may not is counted. */
  take(now: number): boolean {
    const at = this.#next;
    if (now - this.#told[at]! < SECOND) {
      if (this.#more++ === 0) this.#sumAt = Math.max(this.#told[at]!, this.#lastSum) + SECOND;
      return false;
    }
    this.#told[at] = now;
    this.#next = (at + 1) % this.#told.length;
    return true;
  }

  /** When the sum of what was not told is due; Infinity if there is none. */
  get due(): number {
    return this.#more === 0 ? Infinity : this.#sumAt;
  }

  /** How many were not told; from now on there are none. Whoever asks tells it. */
  takeSum(now: number): number {
    const more = this.#more;
    this.#more = 0;
    this.#lastSum = now;
    // A kind that has one line a second has had it with this.
    if (more > 0 && this.#told.length === 1) this.#told[0] = now;
    return more;
  }
}
