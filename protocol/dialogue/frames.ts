/**
 * A few frames as they go over the wire, for what is said seldom or always the same.
 *
 * @module
 */
import { frameBytes, MORE, writeFrameHeader } from "../zmtp/frame.ts";

/** A message's frames as octets. With `more` the last one says that others follow. */
export function encodeFrames(frames: readonly Uint8Array[], more = false): Uint8Array {
  let size = 0;
  for (const frame of frames) size += frameBytes(frame.length);
  const out = new Uint8Array(size);
  let at = 0;
  frames.forEach((frame, i) => {
    const flags = more || i < frames.length - 1 ? MORE : 0;
    at = writeFrameHeader(out, at, flags, frame.length);
    out.set(frame, at);
    at += frame.length;
  });
  return out;
}
