/**
 * Frames: flags, size, body (RFC 37, "Framing"). Pure functions over octets.
 *
 * @module
 */

/** More frames of this message follow. */
export const MORE = 1;
/** The size is 8 octets instead of 1. */
export const LONG = 2;
/** The frame is a command, not a part of a message. */
export const COMMAND = 4;
/** Bits that must be zero. */
export const RESERVED = 0xf8;

/** The largest body that goes with a size of one octet. */
export const SHORT_BYTES = 255;
/** Octets in front of a short body. */
export const SHORT_HEADER = 2;
/** Octets in front of a long body. */
export const LONG_HEADER = 9;

/** Octets that a frame with such a body takes on the wire. */
export function frameBytes(body: number): number {
  return body + (body > SHORT_BYTES ? LONG_HEADER : SHORT_HEADER);
}

/** Writes a frame's flags and size at `at`, SHORT wherever it can be; gives where the body goes. */
export function writeFrameHeader(
  bytes: Uint8Array,
  at: number,
  flags: number,
  body: number,
): number {
  if (body <= SHORT_BYTES) {
    bytes[at] = flags;
    bytes[at + 1] = body;
    return at + SHORT_HEADER;
  }
  bytes[at] = flags | LONG;
  // Bodies stay below 2^31 (limits.ts), so the upper four octets are zero.
  bytes[at + 1] =
    bytes[at + 2] =
    bytes[at + 3] =
    bytes[at + 4] =
      0;
  bytes[at + 5] = body >>> 24;
  bytes[at + 6] = (body >>> 16) & 255;
  bytes[at + 7] = (body >>> 8) & 255;
  bytes[at + 8] = body & 255;
  return at + LONG_HEADER;
}

/** Where the whole frame that starts at `at` ends; for frames that were checked before. */
export function frameEnd(bytes: Uint8Array, at: number): number {
  if ((bytes[at]! & LONG) === 0) return at + SHORT_HEADER + bytes[at + 1]!;
  return at + LONG_HEADER + bytes[at + 5]! * 2 ** 24 + (bytes[at + 6]! << 16) +
    (bytes[at + 7]! << 8) + bytes[at + 8]!;
}
