/**
 * `for await` over a socket's messages. An iterator by hand: a message that waits costs one promise,
 * where an async generator would make four.
 *
 * @module
 */
import { SocketError } from "../errors.ts";
import type { SocketCore } from "./core.ts";
import type { Received } from "./frame.ts";

type Result<M> = IteratorResult<M, void>;

/** Messages until the socket is closed, or until a receive fails. */
export class Iteration<M extends Received> implements AsyncIterableIterator<M, void, undefined> {
  readonly #core: SocketCore;
  #over = false;

  constructor(core: SocketCore) {
    this.#core = core;
  }

  /** The next message, or the end. */
  next(): Promise<Result<M>> {
    if (this.#over || this.#core.closed) return this.return();
    try {
      const frames = this.#core.take();
      if (frames !== undefined) return Promise.resolve({ value: frames as M, done: false });
    } catch (error) {
      this.#over = true;
      return Promise.reject(error);
    }
    return this.#core.receive().then(found<M>, this.#failed);
  }

  /** Ends the iteration; the socket stays as it is. */
  return(): Promise<Result<M>> {
    this.#over = true;
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Closing the socket is no failure. */
  readonly #failed = (error: unknown): Result<M> => {
    this.#over = true;
    if (this.#core.closed && error instanceof SocketError) return { value: undefined, done: true };
    throw error;
  };
}

function found<M extends Received>(frames: unknown): Result<M> {
  return { value: frames as M, done: false };
}
