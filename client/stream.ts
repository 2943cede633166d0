/**
 * A reply in chunks: an async iterable that asks for as many chunks as it has room for, so that a
 * slow reader slows the worker.
 *
 * @module
 */
import type { CallError } from "./errors.ts";
import type { Result } from "./result.ts";

/** How a stream asks for more, and how it stops. */
export interface StreamSource {
  /** So many more chunks may come. */
  more(count: number): void;
  /** No chunk is wanted any more. */
  cancel(): void;
}

/**
 * The chunks of a STREAM call. It can be iterated once; leaving the loop cancels the job.
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
export class ResultStream<T = unknown> implements AsyncIterableIterator<Result<T>> {
  readonly #source: StreamSource;
  readonly #window: number;
  readonly #chunks: Result<T>[] = [];
  #taken = 0;
  #error: CallError | undefined;
  #over = false;
  #wake: (() => void) | undefined;

  /** Made by a client. */
  constructor(source: StreamSource, window: number) {
    this.#source = source;
    this.#window = window;
  }

  /** Itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next chunk; rejects with a `CallError` if the job ended without coming to its end. */
  async next(): Promise<IteratorResult<Result<T>, undefined>> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#refill();
        return { done: false, value: chunk };
      }
      if (this.#error !== undefined) {
        const error = this.#error;
        this.#error = undefined;
        throw error;
      }
      if (this.#over) return { done: true, value: undefined };
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** Wants no more: the job is cancelled. */
  return(): Promise<IteratorResult<Result<T>, undefined>> {
    if (!this.#over) this.#source.cancel();
    this.#over = true;
    this.#chunks.length = 0;
    this.#stir();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** The octets of all chunks as a web stream. */
  toReadableStream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await this.next();
        if (done) return controller.close();
        for (const frame of value.frames) if (frame.length > 0) controller.enqueue(frame);
      },
      cancel: async () => {
        await this.return();
      },
    }, { highWaterMark: 0 });
  }

  /** A chunk came. Called by the client. */
  push(chunk: Result<T>): void {
    if (this.#over) return;
    this.#chunks.push(chunk);
    this.#stir();
  }

  /** It is over, well or not. Called by the client. */
  finish(error?: CallError): void {
    this.#over = true;
    this.#error = error;
    this.#stir();
  }

  /** Half of the window was read: as many may come again. */
  #refill(): void {
    this.#taken++;
    if (this.#over || this.#taken * 2 < this.#window) return;
    this.#source.more(this.#taken);
    this.#taken = 0;
  }

  #stir(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
