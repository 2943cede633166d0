/** Types of `@std/async/retry`, which its npm build lacks. */

/** Thrown when the last attempt failed; `cause` is what that attempt threw. */
export class RetryError extends Error {
  constructor(cause: unknown, attempts: number);
}

/** Options of {@linkcode retry}. */
export interface RetryOptions {
  /** How much longer each wait is than the one before; 2 unless told. */
  multiplier?: number;
  /** The longest wait in milliseconds; 60 000 unless told. */
  maxTimeout?: number;
  /** How many attempts; 5 unless told. */
  maxAttempts?: number;
  /** The first wait in milliseconds; 1 000 unless told. */
  minTimeout?: number;
  /** How much of each wait is random, from 0 to 1; 1 unless told. */
  jitter?: number;
  /** Whether an error is worth another attempt; all are unless told. */
  isRetriable?: (err: unknown) => boolean;
  /** Ends the attempts, with its reason. */
  signal?: AbortSignal;
}

/** Calls `fn` until it succeeds, waiting longer each time. */
export function retry<T>(fn: (() => Promise<T>) | (() => T), options?: RetryOptions): Promise<T>;
