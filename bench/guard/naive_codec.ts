/**
 * Messages to octets as one would write it down first: an array for each frame, joined, and joined
 * again. Only to be compared with.
 *
 * @module
 */

/** A frame as octets. */
function encodeFrame(frame: Uint8Array, isLast: boolean): Uint8Array {
  const more = isLast ? 0 : 1;
  if (frame.length < 256) return new Uint8Array([more, frame.length, ...frame]);
  const bytes = new Uint8Array(9 + frame.length);
  bytes[0] = more | 2;
  new DataView(bytes.buffer).setBigUint64(1, BigInt(frame.length));
  bytes.set(frame, 9);
  return bytes;
}

/** Messages as one run of octets. */
export function encodeNaively(messages: readonly (readonly Uint8Array[])[]): Uint8Array {
  const parts = messages.flatMap((frames) =>
    frames.map((frame, i) => encodeFrame(frame, i === frames.length - 1))
  );
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
