/**
 * Errors of the transport: a stable code, and whose fault it was.
 *
 * Nobody has to parse a message. This file knows no socket and no wire.
 *
 * @module
 */

/**
 * The codes that a socket's errors carry, named as ZeroMQ names them.
 *
 * @example
 * ```ts
 * import type { SocketErrorCode } from "./errors.ts";
 *
 * const worthAnotherTry = (code: SocketErrorCode) => code === "EAGAIN";
 * if (!worthAnotherTry("EAGAIN") || worthAnotherTry("EBADF")) throw new Error("wrong");
 * ```
 */
export type SocketErrorCode =
  | "EAGAIN"
  | "EHOSTUNREACH"
  | "EFSM"
  | "EINVAL"
  | "EADDRINUSE"
  | "EADDRNOTAVAIL"
  | "EACCES"
  | "ENOENT"
  | "EBADF"
  | "EMSGSIZE"
  | "EPROTONOSUPPORT"
  | "EIO";

/**
 * An error of a socket operation. Its `code` is stable, its message is for people.
 *
 * @example
 * ```ts
 * import { SocketError } from "./errors.ts";
 *
 * const error = new SocketError("EAGAIN", "Cannot send: no peer has room");
 * if (error.code !== "EAGAIN") throw error;
 * ```
 */
export class SocketError extends Error {
  /** What went wrong, in a form that programs can compare. */
  readonly code: SocketErrorCode;

  /** Makes an error with its code and a sentence for people. */
  constructor(code: SocketErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SocketError";
    this.code = code;
  }
}

/**
 * A bad argument: a TypeError that also carries a code, as ZeroMQ users expect.
 *
 * @example
 * ```ts
 * import { ArgumentError } from "./errors.ts";
 *
 * const error = new ArgumentError("EINVAL", "Cannot bind: no port");
 * if (!(error instanceof TypeError)) throw error;
 * ```
 */
export class ArgumentError extends TypeError {
  /** What went wrong, in a form that programs can compare. */
  readonly code: SocketErrorCode;

  /** Makes an error with its code and a sentence for people. */
  constructor(code: SocketErrorCode, message: string) {
    super(message);
    this.name = "TypeError";
    this.code = code;
  }
}

/** What a peer did wrong, as counters and events name it. */
export const FAULTS = [
  "greeting",
  "version",
  "mechanism",
  "flags",
  "size",
  "frames",
  "command",
  "metadata",
  "socket-type",
  "identity",
  "too-early",
  "heartbeat",
  "refused",
] as const;

/** One kind of fault of a peer. */
export type Fault = (typeof FAULTS)[number];

/**
 * A peer broke the protocol. It costs that peer its connection and nobody else anything.
 *
 * @example
 * ```ts
 * import { ProtocolError } from "./errors.ts";
 *
 * const error = new ProtocolError("flags", "reserved flag bits are set");
 * if (error.fault !== "flags") throw error;
 * ```
 */
export class ProtocolError extends Error {
  /** The kind of fault. */
  readonly fault: Fault;

  /** Makes an error of that kind with a sentence for people. */
  constructor(fault: Fault, message: string) {
    super(message);
    this.name = "ProtocolError";
    this.fault = fault;
  }
}
