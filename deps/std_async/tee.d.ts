/** Types of `@std/async/tee`, which its npm build lacks. */

/** A tuple of `N` times `T`. */
export type TupleOf<T, N extends number, R extends unknown[] = []> = R["length"] extends N ? R
  : TupleOf<T, N, [T, ...R]>;

/** Branches one async iterable into `n` (2 unless told) that each see every item. */
export function tee<T, N extends number = 2>(
  iterable: AsyncIterable<T>,
  n?: N,
): TupleOf<AsyncIterable<T>, N>;
