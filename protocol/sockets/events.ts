/**
 * A socket's events: what happens to its endpoints and peers, for whoever listens.
 *
 * @module
 */
import type { Event, EventOfType, EventType } from "../engine/events.ts";
import { SocketError } from "../errors.ts";

/** Events that wait for an iteration that is slower than they come; older ones go first. */
export const WAITING_EVENTS = 1000;

/**
 * What a listener of one type of event looks like.
 *
 * @example
 * ```ts
 * import { type EventListener, Router } from "../mod.ts";
 *
 * await using router = new Router();
 * const listener: EventListener<"connect:retry"> = ({ interval }) => interval;
 * router.events.on("connect:retry", listener).off("connect:retry", listener);
 * ```
 */
export type EventListener<T extends EventType = EventType> = (event: EventOfType<T>) => void;

/** What a socket does to its observer, and nobody else. */
export interface ObserverControl {
  /** Someone has it in hand: events are kept from now on, unless he listens. */
  watch(): void;
  /** Hands an event to all who listen. A listener that throws harms nobody else. */
  emit(event: Event): void;
  /** No event will come any more; those that wait can still be received. */
  finish(): void;
}

/** Gives the control of an observer. */
export let controlOf: (observer: Observer) => ObserverControl;

/**
 * Tells of a socket's events, by listener, by `receive()` or by `for await`. Unlike in zeromq.js
 * the three can be mixed. Events that nobody listens to are kept from the first look at
 * `socket.events` on, the last 1000 of them.
 *
 * @example
 * ```ts
 * import { Router } from "../mod.ts";
 *
 * await using router = new Router();
 * const bound: string[] = [];
 * router.events.on("bind", (event) => bound.push(event.address));
 * ```
 */
export class Observer implements AsyncIterable<Event> {
  readonly #listeners: Map<EventType, unknown[]> = new Map();
  readonly #waiting: Event[] = [];
  readonly #takers: PromiseWithResolvers<Event>[] = [];
  #closed = false;
  /** Whether events are kept for `receive()`, and whether it was ever called. */
  #keeping = false;
  #asked = false;

  static {
    controlOf = (observer) => ({
      watch: () => observer.#keeping ||= observer.#listeners.size === 0,
      emit: (event) => observer.#emit(event),
      finish: () => observer.#finish(),
    });
  }

  /** Whether no event will come any more: `close()` was called, or the socket is closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Calls back on each event of that type. */
  on<T extends EventType>(type: T, listener: EventListener<T>): this {
    const listeners = this.#listeners.get(type);
    if (listeners === undefined) this.#listeners.set(type, [listener]);
    else listeners.push(listener);
    if (!this.#asked) {
      this.#keeping = false;
      this.#waiting.length = 0;
    }
    return this;
  }

  /** Calls back no more. */
  off<T extends EventType>(type: T, listener: EventListener<T>): this {
    const listeners = this.#listeners.get(type);
    const at = listeners?.indexOf(listener) ?? -1;
    if (at >= 0) listeners!.splice(at, 1);
    return this;
  }

  /** The next event; rejects once the observer is closed and none is left. */
  receive(): Promise<Event> {
    this.#asked = this.#keeping = true;
    const event = this.#waiting.shift();
    if (event !== undefined) return Promise.resolve(event);
    if (this.#closed) {
      return Promise.reject(
        new SocketError("EBADF", "Cannot receive an event: the observer is closed"),
      );
    }
    const taker = Promise.withResolvers<Event>();
    this.#takers.push(taker);
    return taker.promise;
  }

  /** All events until the observer is closed. */
  [Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    this.#asked = this.#keeping = true;
    return this.#iterate();
  }

  /** Tells no more events, also none that wait. The socket goes on. */
  close(): void {
    this.#waiting.length = 0;
    this.#finish();
  }

  async *#iterate(): AsyncGenerator<Event, void, undefined> {
    while (!this.#closed || this.#waiting.length > 0) {
      let event: Event;
      try {
        event = await this.receive();
      } catch {
        return;
      }
      yield event;
    }
  }

  #emit(event: Event): void {
    if (this.#closed) return;
    // A listener may add or remove listeners.
    for (const listener of [...this.#listeners.get(event.type) ?? []]) {
      try {
        (listener as EventListener)(event);
      } catch (error) {
        reportError(error);
      }
    }
    const taker = this.#takers.shift();
    if (taker !== undefined) return taker.resolve(event);
    if (!this.#keeping) return;
    if (this.#waiting.length >= WAITING_EVENTS) this.#waiting.shift();
    this.#waiting.push(event);
  }

  #finish(): void {
    this.#closed = true;
    for (const taker of this.#takers.splice(0)) {
      taker.reject(
        new SocketError("EAGAIN", "Cannot receive an event: the observer was closed meanwhile"),
      );
    }
  }
}
