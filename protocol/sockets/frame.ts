/**
 * Frames as an application gets them: octets of its own, with text at hand.
 *
 * @module
 */
import { ArgumentError } from "../errors.ts";
import type { MessageView } from "../zmtp/message_reader.ts";
import { copy } from "../zmtp/output_batch.ts";

/** A byte order mark is kept, as Buffers keep it. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Small messages share a buffer of this size (a view costs 12 ns, a buffer of its own up to 1000). */
const SLAB_BYTES = 8 * 1024;
/** Larger messages get a buffer of their own, so that keeping a frame keeps little else. */
const OWN_BYTES = 2 * 1024;

/**
 * How a frame's octets can be written as text; names as Node's Buffers have them.
 *
 * @example
 * ```ts
 * import { Frame, type FrameEncoding } from "../mod.ts";
 *
 * const encoding: FrameEncoding = "hex";
 * if ((Frame.of(0, 255) as Frame).toString(encoding) !== "00ff") throw new Error("not hex");
 * ```
 */
export type FrameEncoding = "utf8" | "utf-8" | "hex" | "base64" | "base64url" | "latin1" | "binary";

/**
 * One received frame: a `Uint8Array` whose octets belong to the caller. Like Node's Buffers, small
 * ones may share an `ArrayBuffer`; use `slice()` before transferring one to another thread. Slices
 * are frames too. Of a Buffer's other methods none is here: `Buffer.from(frame)` of `node:buffer`
 * makes one.
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
  /** The octets as text, UTF-8 unless told otherwise, as zeromq.js's Buffers give it. */
  override toString(encoding: FrameEncoding = "utf8"): string {
    switch (encoding) {
      case "utf8":
      case "utf-8":
        return decoder.decode(this);
      case "hex":
        return this.toHex();
      case "base64":
        return this.toBase64();
      case "base64url":
        return this.toBase64({ alphabet: "base64url", omitPadding: true });
      case "latin1":
      case "binary":
        return Array.from(this, (octet) => String.fromCharCode(octet)).join("");
      default:
        throw new ArgumentError(
          "EINVAL",
          `Cannot make text of a frame: ${String(encoding)} is no encoding that it knows`,
        );
    }
  }

  /** The octets as UTF-8 text. */
  text(): string {
    return decoder.decode(this);
  }

  /** The octets parsed as JSON. */
  json(): unknown {
    return JSON.parse(decoder.decode(this));
  }

  /** A copy of these octets. */
  override slice(start?: number, end?: number): Frame {
    return super.slice(start, end) as Frame;
  }

  /** A view of these octets. */
  override subarray(start?: number, end?: number): Frame {
    return super.subarray(start, end) as Frame;
  }
}

/**
 * A received message: its frames, at least one.
 *
 * @example
 * ```ts
 * import { Frame, type Received } from "../mod.ts";
 *
 * const message: Received = [Frame.of(104, 105) as Frame];
 * const [first] = message;
 * if (first.text() !== "hi") throw new Error("not text");
 * ```
 */
export type Received = [Frame, ...Frame[]];

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
    const { buffer } = target;
    if (count - first !== 1) return cut(message, first, address, target, at);
    // Most messages have one frame: a literal of the right length instead of an array that grows.
    const start = starts[first]!;
    const end = ends[first]!;
    if (address === undefined) {
      copy(bytes, start, end, target, at);
      return [new Frame(buffer, at, end - start)];
    }
    copy(address, 0, address.length, target, at);
    const body = at + address.length;
    copy(bytes, start, end, target, body);
    return [new Frame(buffer, at, address.length), new Frame(buffer, body, end - start)];
  }
}

/** Copies the address and all frames to where they go. */
function cut(
  message: MessageView,
  first: number,
  address: Uint8Array | undefined,
  target: Uint8Array<ArrayBuffer>,
  at: number,
): Frame[] {
  const { starts, ends, count, bytes } = message;
  const { buffer } = target;
  const frames: Frame[] = [];
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
