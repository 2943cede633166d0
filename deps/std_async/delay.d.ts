/** Types of `@std/async/delay`, which its npm build lacks. */

/** Options of {@linkcode delay}. */
export interface DelayOptions {
  /** Rejects the wait with its reason when aborted. */
  signal?: AbortSignal;
  /** Whether the wait keeps the process alive; true unless told. */
  persistent?: boolean;
}

/** Resolves after so many milliseconds. */
export function delay(ms: number, options?: DelayOptions): Promise<void>;
