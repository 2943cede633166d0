/**
 * Every limit that the wire keeps, each with its reason. A size that a peer declares is checked
 * against these before anything is allocated.
 *
 * @module
 */

/** Limits of one connection's input. Exactly the limit is legal, one more is not. */
export interface WireLimits {
  /** Octets in one frame, -1 for none of its own (ZMQ_MAXMSGSIZE, which is per frame too). */
  readonly frameBytes: number;
  /** Octets in all frames of one message: what a peer may make us hold before it is delivered. */
  readonly messageBytes: number;
  /** Frames in one message: an endless chain of MORE frames ends here. */
  readonly messageFrames: number;
  /** Octets of one command, and so of handshake metadata: a READY needs about 40. */
  readonly commandBytes: number;
}

/** Octets in an identity: its length is one octet on the wire. */
export const IDENTITY_BYTES = 255;

/** Octets of a heartbeat's context that are given back (RFC 37: at most 16). */
export const PING_CONTEXT_BYTES = 16;

/** The largest time-to-live we announce, in tenths of a second: libzmq overflows above it. */
export const PING_TTL_TENTHS = 655;

/** No buffer is longer than this whatever the options say: offsets are 32-bit integers. */
export const BUFFER_BYTES = 1 << 30;

/**
 * Octets in one message to send, its frame headers included: with what waits already it must fit
 * in one buffer, even while that doubles.
 */
export const SEND_BYTES = BUFFER_BYTES / 2;

/** The limits that hold unless told otherwise. */
export const WIRE_LIMITS: WireLimits = {
  frameBytes: -1,
  messageBytes: 64 * 1024 * 1024,
  messageFrames: 1024,
  commandBytes: 8 * 1024,
};

/**
 * What Rota's own clients and workers take from a broker: all that it takes from others, and the few
 * frames (delimiters, ids, an attempt's number) that it puts in front.
 */
export const PASSED_ON_LIMITS: WireLimits = {
  ...WIRE_LIMITS,
  messageBytes: WIRE_LIMITS.messageBytes + 1024,
  messageFrames: WIRE_LIMITS.messageFrames + 8,
};
