/** Types of `@std/async/deadline`, which its npm build lacks. */

/** Options of {@linkcode deadline}. */
export interface DeadlineOptions {
  /** Ends the wait early, with its reason. */
  signal?: AbortSignal;
}

/** The same promise, rejecting with a "TimeoutError" after so many milliseconds. */
export function deadline<T>(p: Promise<T>, ms: number, options?: DeadlineOptions): Promise<T>;
