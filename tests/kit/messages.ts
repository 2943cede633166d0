/**
 * Whole messages for tests of pure code: frames to the views that the faces of the broker read, and
 * octets that were written back to frames. A view is spoiled after use, so that whoever keeps one
 * instead of a copy is found out.
 *
 * @module
 */
import { frameBytes, frameEnd, LONG, MORE, writeFrameHeader } from "../../protocol/zmtp/frame.ts";
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";

/** Frames that a view can hold; offsets beyond a message's own are left from earlier ones. */
const MOST_FRAMES = 64;
/** Octets in front of each message, as if others had come before it. */
const MARGIN = 7;
const SPOILED = 0xee;

/** Reads frames as a peer's reader would give them. */
export class ViewMaker {
  readonly #view = {
    bytes: new Uint8Array(0),
    count: 0,
    heads: new Int32Array(MOST_FRAMES),
    starts: new Int32Array(MOST_FRAMES),
    ends: new Int32Array(MOST_FRAMES),
  };

  /** Calls `use` with a view of those frames; the view is of no use afterwards. */
  with(frames: readonly Uint8Array[], use: (view: MessageView) => void): void {
    const view = this.#view;
    let size = MARGIN;
    for (const frame of frames) size += frameBytes(frame.length);
    const bytes = view.bytes = new Uint8Array(size);
    view.count = frames.length;
    let at = MARGIN;
    frames.forEach((frame, i) => {
      view.heads[i] = at;
      at = writeFrameHeader(bytes, at, i < frames.length - 1 ? MORE : 0, frame.length);
      view.starts[i] = at;
      bytes.set(frame, at);
      at += frame.length;
      view.ends[i] = at;
    });
    use(view);
    bytes.fill(SPOILED);
  }
}

/** The messages that lie one after the other in octets; throws if the last one isn't whole. */
export function splitMessages(bytes: Uint8Array): Uint8Array[][] {
  const messages: Uint8Array[][] = [];
  let message: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const flags = bytes[at]!;
    const end = frameEnd(bytes, at);
    if (end > bytes.length || (flags & ~(MORE | LONG)) !== 0) throw new Error("not a frame");
    message.push(bytes.slice(at + ((flags & LONG) === 0 ? 2 : 9), end));
    if ((flags & MORE) === 0) {
      messages.push(message);
      message = [];
    }
    at = end;
  }
  if (message.length > 0) throw new Error("a message has no end");
  return messages;
}
