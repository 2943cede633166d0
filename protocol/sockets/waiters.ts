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
  readonly #act: string;
  readonly #why: string;

  /** For calls that do `act` and wait because of `why`. */
  constructor(io: Io, act: string, why: string) {
    this.#io = io;
    this.#act = act;
    this.#why = why;
  }

  get empty(): boolean {
    return this.#line.length === 0;
  }

  /** Whether one of those that wait came with such an argument. */
  some(test: (argument: A) => boolean): boolean {
    return this.#line.some(({ argument }) => test(argument));
  }

  /** Waits at most `timeout` ms (-1 for ever); fails at once if `most` (0: any number) wait. */
  wait(argument: A, timeout: number, most: number): Promise<R> {
    if (timeout === 0) return Promise.reject(this.#failed(`${this.#why} in time`));
    if (most > 0 && this.#line.length >= most) {
      return Promise.reject(
        this.#failed(`${this.#why}, and as many calls wait as the high-water mark allows`),
      );
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
          reject(this.#failed(`${this.#why} in time`));
        }, timeout);
      }
      this.#line.push(waiter);
    });
  }

  /** The first one is done. */
  shift(result: R): void {
    this.#end(this.#line.shift()!).resolve(result);
  }

  /** Each tries, in order: done if it succeeds, failed if it throws, else it waits on. */
  sweep(attempt: (argument: A) => boolean, result: R): void {
    this.#line = this.#line.filter((waiter) => {
      try {
        if (!attempt(waiter.argument)) return true;
        this.#end(waiter).resolve(result);
      } catch (error) {
        this.#end(waiter).reject(error);
      }
      return false;
    });
  }

  /** All fail, because the socket was closed. */
  cut(): void {
    for (const waiter of this.#line.splice(0)) {
      this.#end(waiter).reject(this.#failed("the socket was closed meanwhile"));
    }
  }

  #end(waiter: Waiter<A, R>): Waiter<A, R> {
    if (waiter.timer !== undefined) this.#io.clearTimer(waiter.timer);
    return waiter;
  }

  #failed(state: string): SocketError {
    return new SocketError("EAGAIN", `Cannot ${this.#act}: ${state}`);
  }
}
