/** Types of `@std/async/pool`, which its npm build lacks. */

/** Maps items with at most `poolLimit` at work at once; yields in the order of the input. */
export function pooledMap<T, R>(
  poolLimit: number,
  array: Iterable<T> | AsyncIterable<T>,
  iteratorFn: (data: T) => Promise<R>,
): AsyncIterableIterator<R>;
