/**
 * Random numbers from a seed: the same seed gives the same numbers on every machine.
 *
 * @module
 */

/** A small generator (mulberry32): 32 bits of state, good enough to make test cases. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next 32 bits. */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** A number from 0 to `limit - 1`. */
  below(limit: number): number {
    return this.bits() % limit;
  }

  /** Whether something that happens in `percent` of all cases happens now. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** One of these. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
