/**
 * Frames to whole messages, with no copy: finds where frames and messages end in a peer's input
 * and says so by offsets. One reader serves all peers of an engine, since a message that isn't
 * complete is scanned again from its start when more has come. No I/O and no state of a peer.
 *
 * @module
 */
import { ProtocolError } from "../errors.ts";
import { COMMAND, LONG, LONG_HEADER, MORE, RESERVED, SHORT_HEADER } from "./frame.ts";
import type { InputBuffer } from "./input_buffer.ts";
import type { WireLimits } from "./limits.ts";
import { NO_BYTES } from "./memory.ts";

/** What `next()` found. */
export const NEED_MORE = 0;
/** A whole message: `bytes`, `count`, `heads`, `starts` and `ends` describe it. */
export const MESSAGE = 1;
/** A command: its body lies from `commandStart` to `commandEnd`. */
export const FOUND_COMMAND = 2;

/**
 * A whole message as views into the peer's input. Everything here is valid until the callback that
 * was given it returns; copy what is to be kept.
 *
 * @example
 * ```ts
 * import type { MessageView } from "./message_reader.ts";
 *
 * const sizes = (message: MessageView) =>
 *   Array.from({ length: message.count }, (_, i) => message.ends[i]! - message.starts[i]!);
 * ```
 */
export interface MessageView {
  /** The buffer that the offsets refer to. */
  readonly bytes: Uint8Array;
  /** How many frames the message has. */
  readonly count: number;
  /** Where each frame's header starts: from heads[i] to ends[count - 1] lies the wire, verbatim. */
  readonly heads: Int32Array;
  /** Where each frame's body starts. */
  readonly starts: Int32Array;
  /** Where each frame's body ends. */
  readonly ends: Int32Array;
}

/** Scans one input at a time. */
export class MessageReader implements MessageView {
  bytes: Uint8Array = NO_BYTES;
  count = 0;
  readonly heads: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The command found last. */
  commandStart = 0;
  commandEnd = 0;
  /** After NEED_MORE: how long the unfinished message is from `head` on, as far as it is known. */
  needed = 0;

  #input!: InputBuffer;
  /** Where the next frame header is expected. */
  #at = 0;
  /** Octets of commands cut out of the unfinished message: later frames move back by as much. */
  #gap = 0;
  /** Octets of bodies in the unfinished message. */
  #total = 0;
  #size = 0;
  readonly #limits: WireLimits;
  readonly #frameLimit: number;

  constructor(limits: WireLimits) {
    this.#limits = limits;
    this.#frameLimit = limits.frameBytes < 0
      ? limits.messageBytes
      : Math.min(limits.frameBytes, limits.messageBytes);
    this.heads = new Int32Array(limits.messageFrames);
    this.starts = new Int32Array(limits.messageFrames);
    this.ends = new Int32Array(limits.messageFrames);
  }

  /** Starts at the head of that input. */
  begin(input: InputBuffer): void {
    this.#input = input;
    this.bytes = input.bytes;
    this.#at = input.head;
    this.#gap = 0;
    this.#total = 0;
    this.count = 0;
  }

  /**
   * Looks for the next message or command. Moves the input's head past what it found. Throws the
   * peer's fault; the input is of no use then.
   */
  next(): number {
    const input = this.#input;
    const bytes = this.bytes;
    const tail = input.tail;
    let at = this.#at;
    if (at === input.head) {
      this.count = 0;
      this.#total = 0;
    }
    while (at < tail) {
      const flags = bytes[at]!;
      let start = at + SHORT_HEADER;
      let size: number;
      if ((flags & ~MORE) === 0) {
        if (start > tail) break;
        size = bytes[at + 1]!;
        if (size > this.#frameLimit) throw tooLarge();
      } else {
        start = this.#odd(flags, at, tail);
        if (start === 0) break;
        size = this.#size;
      }
      const end = start + size;
      if ((flags & COMMAND) !== 0) {
        if (end > tail) return this.#more(at, end - input.head);
        return this.#command(at, start, end);
      }
      const index = this.count;
      if (index === this.#limits.messageFrames) throw tooMany();
      if ((this.#total += size) > this.#limits.messageBytes) throw tooLarge();
      if (end > tail) return this.#more(at, end - input.head);
      this.#keep(index, at, start, end);
      this.count = index + 1;
      at = end;
      if ((flags & MORE) === 0) {
        input.head = this.#at = at;
        this.#gap = 0;
        return MESSAGE;
      }
    }
    return this.#more(at, at + LONG_HEADER - input.head);
  }

  #keep(index: number, at: number, start: number, end: number): void {
    const gap = this.#gap;
    // Each octet moves at most once, however many commands stand between the frames.
    if (gap > 0) this.bytes.copyWithin(at - gap, at, end);
    this.heads[index] = at - gap;
    this.starts[index] = start - gap;
    this.ends[index] = end - gap;
  }

  /** A frame that isn't a short part of a message: where its body starts, 0 if more is needed. */
  #odd(flags: number, at: number, tail: number): number {
    const bytes = this.bytes;
    // RFC 37: bits 7 to 3 are reserved, and a command frame never has MORE.
    if ((flags & RESERVED) !== 0) {
      throw new ProtocolError("flags", "reserved flag bits are set");
    }
    if ((flags & COMMAND) !== 0 && (flags & MORE) !== 0) {
      throw new ProtocolError(
        "flags",
        "a command says that more frames follow",
      );
    }
    let start = at + SHORT_HEADER;
    let size = 0;
    if ((flags & LONG) === 0) {
      if (start > tail) return 0;
      size = bytes[at + 1]!;
    } else {
      start = at + LONG_HEADER;
      // The upper half alone can tell that a size is beyond every limit.
      for (let i = at + 1; i < at + 5 && i < tail; i++) {
        if (bytes[i] !== 0) throw tooLarge();
      }
      if (start > tail) return 0;
      size = bytes[at + 5]! * 2 ** 24 + (bytes[at + 6]! << 16) +
        (bytes[at + 7]! << 8) +
        bytes[at + 8]!;
    }
    if ((flags & COMMAND) !== 0) {
      if (size === 0) throw new ProtocolError("command", "a command is empty");
      if (size > this.#limits.commandBytes) {
        throw new ProtocolError("size", "a command is longer than the limit");
      }
    } else if (size > this.#frameLimit) {
      throw tooLarge();
    }
    this.#size = size;
    return start;
  }

  #command(at: number, start: number, end: number): number {
    this.commandStart = start;
    this.commandEnd = end;
    if (this.count === 0) this.#input.head = end;
    else this.#gap += end - at;
    this.#at = end;
    return FOUND_COMMAND;
  }

  /** Closes the gap that commands left, so that the message can be scanned again from its head. */
  #more(at: number, needed: number): number {
    const gap = this.#gap;
    if (gap > 0) {
      this.bytes.copyWithin(at - gap, at, this.#input.tail);
      this.#input.tail -= gap;
      this.#gap = 0;
    }
    this.needed = needed - gap;
    return NEED_MORE;
  }
}

function tooLarge(): ProtocolError {
  return new ProtocolError("size", "a message is larger than the limit");
}

function tooMany(): ProtocolError {
  return new ProtocolError(
    "frames",
    "a message has more frames than the limit",
  );
}
