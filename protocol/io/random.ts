/**
 * Random numbers that a seed repeats, for worlds in memory. Not for secrets.
 *
 * @module
 */

/**
 * A stream of random numbers (splitmix32). The same seed gives the same stream.
 *
 * @example
 * ```ts
 * import { SeededRandom } from "./random.ts";
 *
 * const first = new SeededRandom(7).next();
 * if (new SeededRandom(7).next() !== first) throw new Error("not repeated");
 * ```
 */
export class SeededRandom {
  #state: number;

  /** Starts the stream that belongs to a seed. */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** The next number from 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x9e37_79b9) | 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0_aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a_2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 0x1_0000_0000;
  }
}
