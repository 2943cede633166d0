/**
 * A socket's events: what happens to its endpoints and peers, for whoever listens.
 *
 * @module
 */
import type { EngineEvent, EngineEventType } from "../engine/settings.ts";

/** Events that wait for an iteration that is slower than they come; older ones go first. */
const WAITING_EVENTS = 1000;

/**
 * What a listener of one type of event looks like.
 *
 * @example
 * ```ts
 * import { Dealer, type EventListener } from "../mod.ts";
 *
 * await using dealer = new Dealer();
 * const forget: EventListener = () => {};
 * dealer.events.on("disconnect", forget).off("disconnect", forget);
 * ```
 */
export type EventListener = (event: EngineEvent) => void;

/**
 * Tells of a socket's events, by listener or by `for await`.
 *
 * @example
 * ```ts
 * import { Router } from "../mod.ts";
 *
 * await using router = new Router();
 * const bound: string[] = [];
 * router.events.on("bind", (event) => bound.push(event.address));
 * await router.bind("tcp://127.0.0.1:*");
 * if (bound[0] !== router.lastEndpoint) throw new Error("not told");
 * ```
 */
export class Observer implements AsyncIterable<EngineEvent> {
  /** Whether the socket is closed and no event will come any more. */
  closed = false;
  readonly #listeners: Map<EngineEventType, EventListener[]> = new Map();
  readonly #waiting: EngineEvent[] = [];
  #iterated = false;
  #wake: (() => void) | undefined;

  /** Calls back on each event of that type. */
  on(type: EngineEventType, listener: EventListener): this {
    const listeners = this.#listeners.get(type);
    if (listeners === undefined) this.#listeners.set(type, [listener]);
    else listeners.push(listener);
    return this;
  }

  /** Calls back no more. */
  off(type: EngineEventType, listener: EventListener): this {
    const listeners = this.#listeners.get(type);
    const at = listeners?.indexOf(listener) ?? -1;
    if (at >= 0) listeners!.splice(at, 1);
    return this;
  }

  /** The next event; rejects once the socket is closed and none is left. */
  async receive(): Promise<EngineEvent> {
    this.#iterated = true;
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) return event;
      if (this.closed) {
        throw new Error("Cannot receive an event: the socket is closed");
      }
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** All events from now on until the socket is closed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<
    EngineEvent,
    void,
    undefined
  > {
    this.#iterated = true;
    while (!this.closed || this.#waiting.length > 0) {
      const event = this.#waiting.shift();
      if (event !== undefined) yield event;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** Hands an event to all who listen. A listener that throws harms nobody else. */
  emit(event: EngineEvent): void {
    for (const listener of this.#listeners.get(event.type) ?? []) {
      try {
        listener(event);
      } catch (error) {
        reportError(error);
      }
    }
    if (this.#iterated) {
      if (this.#waiting.length >= WAITING_EVENTS) this.#waiting.shift();
      this.#waiting.push(event);
      this.#stir();
    }
  }

  /** No event will come any more. */
  close(): void {
    this.closed = true;
    this.#stir();
  }

  #stir(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
