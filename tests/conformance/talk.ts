/**
 * A conversation to test: one Connection on an InputBuffer, every event recorded, octets fed in
 * pieces of any size. No socket and no clock.
 *
 * @module
 */
import type { Fault } from "../../protocol/errors.ts";
import type { Connection, ConnectionEvents } from "../../protocol/zmtp/connection.ts";
import type { InputBuffer } from "../../protocol/zmtp/input_buffer.ts";
import type { WireLimits } from "../../protocol/zmtp/limits.ts";
import type { Memory } from "../../protocol/zmtp/memory.ts";
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";
import type { Metadata } from "../../protocol/zmtp/metadata.ts";
import type { SocketType } from "../../protocol/zmtp/socket_type.ts";
import { DEALER_GREETING, DEALER_READY, join, toHex } from "./vectors.ts";
import { REAL, type Wire } from "./wire.ts";

/** Memory that counts what is out, and the most that ever was. */
export class CountingMemory implements Memory {
  held = 0;
  peak = 0;

  take(size: number): Uint8Array {
    this.held += size;
    this.peak = Math.max(this.peak, this.held);
    // Not zero: whoever relies on the contents of a fresh buffer must notice.
    return new Uint8Array(size).fill(0xa5);
  }

  give(bytes: Uint8Array): void {
    this.held -= bytes.length;
  }
}

/** Copies of a message's frames. */
export function framesOf(message: MessageView): Uint8Array[] {
  return Array.from(
    { length: message.count },
    (_, i) => message.bytes.slice(message.starts[i]!, message.ends[i]!),
  );
}

/** What a talk may be told. */
export interface TalkOptions {
  readonly type?: SocketType;
  readonly identity?: Uint8Array;
  readonly limits?: Partial<WireLimits>;
  /** Hold our READY until the peer's came. */
  readonly held?: boolean;
}

/** One conversation with everything that came of it. */
export class Talk implements ConnectionEvents {
  readonly wire: Wire;
  readonly memory = new CountingMemory();
  readonly input: InputBuffer;
  readonly connection: Connection;
  /** All that happened, in order: `hand HEX`, `open`, `command HEX`, `message HEX HEX`, ... */
  readonly log: string[] = [];
  readonly messages: Uint8Array[][] = [];
  readonly ignored: string[] = [];
  /** The fault that ended it, if one did. */
  fault: Fault | undefined;
  /** How many messages to take before a pause. */
  appetite = Infinity;

  constructor(wire: Wire = REAL, options: TalkOptions = {}) {
    this.wire = wire;
    this.input = new wire.InputBuffer(this.memory);
    const type = options.type ?? "ROUTER";
    const ready = wire.encodeReady(type, options.identity ?? new Uint8Array());
    const mechanism = new wire.NullMechanism(
      options.held ? (_: Metadata) => ready : ready,
    );
    const limits = { ...wire.WIRE_LIMITS, ...options.limits };
    const reader = new wire.MessageReader(limits);
    this.connection = new wire.Connection({ type, reader }, mechanism, this);
    this.connection.start();
  }

  onHandshakeBytes(bytes: Uint8Array): void {
    this.log.push(`hand ${toHex(bytes)}`);
  }

  onCommandBytes(bytes: Uint8Array): void {
    this.log.push(`command ${toHex(bytes)}`);
  }

  onOpen(): void {
    this.log.push("open");
  }

  onMessage(message: MessageView): boolean {
    const frames = framesOf(message);
    this.messages.push(frames);
    this.log.push(["message", ...frames.map(toHex)].join(" "));
    return --this.appetite > 0;
  }

  onIgnored(what: string): void {
    this.ignored.push(what);
    this.log.push(`ignored ${what}`);
  }

  /** What was sent of that kind, as hex. */
  sent(kind: "hand" | "command"): string[] {
    return this.log.filter((line) => line.startsWith(kind + " "))
      .map((line) => line.slice(kind.length + 1));
  }

  /** Forgets what was recorded so far. */
  forget(): this {
    this.log.length = this.messages.length = this.ignored.length = 0;
    return this;
  }

  /** Lets octets arrive, in one segment (or as many reads as the buffer has room for). */
  feed(...parts: readonly Uint8Array[]): this {
    const bytes = join(...parts);
    for (let at = 0; at < bytes.length && this.fault === undefined;) {
      const room = this.input.room(this.connection.needed);
      const count = Math.min(room.length, bytes.length - at);
      room.set(bytes.subarray(at, at + count));
      this.input.filled(count, room.length);
      at += count;
      this.parse();
    }
    return this;
  }

  /** Parses what waits. A fault of the peer ends the talk; any other error is ours. */
  parse(): void {
    try {
      this.connection.feed(this.input);
    } catch (error) {
      if (!(error instanceof this.wire.ProtocolError)) throw error;
      this.fault = error.fault;
      this.leave();
    }
  }

  /** Lets octets arrive in pieces that end at these offsets. */
  feedAt(bytes: Uint8Array, cuts: readonly number[]): this {
    let from = 0;
    for (const cut of [...cuts, bytes.length]) {
      this.feed(bytes.subarray(from, cut));
      from = cut;
    }
    return this;
  }

  /** The connection is gone. */
  leave(): void {
    this.connection.close();
    this.input.release();
  }
}

/** A talk that is open: a DEALER has shaken hands with our ROUTER; the record is empty. */
export function openTalk(wire: Wire = REAL, options: TalkOptions = {}): Talk {
  return new Talk(wire, options).feed(DEALER_GREETING, DEALER_READY).forget();
}

/** Ways to cut octets into segments: whole, in two at every point, octet by octet. */
export function cutsOf(length: number): number[][] {
  const ways: number[][] = [[]];
  for (let cut = 1; cut < length; cut++) ways.push([cut]);
  ways.push(Array.from({ length: Math.max(0, length - 1) }, (_, i) => i + 1));
  return ways;
}

/** Feeds the same octets in every way to a fresh talk each time, and shows each to `look`. */
export function everySplit(
  fresh: () => Talk,
  bytes: Uint8Array,
  look: (talk: Talk) => void,
): void {
  for (const cuts of cutsOf(bytes.length)) {
    look(fresh().feedAt(bytes, cuts));
  }
}
