/**
 * What can be sent, and how it becomes frames.
 *
 * @module
 */
import { ArgumentError, SocketError } from "../errors.ts";
import { LONG_HEADER } from "../zmtp/frame.ts";
import { SEND_BYTES } from "../zmtp/limits.ts";
import { NO_BYTES } from "../zmtp/memory.ts";
import type { Frame } from "./frame.ts";

const encoder = new TextEncoder();

/**
 * One frame to send: octets, text, a number (as text), or null for an empty frame.
 *
 * @example
 * ```ts
 * import type { MessageLike } from "../mod.ts";
 *
 * const frames: MessageLike[] = ["text", 42, null, new Uint8Array([1, 2])];
 * ```
 */
export type MessageLike =
  | ArrayBufferView
  | ArrayBuffer
  | SharedArrayBuffer
  | string
  | number
  | null;

/**
 * A message to send: one frame or several.
 *
 * @example
 * ```ts
 * import { Dealer, type Outgoing } from "../mod.ts";
 *
 * await using one = new Dealer();
 * await one.bind("tcp://127.0.0.1:*");
 * await using other = new Dealer();
 * other.connect(one.lastEndpoint!);
 *
 * const message: Outgoing = ["part", 1, null];
 * await other.send(message);
 * const frames = await one.receive();
 * if (frames.join("|") !== "part|1|") throw new Error("wrong frames");
 * ```
 */
export type Outgoing = MessageLike | readonly MessageLike[];

/**
 * One received frame, by the name that zeromq.js has for it.
 *
 * @example
 * ```ts
 * import { Frame, type Message } from "../mod.ts";
 *
 * const shout = (message: Message) => message.toString().toUpperCase();
 * if (shout(Frame.of(104, 105) as Frame) !== "HI") throw new Error("not loud");
 * ```
 */
export type Message = Frame;

/** The frames of a message. */
export function toFrames(message: Outgoing): Uint8Array[] {
  if (!Array.isArray(message)) {
    const frame = toFrame(message as MessageLike);
    checkSize(LONG_HEADER + frame.length);
    return [frame];
  }
  if (message.length === 0) {
    throw new ArgumentError(
      "EINVAL",
      "Cannot send: a message needs at least one frame",
    );
  }
  const frames: Uint8Array[] = [];
  let size = 0;
  for (const part of message) {
    const frame = toFrame(part);
    size += LONG_HEADER + frame.length;
    frames.push(frame);
  }
  checkSize(size);
  return frames;
}

/** Refuses what no buffer could take before any of it is queued: half a message is never sent. */
function checkSize(size: number): void {
  if (size <= SEND_BYTES) return;
  throw new SocketError(
    "EMSGSIZE",
    `Cannot send: the message is larger than ${SEND_BYTES} octets with its frame headers`,
  );
}

function toFrame(part: MessageLike): Uint8Array {
  if (part instanceof Uint8Array) return part;
  if (typeof part === "string") return encoder.encode(part);
  if (part === null) return NO_BYTES;
  if (typeof part === "number") return encoder.encode(String(part));
  if (ArrayBuffer.isView(part)) {
    return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  }
  if (part instanceof ArrayBuffer || part instanceof SharedArrayBuffer) {
    return new Uint8Array(part);
  }
  throw new ArgumentError(
    "EINVAL",
    `Cannot send: a frame is octets, text, a number or null, not ${typeof part}`,
  );
}
