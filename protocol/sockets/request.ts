/**
 * REQ: one request, then its reply, and so on (RFC 28).
 *
 * @module
 */
import { SocketError } from "../errors.ts";
import { NO_BYTES } from "../zmtp/memory.ts";
import type { MessageView } from "../zmtp/message_reader.ts";
import { type Pattern, SocketCore } from "./core.ts";
import type { Pipe } from "./fair_queue.ts";
import type { Frame } from "./frame.ts";
import type { RequestOptions } from "./options.ts";
import { RoundRobin } from "./round_robin.ts";
import { Socket } from "./socket.ts";

/** Strictly send, receive, send, receive. */
class RequestPattern implements Pattern {
  readonly #core: SocketCore;
  readonly #ring: RoundRobin = new RoundRobin();
  /** Whom the last request went to while its reply is awaited. */
  #asked: Pipe | undefined;
  #waiting = false;
  #answered = false;
  #number: number;
  readonly #numberBytes = new Uint8Array(4);

  constructor(core: SocketCore) {
    this.#core = core;
    this.#number = Math.floor(core.io.random() * 2 ** 32);
  }

  connected(pipe: Pipe): void {
    this.#ring.add(pipe);
  }

  opened(pipe: Pipe): boolean {
    this.#ring.add(pipe);
    return true;
  }

  left(pipe: Pipe): void {
    this.#ring.remove(pipe);
  }

  arrived(pipe: Pipe, message: MessageView): void {
    // Only the peer that was asked may answer, once, and with the right envelope; else it is skipped.
    if (!this.#waiting || this.#answered || pipe !== this.#asked) return;
    const body = this.#bodyOf(message);
    if (body < 0) return;
    this.#answered = true;
    this.#core.deliver(pipe, this.#core.maker.make(message, body));
  }

  trySend(frames: Uint8Array[]): boolean {
    const { relaxed, correlate, immediate } = this.#core.options;
    if (this.#waiting && !relaxed) {
      throw new SocketError(
        "EFSM",
        "Cannot send: the reply to the last request wasn't received",
      );
    }
    const pipe = this.#ring.next(immediate);
    if (pipe === undefined) return false;
    this.#core.queue.clear(this.#core.budget);
    const batch = pipe.peer.batch();
    if (correlate) {
      const number = this.#number = (this.#number + 1) >>> 0;
      new DataView(this.#numberBytes.buffer).setUint32(0, number);
      batch.frame(1, this.#numberBytes, 0, 4);
    }
    batch.frame(1, NO_BYTES, 0, 0);
    batch.message(frames);
    this.#asked = pipe;
    this.#waiting = true;
    this.#answered = false;
    return true;
  }

  wayOf(): string {
    return "";
  }

  writable(): boolean {
    const { relaxed, immediate } = this.#core.options;
    return (!this.#waiting || relaxed) && this.#ring.hasRoom(immediate);
  }

  beforeReceive(): void {
    if (!this.#waiting || this.#core.awaited) {
      throw new SocketError("EFSM", "Cannot receive: no request was sent");
    }
  }

  afterReceive(frames: Frame[]): Frame[] {
    this.#waiting = false;
    this.#asked = undefined;
    return frames;
  }

  /** Where the reply's body starts, -1 if it isn't one. */
  #bodyOf(message: MessageView): number {
    const { starts, ends, bytes, count } = message;
    let at = 0;
    if (this.#core.options.correlate) {
      if (ends[0]! - starts[0]! !== 4) return -1;
      for (let i = 0; i < 4; i++) {
        if (bytes[starts[0]! + i] !== this.#numberBytes[i]) return -1;
      }
      at = 1;
    }
    const delimited = at < count && starts[at] === ends[at];
    return delimited && at + 1 < count ? at + 1 : -1;
  }
}

/**
 * A REQ socket: sends a request, receives its reply. The name shadows the web's `Request`; rename
 * it where both are needed: `import { Request as RequestSocket } from "…"`.
 *
 * @example
 * ```ts
 * import { Reply, Request as RequestSocket } from "../mod.ts";
 *
 * await using reply = new Reply();
 * await reply.bind("tcp://127.0.0.1:*");
 * await using request = new RequestSocket();
 * request.connect(reply.lastEndpoint!);
 *
 * await request.send("what?");
 * await reply.receive();
 * await reply.send("that");
 * const [answer] = await request.receive();
 * if (answer.text() !== "that") throw new Error("wrong answer");
 * ```
 */
export class Request extends Socket {
  readonly #core: SocketCore;

  /** Makes a socket with these options. */
  constructor(options: RequestOptions = {}) {
    const core = new SocketCore("REQ", options);
    core.pattern = new RequestPattern(core);
    super(core);
    this.#core = core;
    if (new.target === Request) Object.preventExtensions(this);
  }

  /** Number each request, and take only the reply with its number. */
  get correlate(): boolean {
    return this.#core.options.correlate;
  }
  set correlate(value: boolean) {
    this.#core.set("correlate", value);
  }

  /** A new request may be sent before the reply to the last one came. */
  get relaxed(): boolean {
    return this.#core.options.relaxed;
  }
  set relaxed(value: boolean) {
    this.#core.set("relaxed", value);
  }
}
