/**
 * One bound endpoint: takes connections for as long as it lives. Running out of descriptors makes
 * it wait, never spin and never end.
 *
 * @module
 */
import { formatEndpoint } from "../io/endpoint.ts";
import type { IoListener, TimerId } from "../io/io.ts";
import type { Engine } from "./engine.ts";

/** How long to wait after a connection could not be taken. */
const ACCEPT_PAUSE_MS = 100;

/** A port that takes connections for an engine. */
export class Listener {
  /** The endpoint as it was asked for. */
  readonly asked: string;
  /** The endpoint as it is. */
  readonly bound: string;
  readonly #engine: Engine;
  readonly #port: IoListener;
  #closed = false;
  #timer: TimerId | undefined;

  constructor(engine: Engine, asked: string, port: IoListener) {
    this.#engine = engine;
    this.#port = port;
    this.asked = asked;
    this.bound = formatEndpoint(port.address);
  }

  run(): void {
    this.#timer = undefined;
    this.#port.accept().then((connection) => {
      if (this.#closed) return connection.close();
      this.#engine.accept(connection, this.bound);
      this.run();
    }, (error: Error) => {
      if (this.#closed) return;
      this.#engine.tell({ type: "accept:error", address: this.bound, error });
      this.#engine.count("accept");
      this.#timer = this.#engine.io.setTimer(() => this.run(), ACCEPT_PAUSE_MS);
    });
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== undefined) this.#engine.io.clearTimer(this.#timer);
    this.#port.close();
    this.#engine.tell({ type: "close", address: this.bound });
  }
}
