/** Types of `@std/async/mux-async-iterator`, which its npm build lacks. */

/** Several async iterables read as one, in the order in which their items come. */
export class MuxAsyncIterator<T> implements AsyncIterable<T> {
  /** Joins another source. */
  add(iterable: AsyncIterable<T>): void;
  /** Yields the items of all sources until each has ended. */
  iterate(): AsyncIterableIterator<T>;
  /** The same as {@linkcode MuxAsyncIterator.iterate}. */
  [Symbol.asyncIterator](): AsyncIterator<T>;
}
