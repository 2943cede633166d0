/**
 * REP: one request, then its answer, which goes back the way the request came (RFC 28).
 *
 * @module
 */
import { SocketError } from "../errors.ts";
import type { MessageView } from "../zmtp/message_reader.ts";
import { type Pattern, SocketCore } from "./core.ts";
import type { Pipe } from "./fair_queue.ts";
import type { Frame } from "./frame.ts";
import type { SocketOptions } from "./options.ts";
import { Socket } from "./socket.ts";

/** Strictly receive, send, receive, send. */
class ReplyPattern implements Pattern {
  readonly #core: SocketCore;
  /** Who asked, while the answer is due. */
  #asker: Pipe | undefined;
  #envelope: Frame[] = [];

  constructor(core: SocketCore) {
    this.#core = core;
  }

  connected(_pipe: Pipe): void {}

  opened(_pipe: Pipe): boolean {
    return true;
  }

  left(_pipe: Pipe): void {}

  arrived(pipe: Pipe, message: MessageView): void {
    // No delimiter, or nothing behind it: dropped, and the connection stays.
    if (delimiterOf(message) + 1 >= message.count) {
      return this.#core.engine.count("no-body");
    }
    this.#core.deliver(pipe, this.#core.maker.make(message, 0));
  }

  trySend(frames: Uint8Array[]): boolean {
    const asker = this.#asker;
    if (asker === undefined) {
      throw new SocketError("EFSM", "Cannot send: no request was received");
    }
    this.#asker = undefined;
    // An asker that has left takes its answer along. One that doesn't read loses it: others wait.
    if (asker.peer.gone || !asker.peer.open || asker.peer.full) {
      this.#core.engine.count(asker.peer.open ? "no-room" : "no-peer");
      return true;
    }
    const batch = asker.peer.batch();
    for (const frame of this.#envelope) batch.frame(1, frame, 0, frame.length);
    batch.message(frames);
    return true;
  }

  wayOf(): string {
    return "";
  }

  writable(): boolean {
    return this.#asker !== undefined;
  }

  beforeReceive(): void {
    if (this.#asker !== undefined || this.#core.awaited) {
      throw new SocketError(
        "EFSM",
        "Cannot receive: the last request wasn't answered",
      );
    }
  }

  afterReceive(frames: Frame[], pipe: Pipe): Frame[] {
    let body = 0;
    while (frames[body]!.length > 0) body++;
    this.#asker = pipe;
    this.#envelope = frames.slice(0, body + 1);
    return frames.slice(body + 1);
  }
}

/** The index of the first empty frame; the number of frames if there is none. */
function delimiterOf(message: MessageView): number {
  for (let i = 0; i < message.count; i++) {
    if (message.starts[i] === message.ends[i]) return i;
  }
  return message.count;
}

/**
 * A REP socket: receives a request, sends its answer.
 *
 * @example
 * ```ts
 * import { Reply } from "../mod.ts";
 *
 * await using reply = new Reply({ receiveTimeout: 0 });
 * await reply.bind("tcp://127.0.0.1:*");
 * const nothing = await reply.receive().catch((error) => error.code);
 * if (nothing !== "EAGAIN") throw new Error("who was that?");
 * ```
 */
export class Reply extends Socket {
  /** Makes a socket with these options. */
  constructor(options: SocketOptions = {}) {
    const core = new SocketCore("REP", options);
    core.pattern = new ReplyPattern(core);
    super(core);
    if (new.target === Reply) Object.preventExtensions(this);
  }
}
