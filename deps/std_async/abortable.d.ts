/** Types of `@std/async/abortable`, which its npm build lacks. */

/** The same promise, rejecting with the signal's reason once that is aborted. */
export function abortable<T>(p: Promise<T>, signal: AbortSignal): Promise<T>;
/** The same items, throwing the signal's reason once that is aborted. */
export function abortable<T>(p: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T>;
