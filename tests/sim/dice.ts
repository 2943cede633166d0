/**
 * Chance for a simulation: every stream of random numbers has a name, and one seed decides all of
 * them. Streams of different names don't disturb each other.
 *
 * @module
 */
import { SeededRandom } from "../../protocol/io/random.ts";

/** A stream of random choices. */
export class Dice {
  readonly #random: SeededRandom;

  constructor(seed: number, name: string) {
    let state = seed | 0;
    for (let i = 0; i < name.length; i++) {
      state = Math.imul(state ^ name.charCodeAt(i), 0x0100_0193);
    }
    this.#random = new SeededRandom(state);
  }

  /** A number from 0 up to, not including, 1. */
  unit(): number {
    return this.#random.next();
  }

  /** True so often of 1. */
  chance(often: number): boolean {
    return this.unit() < often;
  }

  /** A whole number, both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.unit() * (most - least + 1));
  }

  /** A number between two. */
  between(least: number, most: number): number {
    return least + this.unit() * (most - least);
  }

  /** A wait of that length on average, as between events that know nothing of each other. */
  wait(mean: number): number {
    return -Math.log(1 - this.unit()) * mean;
  }

  /** One of these. */
  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.unit() * items.length)]!;
  }

  /** One of these, each as often as its weight says. */
  weigh<T>(table: readonly (readonly [weight: number, item: T])[]): T {
    const total = table.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.unit() * total;
    for (const [weight, item] of table) {
      left -= weight;
      if (left < 0) return item;
    }
    return table[table.length - 1]![1];
  }
}
