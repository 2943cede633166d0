/**
 * Calls that wait their turn: sends without room, receives without a message.
 *
 * @module
 */
import { SocketError } from "../errors.ts";
import type { Io, TimerId } from "../io/io.ts";

interface Waiter<A, R> {
  readonly argument: A;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
  timer: TimerId | undefined;
}

/** A line of waiting calls, first come first served. */
export class Waiters<A, R> {
  #line: Waiter<A, R>[] = [];
  readonly #io: Io;
  readonly #why: string;

  constructor(io: Io, why: string) {
    this.#io = io;
    this.#why = why;
  }

  get empty(): boolean {
    return this.#line.length === 0;
  }

  /** What the first one came with. */
  get first(): A {
    return this.#line[0]!.argument;
  }

  /** Waits at most `timeout` ms (-1 for ever); fails at once if `most` (0: any number) wait. */
  wait(argument: A, timeout: number, most: number): Promise<R> {
    if (timeout === 0 || (most > 0 && this.#line.length >= most)) {
      return Promise.reject(this.#timedOut());
    }
    return new Promise<R>((resolve, reject) => {
      const waiter: Waiter<A, R> = {
        argument,
        resolve,
        reject,
        timer: undefined,
      };
      if (timeout > 0) {
        waiter.timer = this.#io.setTimer(() => {
          this.#line.splice(this.#line.indexOf(waiter), 1);
          reject(this.#timedOut());
        }, timeout);
      }
      this.#line.push(waiter);
    });
  }

  /** The first one is done. */
  shift(result: R): void {
    this.#take().resolve(result);
  }

  /** The first one failed. */
  fail(error: unknown): void {
    this.#take().reject(error);
  }

  /** All fail, because the socket was closed. */
  cut(act: string): void {
    while (!this.empty) {
      this.fail(
        new SocketError(
          "EAGAIN",
          `Cannot ${act}: the socket was closed meanwhile`,
        ),
      );
    }
  }

  #take(): Waiter<A, R> {
    const waiter = this.#line.shift()!;
    if (waiter.timer !== undefined) this.#io.clearTimer(waiter.timer);
    return waiter;
  }

  #timedOut(): SocketError {
    return new SocketError("EAGAIN", `Cannot ${this.#why} in time`);
  }
}
