/**
 * The greeting: the first 64 octets in each direction (RFC 37, "Version negotiation").
 * No I/O: octets in, "need more" or the peer's minor version out.
 *
 * @module
 */
import { ProtocolError } from "../errors.ts";

/** Octets in a greeting. */
export const GREETING_BYTES = 64;

const MECHANISM_AT = 12;
const MECHANISM_BYTES = 20;
const AS_SERVER_AT = 32;

/** Builds our greeting: version 3.1, padding zero, the mechanism's name zero-filled. */
export function encodeGreeting(
  mechanism: string,
  asServer = false,
): Uint8Array {
  const bytes = new Uint8Array(GREETING_BYTES);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes[11] = 1;
  for (let i = 0; i < mechanism.length; i++) {
    bytes[MECHANISM_AT + i] = mechanism.charCodeAt(i);
  }
  bytes[AS_SERVER_AT] = asServer ? 1 : 0;
  return bytes;
}

/** What a complete greeting says of the peer. */
export interface PeerGreeting {
  /** Its major version, 3 or later. */
  readonly major: number;
  /** Its minor version: 0 means that it knows no heartbeats. */
  readonly minor: number;
}

/**
 * Checks what has arrived of a greeting, as early as each octet allows. Gives undefined while more
 * is needed; throws the peer's fault. The peer's padding (libzmq writes a length there) and its
 * as-server octet are never interpreted.
 */
export function readGreeting(
  bytes: Uint8Array,
  start: number,
  end: number,
  mechanism: string,
): PeerGreeting | undefined {
  const length = end - start;
  if (length > 0 && bytes[start] !== 0xff) {
    throw new ProtocolError(
      "greeting",
      "the greeting doesn't start with FF: not a ZMTP 3 peer",
    );
  }
  if (length > 9 && (bytes[start + 9]! & 1) === 0) {
    throw new ProtocolError(
      "greeting",
      "the greeting's signature doesn't end in 7F",
    );
  }
  // RFC 37 allows falling back to ZMTP 1 or 2; we never do.
  if (length > 10 && bytes[start + 10]! < 3) {
    throw new ProtocolError(
      "version",
      `the peer speaks ZMTP ${bytes[start + 10]}, not 3`,
    );
  }
  const seen = Math.min(length - MECHANISM_AT, MECHANISM_BYTES);
  for (let i = 0; i < seen; i++) {
    const ours = i < mechanism.length ? mechanism.charCodeAt(i) : 0;
    if (bytes[start + MECHANISM_AT + i] !== ours) {
      throw new ProtocolError(
        "mechanism",
        `the peer's mechanism isn't ${mechanism}`,
      );
    }
  }
  if (length < GREETING_BYTES) return undefined;
  return { major: bytes[start + 10]!, minor: bytes[start + 11]! };
}
