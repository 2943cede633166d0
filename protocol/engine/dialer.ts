/**
 * One endpoint that we connect to: dials, waits, dials again. Its peer exists from the start, so
 * that messages can wait for a side that isn't there yet.
 *
 * @module
 */
import { SocketError } from "../errors.ts";
import type { IoAddress } from "../io/io.ts";
import { fullJitter, reconnectDelay } from "../time/backoff.ts";
import type { Due } from "../time/deadlines.ts";
import type { Engine } from "./engine.ts";
import { Link } from "./link.ts";
import type { Peer } from "./peer.ts";

/** Dials one endpoint until told to stop. */
export class Dialer implements Due {
  due = 0;
  place = -1;
  readonly peer: Peer;
  /** What was asked for, as `disconnect()` will name it. */
  readonly endpoint: string;
  stopped = false;
  readonly #engine: Engine;
  readonly #address: IoAddress;
  #attempt = 0;
  #abort: AbortController | undefined;

  constructor(
    engine: Engine,
    peer: Peer,
    endpoint: string,
    address: IoAddress,
  ) {
    this.#engine = engine;
    this.peer = peer;
    this.endpoint = endpoint;
    this.#address = address;
  }

  /** Whether a connection is up or being made. */
  get busy(): boolean {
    return this.peer.link !== undefined || this.#abort !== undefined;
  }

  dial(): void {
    const abort = this.#abort = new AbortController();
    const { io, settings, deadlines } = this.#engine;
    this.#engine.tell({ type: "connect:delay", address: this.endpoint });
    if (settings.connectTimeout > 0) {
      deadlines.set(this, this.#engine.now() + settings.connectTimeout);
      this.#engine.armTimer();
    }
    io.connect(this.#address, abort.signal).then((connection) => {
      if (this.stopped || this.#abort !== abort) return connection.close();
      this.#abort = undefined;
      deadlines.clear(this);
      const link = this.peer.link = new Link(
        this.#engine,
        this.peer,
        connection,
      );
      this.#engine.tell({ type: "connect", address: this.endpoint });
      link.start();
    }, (error: Error) => {
      if (this.#abort === abort) this.retry(error);
    });
  }

  /** The connection is gone or was not had, perhaps for a reason: tries again after a while. */
  retry(error?: Error): void {
    this.#abort = undefined;
    if (this.stopped) return;
    if (this.#engine.impatient) return this.#engine.giveUp(this);
    const { io, settings, deadlines } = this.#engine;
    if (settings.reconnectInterval < 0) return;
    const { reconnectInterval, reconnectMaxInterval, fullJitter: full } = settings;
    const wait = full ? fullJitter : reconnectDelay;
    const delay = wait(this.#attempt++, reconnectInterval, reconnectMaxInterval, io.random());
    const event = { type: "connect:retry", address: this.endpoint, interval: delay } as const;
    this.#engine.tell(error === undefined ? event : { ...event, error });
    deadlines.set(this, this.#engine.now() + delay);
    this.#engine.armTimer();
  }

  /** A handshake succeeded: the next failure starts counting anew. */
  succeeded(): void {
    this.#attempt = 0;
  }

  onDue(): void {
    if (this.stopped) return;
    const abort = this.#abort;
    if (abort === undefined) return this.dial();
    this.retry(new SocketError("ETIMEDOUT", "connecting took longer than connectTimeout"));
    abort.abort();
  }

  stop(): void {
    this.stopped = true;
    this.#engine.deadlines.clear(this);
    this.#abort?.abort();
    this.#abort = undefined;
  }
}
