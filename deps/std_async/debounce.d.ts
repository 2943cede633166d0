/** Types of `@std/async/debounce`, which its npm build lacks. */

/** A function that runs once its calls have ceased for a while. */
export interface DebouncedFunction<T extends unknown[]> {
  (...args: T): void;
  /** Forgets the pending call. */
  clear(): void;
  /** Makes the pending call now. */
  flush(): void;
  /** Whether a call is pending. */
  readonly pending: boolean;
}

/** Options of {@linkcode debounce}. */
export interface DebounceOptions {
  /** Forgets the pending call when aborted. */
  signal?: AbortSignal | undefined;
}

/** Delays `fn` until `wait` milliseconds have passed without a call. */
export function debounce<T extends unknown[]>(
  fn: (this: DebouncedFunction<T>, ...args: T) => void,
  wait: number,
  options?: DebounceOptions,
): DebouncedFunction<T>;
