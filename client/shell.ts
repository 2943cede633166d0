/**
 * The client's inside: one engine with a connection to each broker, and the calls over them.
 *
 * @module
 */
import { nameOf } from "../protocol/dialogue/names.ts";
import { type Payload, payloadFrames } from "../protocol/dialogue/payload.ts";
import type { RequestKind } from "../protocol/dialogue/requests.ts";
import { Engine } from "../protocol/engine/engine.ts";
import type { Event } from "../protocol/engine/events.ts";
import type { Peer } from "../protocol/engine/peer.ts";
import { defaultSettings, type EngineHandler } from "../protocol/engine/settings.ts";
import { denoIo } from "../protocol/io/deno_io.ts";
import type { Io, TimerId } from "../protocol/io/io.ts";
import { PASSED_ON_LIMITS, WIRE_LIMITS } from "../protocol/zmtp/limits.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import { type CallEvents, type CallRequest, Calls, type CallSink } from "./calls.ts";
import { ConnectionLostError, errorOf } from "./errors.ts";
import {
  type CallOptions,
  checkBrokers,
  checkName,
  checkTime,
  type ClientLog,
  type ClientOptions,
  headersOf,
} from "./options.ts";

/** Reconnects are spread from nothing up to this, which doubles from the first to the second. */
const RECONNECT_MS = 100;
const RECONNECT_MAX_MS = 30_000;
/** A broker that isn't heard of is pinged this often, and taken for gone after that. */
const HEARTBEAT_MS = 1000;
const HEARTBEAT_TIMEOUT_MS = 10_000;
/** How long what was said last may take to go out. */
const FAREWELL_MS = 1000;
/** Octets that may wait for one broker before `send()` waits too. */
const OUTPUT_BYTES = 8 * 1024 * 1024;
/**
 * What a broker may put around command, headers and payload on the way to a worker, which keeps the
 * same limits; a timeout's header included.
 */
const AROUND_BYTES = 128;
const AROUND_FRAMES = 8;

/** What a call of the shell asks for beyond its options. */
export interface Asked {
  readonly kind: RequestKind;
  readonly command: string;
  readonly payload: Payload;
  readonly accept: boolean;
}

/** A call that was made. */
export interface Made {
  /** Nobody wants it any more; nobody is told. */
  cancel(): void;
  /** So many more chunks may come. */
  give(count: number): void;
}

/** What stands behind a `Client`. */
export class ClientShell implements EngineHandler, CallSink {
  /** Jobs that were refused after their `send()` had resolved. */
  refusals = 0;
  readonly #options: ClientOptions;
  readonly #io: Io;
  readonly #engine: Engine;
  readonly #calls: Calls;
  readonly #timeout: number;
  readonly #lines: Peer[] = [];
  readonly #waiters: Set<() => void> = new Set();
  #timer: TimerId | undefined;
  #timerAt = Infinity;
  #closed = false;
  /** What went wrong with a connection last. */
  #trouble = "";

  constructor(options: ClientOptions) {
    const brokers = checkBrokers(options);
    this.#options = options;
    this.#timeout = checkTime("timeout", options.timeout, Infinity);
    const io = this.#io = options.io ?? denoIo();
    this.#calls = new Calls(this, instanceOf(io), brokers.length);
    this.#engine = new Engine(io, {
      ...defaultSettings("DEALER"),
      limits: PASSED_ON_LIMITS,
      sendHighWaterMark: 0,
      outputBytes: OUTPUT_BYTES,
      heartbeatInterval: HEARTBEAT_MS,
      heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
      reconnectInterval: RECONNECT_MS,
      reconnectMaxInterval: RECONNECT_MAX_MS,
      fullJitter: true,
    }, this);
    for (const endpoint of brokers) this.#lines.push(this.#engine.connect(endpoint));
  }

  /** Whether a broker is there. */
  get connected(): boolean {
    return !this.#closed && this.#calls.connected;
  }

  /** Calls that wait for their answers. */
  get pending(): number {
    return this.#calls.size;
  }

  /** Resolves when a broker is there; rejects after `timeout` ms, or with the signal's reason. */
  ready(timeout: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const look = () => {
        if (this.connected) resolve();
        else if (this.#closed) reject(new ConnectionLostError("The client was closed"));
        else if (this.#calls.trouble !== undefined) {
          reject(new ConnectionLostError(this.#calls.trouble));
        } else return;
        end();
      };
      const timer = timeout === Infinity ? undefined : this.#io.setTimer(() => {
        end();
        const why = this.#trouble === "" ? "" : `: ${this.#trouble}`;
        reject(new ConnectionLostError(`Cannot reach any broker within ${timeout} ms${why}`));
      }, timeout);
      const quiet = onAbort(signal, (reason) => {
        end();
        reject(reason);
      });
      const end = () => {
        this.#waiters.delete(look);
        if (timer !== undefined) this.#io.clearTimer(timer);
        quiet();
      };
      this.#waiters.add(look);
      look();
    });
  }

  /** What a call asks for, checked; throws for bad arguments. */
  request(asked: Asked, options: CallOptions): CallRequest {
    const { kind, accept } = asked;
    const request = {
      kind,
      command: checkName("command", asked.command),
      payload: payloadFrames(asked.payload),
      headers: headersOf(options, accept),
      timeout: checkTime("timeout", options.timeout, this.#timeout),
      accept,
    };
    checkSize(request);
    return request;
  }

  /**
   * Makes a call and tells `events` what comes of it. A signal that fires cancels it and is told to
   * `aborted` with its reason, instead of the events. Gives nothing if all is over at once.
   */
  make(
    request: CallRequest,
    events: CallEvents,
    credit: number,
    signal: AbortSignal | undefined,
    aborted: (reason: unknown) => void,
  ): Made | undefined {
    if (signal?.aborted) return void aborted(signal.reason);
    if (this.#closed) return void events.failed("CONNECTION_LOST", "The client is closed");
    let over = false;
    let quiet = () => {};
    const end = () => {
      over = true;
      quiet();
    };
    const call = this.#calls.make(
      request,
      {
        chunk: (message, first) => events.chunk(message, first),
        done: (message, first) => {
          end();
          events.done(message, first);
        },
        failed: (code, sentence) => {
          end();
          events.failed(code, sentence);
        },
      },
      credit,
      this.#engine.now(),
    );
    this.#arm();
    if (over) return undefined;
    const cancel = () => {
      end();
      return this.#calls.cancel(call);
    };
    quiet = onAbort(signal, (reason) => {
      if (cancel()) aborted(reason);
    });
    return { cancel, give: (count) => this.#calls.give(call, count) };
  }

  /** Ends everything; calls that wait fail. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#calls.close();
      this.#tellWaiters();
      if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
      this.#timer = undefined;
    }
    await this.#engine.close(FAREWELL_MS, true);
  }

  send(line: number, frames: readonly Uint8Array[]): void {
    this.#lines[line]!.send(frames);
  }

  full(line: number): boolean {
    return this.#lines[line]!.full;
  }

  refused(command: Uint8Array, code: string, sentence: string): void {
    const name = nameOf(command);
    this.refusals++;
    this.#log(0, "refused", { command: name, code, sentence });
    this.#options.onRefused?.(errorOf(code, sentence), name);
  }

  onOpen(peer: Peer): boolean {
    this.#log(1, "connected", { broker: peer.endpoint });
    this.#calls.lineUp(this.#lines.indexOf(peer), this.#engine.now());
    this.#tellWaiters();
    return true;
  }

  onMessage(_peer: Peer, message: MessageView): void {
    this.#calls.received(message, this.#engine.now());
  }

  onRoom(peer: Peer): void {
    this.#calls.room(this.#lines.indexOf(peer));
  }

  onGone(peer: Peer, final: boolean): void {
    // What was not sent is made again from the calls themselves.
    peer.drop();
    if (this.#closed) return;
    const line = this.#lines.indexOf(peer);
    const { endpoint: broker } = peer;
    const shut = final ? `Cannot connect to ${broker}: it refuses this client` : undefined;
    const unanswered = this.#calls.lineDown(line, this.#engine.now(), shut);
    this.#log(final ? 0 : 1, final ? "refused by the broker" : "broker gone", {
      broker,
      unanswered,
    });
    this.#tellWaiters();
  }

  onEvent(event: Event): void {
    if (!("error" in event) || event.error === undefined || this.#closed) return;
    const { address: broker, error } = event;
    const { message } = error;
    this.#trouble = message.includes(broker) ? message : `${broker}: ${message}`;
    if (event.type === "connect:retry") {
      const again = `${Math.round(event.interval)} ms`;
      this.#log(2, "not connected", { broker, again, error: message });
      // What Deno doesn't allow won't be allowed later.
      if ("code" in error && error.code === "EACCES") this.#shutLine(broker, message);
    } else if (event.type.startsWith("handshake:error")) {
      this.#log(1, "no handshake", { broker, error: message });
    }
  }

  #shutLine(endpoint: string, why: string): void {
    const line = this.#lines.findIndex((peer) => peer.endpoint === endpoint);
    if (line >= 0) this.#calls.lineDown(line, this.#engine.now(), why);
    this.#tellWaiters();
  }

  #tellWaiters(): void {
    for (const look of [...this.#waiters]) look();
  }

  #log(level: number, event: string, details: ClientLog["details"]): void {
    this.#options.onLog?.({ level, event, details });
  }

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

/** Has a signal stop something; gives how to stop listening. */
function onAbort(signal: AbortSignal | undefined, stop: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {};
  const listen = () => stop(signal.reason);
  signal.addEventListener("abort", listen, { once: true });
  return () => signal.removeEventListener("abort", listen);
}

/** Refuses what a broker would close the connection for, and with it everybody else's calls. */
function checkSize({ command, headers, payload }: CallRequest): void {
  const { messageBytes, messageFrames } = WIRE_LIMITS;
  const most = messageFrames - AROUND_FRAMES;
  if (payload.length > most) {
    throw new RangeError(
      `Cannot call: a payload has at most ${most} frames, not ${payload.length}`,
    );
  }
  let size = AROUND_BYTES + command.length + headers.length;
  for (const { length } of payload) size += length;
  if (size <= messageBytes) return;
  throw new RangeError(`Cannot call: a message has at most ${messageBytes} octets, not ${size}`);
}

/** Eight octets that no other client has. */
function instanceOf(io: Io): Uint8Array {
  return Uint8Array.from({ length: 8 }, () => Math.floor(io.random() * 256));
}
