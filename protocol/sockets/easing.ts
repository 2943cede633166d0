/**
 * Eases an application that sends more than its peer takes: while much waits, a send that is queued
 * resolves only when the peer has taken some of it. So output waits where it is made, and not as
 * copies of ours. Never for long: a peer that takes nothing is left to the high-water mark.
 *
 * @module
 */
import type { Io, TimerId } from "../io/io.ts";

/** Octets for one peer from which on its sender is eased: a few writes of the engine. */
export const EASE_BYTES = 1024 * 1024;

/** The sends of one socket that are queued and resolve a little later. */
export class Easing {
  readonly #io: Io;
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;
  /** Ends whatever easing there is then; not set anew for each, which would cost more than it waits. */
  #timer: TimerId | undefined;

  constructor(io: Io) {
    this.#io = io;
  }

  /** What a send gives while it is eased; undefined if it isn't. */
  get promise(): Promise<void> | undefined {
    return this.#promise;
  }

  /** Sends from now on wait for `end()`, or a moment. */
  begin(): void {
    if (this.#io.moment === undefined) return;
    this.#promise ??= new Promise((resolve) => this.#resolve = resolve);
    this.#timer ??= this.#io.moment(() => {
      this.#timer = undefined;
      this.end();
    });
  }

  /** They go on. */
  end(): void {
    this.#resolve?.();
    this.#resolve = this.#promise = undefined;
  }

  /** They go on, and no timer is left. */
  close(): void {
    this.end();
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    this.#timer = undefined;
  }
}
