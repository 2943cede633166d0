/**
 * The middle and the ends of a few numbers.
 *
 * @module
 */

/** Where some measurements lie. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** The spread of at least one number. */
export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle]!;
  const median = sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
  return { median, least: sorted[0]!, most: sorted.at(-1)! };
}
