/**
 * A reply in chunks: an async iterable that asks for as many chunks as it has room for, so that a
 * slow reader slows the worker.
 *
 * @module
 */
import type { Result } from "./result.ts";

/** How a stream asks for more, and how it stops. */
export interface StreamSource {
  /** So many more chunks may come. */
  more(count: number): void;
  /** No chunk is wanted any more. */
  cancel(): void;
}

type Next<T> = IteratorResult<Result<T>, undefined>;

interface Waiter<T> {
  resolve(next: Next<T>): void;
  reject(reason: unknown): void;
}

/**
 * The chunks of a STREAM call. It can be iterated once; leaving the loop cancels the job. What is not
 * read stays unread: no more than the call's `window` of chunks is ever held here, and the worker
 * waits.
 *
 * @example
 * ```ts
 * import type { ResultStream } from "./stream.ts";
 *
 * const last = async (stream: ResultStream<number>) => {
 *   let value = 0;
 *   for await (const chunk of stream) value = chunk.json();
 *   return value;
 * };
 * if (last.length !== 1) throw new Error("not a function of one stream");
 * ```
 */
export class ResultStream<T = unknown>
  implements AsyncIterableIterator<Result<T>>, AsyncDisposable {
  readonly #source: StreamSource;
  readonly #window: number;
  readonly #chunks: Result<T>[] = [];
  /** Whoever asked for a chunk that isn't there yet; empty while there are chunks. */
  readonly #waiters: Waiter<T>[] = [];
  /** Chunks that were read since credit was given last. */
  #taken = 0;
  #error: { readonly reason: unknown } | undefined;
  #over = false;

  /** Made by a client. */
  constructor(source: StreamSource, window: number) {
    this.#source = source;
    this.#window = window;
  }

  /** Itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * The next chunk. Rejects once, after the chunks that came before, if the job didn't come to its
   * end: with a `CallError`, or with the reason of the call's signal.
   */
  next(): Promise<IteratorResult<Result<T>, undefined>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#refill();
      return Promise.resolve({ done: false, value: chunk });
    }
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) return Promise.reject(error.reason);
    if (this.#over) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /** Wants no more: the job is cancelled, if it isn't over. */
  return(): Promise<IteratorResult<Result<T>, undefined>> {
    if (!this.#over) this.#source.cancel();
    this.#chunks.length = 0;
    this.finish();
    this.#error = undefined;
    return Promise.resolve({ done: true, value: undefined });
  }

  /** The same as `return()`: with `await using` a stream that was left early is cancelled. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /** The octets of all chunks as a web stream, one after the other. Cancelling it cancels the job. */
  toReadableStream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        // A pull that brings nothing isn't followed by another.
        for (let some = false; !some;) {
          const { done, value } = await this.next();
          if (done) return controller.close();
          for (const frame of value.frames) {
            if (frame.length === 0) continue;
            controller.enqueue(frame);
            some = true;
          }
        }
      },
      cancel: async () => {
        await this.return();
      },
    }, { highWaterMark: 0 });
  }

  /** A chunk came. Called by the client. */
  push(chunk: Result<T>): void {
    if (this.#over) return;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#chunks.push(chunk);
    else {
      this.#refill();
      waiter.resolve({ done: false, value: chunk });
    }
  }

  /** It is over, well or not. Called by the client; only the first time counts. */
  finish(error?: { readonly reason: unknown }): void {
    if (this.#over) return;
    this.#over = true;
    const waiters = this.#waiters.splice(0);
    if (error !== undefined && waiters.length > 0) waiters.shift()!.reject(error.reason);
    else this.#error = error;
    for (const { resolve } of waiters) resolve({ done: true, value: undefined });
  }

  /** Half of the window was read: as many may come again. */
  #refill(): void {
    this.#taken++;
    if (this.#over || this.#taken * 2 < this.#window) return;
    const count = this.#taken;
    this.#taken = 0;
    this.#source.more(count);
  }
}
