/**
 * The client's inside: one engine with a connection to each broker, and the calls over them.
 *
 * @module
 */
import { payloadFrames } from "../protocol/dialogue/payload.ts";
import type { Payload } from "../protocol/dialogue/payload.ts";
import type { RequestKind } from "../protocol/dialogue/requests.ts";
import { Engine } from "../protocol/engine/engine.ts";
import type { Peer } from "../protocol/engine/peer.ts";
import { defaultSettings, type EngineHandler } from "../protocol/engine/settings.ts";
import { denoIo } from "../protocol/io/deno_io.ts";
import type { Io, TimerId } from "../protocol/io/io.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import { type Call, type CallEvents, Calls, type CallSink, commandOctets } from "./calls.ts";
import { CancelledError, ConnectionLostError } from "./errors.ts";
import { type CallOptions, checkBrokers, checkTime, type ClientOptions } from "./options.ts";
import { headersOf } from "./options.ts";

/** Reconnects are spread from nothing up to this. */
const RECONNECT_MS = 100;
const RECONNECT_MAX_MS = 30_000;
/** How long what was said last may take to go out. */
const FAREWELL_MS = 1000;

/** What a call of the shell asks for beyond its options. */
export interface Asked {
  readonly kind: RequestKind;
  readonly command: string;
  readonly payload: Payload;
  readonly accept: boolean;
  readonly credit: number;
}

/** What stands behind a `Client`. */
export class ClientShell implements EngineHandler, CallSink {
  closed = false;
  readonly #io: Io;
  readonly #engine: Engine;
  readonly #calls: Calls;
  readonly #timeout: number;
  readonly #lines: Peer[] = [];
  readonly #waiters: Set<() => void> = new Set();
  #timer: TimerId | undefined;
  #timerAt = Infinity;
  #up = 0;

  constructor(options: ClientOptions) {
    const brokers = checkBrokers(options);
    this.#timeout = checkTime("timeout", options.timeout, Infinity);
    const io = this.#io = options.io ?? denoIo();
    this.#calls = new Calls(this, instanceOf(io));
    this.#engine = new Engine(io, {
      ...defaultSettings("DEALER"),
      sendHighWaterMark: 0,
      heartbeatInterval: 1000,
      heartbeatTimeout: 10_000,
      reconnectInterval: RECONNECT_MS,
      reconnectMaxInterval: RECONNECT_MAX_MS,
      fullJitter: true,
    }, this);
    for (const endpoint of brokers) this.#lines.push(this.#engine.connect(endpoint));
  }

  /** Whether a broker is there. */
  get connected(): boolean {
    return this.#up > 0;
  }

  /** Calls that wait for their answers. */
  get pending(): number {
    return this.#calls.size;
  }

  /** Resolves when a broker is there; rejects after `timeout` ms. */
  ready(timeout: number): Promise<void> {
    if (this.#up > 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = timeout === Infinity ? undefined : this.#io.setTimer(() => {
        this.#waiters.delete(done);
        reject(new ConnectionLostError(`Cannot reach any broker within ${timeout} ms`));
      }, timeout);
      const done = () => {
        if (timer !== undefined) this.#io.clearTimer(timer);
        if (this.closed) reject(new ConnectionLostError("The client was closed"));
        else resolve();
      };
      this.#waiters.add(done);
    });
  }

  /** Makes a call. Throws for bad arguments; everything else is told to `events`. */
  make(asked: Asked, options: CallOptions, events: CallEvents): Call {
    if (this.closed) throw new ConnectionLostError("Cannot call: the client is closed");
    const { signal } = options;
    signal?.throwIfAborted();
    const request = {
      kind: asked.kind,
      command: commandOctets(asked.command),
      payload: payloadFrames(asked.payload),
      headers: headersOf(options),
      timeout: checkTime("timeout", options.timeout, this.#timeout),
      accept: asked.accept,
    };
    const call = this.#calls.make(request, events, asked.credit, this.#engine.now());
    this.#arm();
    return call;
  }

  /** Stops a call. */
  cancel(call: Call): void {
    this.#calls.cancel(call);
  }

  /** More chunks may come. */
  give(call: Call, count: number): void {
    this.#calls.give(call, count);
  }

  /** Ends everything; calls that wait fail. */
  async close(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      this.#calls.close();
      for (const done of this.#waiters) done();
      this.#waiters.clear();
      if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
      this.#timer = undefined;
    }
    await this.#engine.close(FAREWELL_MS, true);
  }

  send(line: number, frames: readonly Uint8Array[]): void {
    this.#lines[line]!.send(frames);
  }

  onOpen(peer: Peer): boolean {
    this.#up++;
    this.#calls.lineUp(this.#lines.indexOf(peer), this.#engine.now());
    for (const done of this.#waiters) done();
    this.#waiters.clear();
    return true;
  }

  onMessage(_peer: Peer, message: MessageView): void {
    this.#calls.received(message);
  }

  onRoom(): void {}

  onGone(peer: Peer): void {
    const line = this.#lines.indexOf(peer);
    if (line < 0) return;
    this.#up--;
    // What was not sent is made again from the calls themselves.
    peer.drop();
    this.#calls.lineDown(line, this.#engine.now());
  }

  onEvent(): void {}

  #arm(): void {
    const due = this.#calls.nextDue;
    if (due >= this.#timerAt) return;
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    this.#timerAt = due;
    this.#timer = this.#io.setTimer(() => {
      this.#timer = undefined;
      this.#timerAt = Infinity;
      this.#calls.tick(this.#engine.now());
      this.#arm();
    }, Math.max(0, due - this.#engine.now()));
  }
}

/** Has a signal stop a call; gives how to stop listening. */
export function onAbort(
  signal: AbortSignal | undefined,
  stop: (error: unknown) => void,
): () => void {
  if (signal === undefined) return () => {};
  const listen = () => stop(signal.reason ?? new CancelledError("The call was cancelled"));
  signal.addEventListener("abort", listen, { once: true });
  return () => signal.removeEventListener("abort", listen);
}

/** Eight octets that no other client has. */
function instanceOf(io: Io): Uint8Array {
  return Uint8Array.from({ length: 8 }, () => Math.floor(io.random() * 256));
}
