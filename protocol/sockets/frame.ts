/**
 * Frames as an application gets them: octets of its own, with text at hand.
 *
 * @module
 */
import type { MessageView } from "../zmtp/message_reader.ts";
import { copy } from "../zmtp/output_batch.ts";

const decoder = new TextDecoder();
/** Small messages share a buffer of this size (a view costs 12 ns, a buffer of its own up to 1000). */
const SLAB_BYTES = 8 * 1024;
/** Larger messages get a buffer of their own, so that keeping a frame keeps little else. */
const OWN_BYTES = 2 * 1024;

/**
 * One received frame: a `Uint8Array` whose octets belong to the caller. Like Node's Buffers, small
 * ones may share an `ArrayBuffer`; use `slice()` before transferring one to another thread.
 *
 * @example
 * ```ts
 * import { Frame } from "./frame.ts";
 *
 * const frame = Frame.of(104, 105) as Frame;
 * if (frame.text() !== "hi" || `${frame}` !== "hi") throw new Error("not text");
 * ```
 */
export class Frame extends Uint8Array<ArrayBuffer> {
  /** The octets as UTF-8 text, as zeromq.js's Buffers give it. */
  override toString(): string {
    return decoder.decode(this);
  }

  /** The octets as UTF-8 text. */
  text(): string {
    return decoder.decode(this);
  }

  /** The octets parsed as JSON. */
  json(): unknown {
    return JSON.parse(decoder.decode(this));
  }

  /** Slices and maps of a frame are plain `Uint8Array`s. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }
}

/** Copies messages out of the transport's buffers. */
export class FrameMaker {
  #bytes = new Uint8Array(SLAB_BYTES);
  #at = 0;
  /** Octets of the frames made last. */
  size = 0;

  /** The message's frames from `first` on, behind a copy of `address` if one is given. */
  make(message: MessageView, first: number, address?: Uint8Array): Frame[] {
    const { starts, ends, count, bytes } = message;
    let size = address === undefined ? 0 : address.length;
    for (let i = first; i < count; i++) size += ends[i]! - starts[i]!;
    this.size = size;
    let target = this.#bytes;
    let at = this.#at;
    if (size > OWN_BYTES) {
      target = new Uint8Array(size);
      at = 0;
    } else {
      if (at + size > SLAB_BYTES) {
        target = this.#bytes = new Uint8Array(SLAB_BYTES);
        at = 0;
      }
      this.#at = at + size;
    }
    const frames: Frame[] = [];
    const buffer = target.buffer;
    if (address !== undefined) {
      frames.push(new Frame(buffer, at, address.length));
      copy(address, 0, address.length, target, at);
      at += address.length;
    }
    for (let i = first; i < count; i++) {
      const start = starts[i]!;
      const end = ends[i]!;
      copy(bytes, start, end, target, at);
      frames.push(new Frame(buffer, at, end - start));
      at += end - start;
    }
    return frames;
  }
}
