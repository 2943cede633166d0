/**
 * Something that is waited for, by nobody or by many: it rings for all who wait at that moment.
 *
 * @module
 */

/** A bell. */
export class Bell {
  #waiting: PromiseWithResolvers<void> | undefined;

  /** Resolves at the next ring. */
  wait(): Promise<void> {
    this.#waiting ??= Promise.withResolvers<void>();
    return this.#waiting.promise;
  }

  /** It happened. */
  ring(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }

  /** It won't happen. */
  fail(error: unknown): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}
