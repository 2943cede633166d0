/**
 * DEALER: sends to its peers in turn, receives from them in turn, changes nothing (RFC 28).
 *
 * @module
 */
import type { MessageView } from "../zmtp/message_reader.ts";
import { type Pattern, SocketCore } from "./core.ts";
import { EASE_BYTES } from "./easing.ts";
import type { Pipe } from "./fair_queue.ts";
import type { Frame } from "./frame.ts";
import type { SocketOptions } from "./options.ts";
import { RoundRobin } from "./round_robin.ts";
import { Socket } from "./socket.ts";

/** Sends in turn. */
class DealerPattern implements Pattern {
  readonly #core: SocketCore;
  readonly #ring: RoundRobin = new RoundRobin();

  constructor(core: SocketCore) {
    this.#core = core;
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
    this.#core.deliver(pipe, this.#core.maker.make(message, 0));
  }

  trySend(frames: Uint8Array[]): boolean {
    const pipe = this.#ring.next(this.#core.options.immediate);
    if (pipe === undefined) return false;
    const { peer } = pipe;
    peer.send(frames);
    if (peer.waitingBytes >= EASE_BYTES && peer.open) this.#core.ease(peer);
    return true;
  }

  wayOf(): string {
    return "";
  }

  writable(): boolean {
    return this.#ring.hasRoom(this.#core.options.immediate);
  }

  beforeReceive(): void {}

  afterReceive(frames: Frame[]): Frame[] {
    return frames;
  }
}

/**
 * A DEALER socket: what is sent goes to the connected peers in turn, frames unchanged.
 *
 * @example
 * ```ts
 * import { Dealer } from "../mod.ts";
 *
 * await using one = new Dealer();
 * await one.bind("tcp://127.0.0.1:*");
 * await using other = new Dealer({ routingId: "other" });
 * other.connect(one.lastEndpoint!);
 *
 * await other.send(["two", "frames"]);
 * const frames = await one.receive();
 * if (frames.join(" ") !== "two frames") throw new Error("wrong frames");
 * ```
 */
export class Dealer extends Socket {
  /** Makes a socket with these options. */
  constructor(options: SocketOptions = {}) {
    const core = new SocketCore("DEALER", options);
    core.pattern = new DealerPattern(core);
    super(core);
    if (new.target === Dealer) Object.preventExtensions(this);
  }
}
