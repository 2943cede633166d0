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
  | "ECONNRESET"
  | "ETIMEDOUT"
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

/**
 * What a peer did wrong, as counters and events name it.
 *
 * @example
 * ```ts
 * import { FAULTS } from "./errors.ts";
 *
 * if (!FAULTS.includes("identity")) throw new Error("unknown fault");
 * ```
 */
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

/**
 * One kind of fault of a peer.
 *
 * @example
 * ```ts
 * import { type Fault, FAULTS } from "./errors.ts";
 *
 * const fault: Fault = "identity";
 * if (!FAULTS.includes(fault)) throw new Error("unknown fault");
 * ```
 */
export type Fault = (typeof FAULTS)[number];

/**
 * The names that zeromq.js has for protocol errors, as far as they occur here.
 *
 * @example
 * ```ts
 * import { ProtocolError, type ProtocolErrorCode } from "./errors.ts";
 *
 * const code: ProtocolErrorCode = new ProtocolError("mechanism", "it is PLAIN").code;
 * if (code !== "ERR_ZMTP_MECHANISM_MISMATCH") throw new Error(code);
 * ```
 */
export type ProtocolErrorCode =
  | "ERR_ZMTP_UNSPECIFIED"
  | "ERR_ZMTP_UNEXPECTED_COMMAND"
  | "ERR_ZMTP_MALFORMED_COMMAND_UNSPECIFIED"
  | "ERR_ZMTP_INVALID_METADATA"
  | "ERR_ZMTP_MECHANISM_MISMATCH";

/** Faults with a name more telling than "unspecified". */
const CODES: { readonly [F in Fault]?: ProtocolErrorCode } = {
  "mechanism": "ERR_ZMTP_MECHANISM_MISMATCH",
  "command": "ERR_ZMTP_MALFORMED_COMMAND_UNSPECIFIED",
  "metadata": "ERR_ZMTP_INVALID_METADATA",
  "socket-type": "ERR_ZMTP_INVALID_METADATA",
  "identity": "ERR_ZMTP_INVALID_METADATA",
  "too-early": "ERR_ZMTP_UNEXPECTED_COMMAND",
};

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
  /** The name that zeromq.js has for it. */
  readonly code: ProtocolErrorCode;

  /** Makes an error of that kind with a sentence for people. */
  constructor(fault: Fault, message: string) {
    super(message);
    this.name = "ProtocolError";
    this.fault = fault;
    this.code = CODES[fault] ?? "ERR_ZMTP_UNSPECIFIED";
  }
}

/**
 * A peer refused us by a status of its authentication: 300 for now, 400 for good, 500 for a fault
 * of its own (RFC 27).
 *
 * @example
 * ```ts
 * import { AuthError } from "./errors.ts";
 *
 * if (AuthError.of("400")?.status !== 400) throw new Error("not understood");
 * if (AuthError.of("go away") !== undefined) throw new Error("not a status");
 * ```
 */
export class AuthError extends Error {
  /** The status. */
  readonly status: 300 | 400 | 500;

  /** Makes an error of that status. */
  constructor(status: 300 | 400 | 500) {
    super(`the peer refused us with status ${status}`);
    this.name = "AuthError";
    this.status = status;
  }

  /** The error for the reason of a peer's ERROR, if that is a status. */
  static of(reason: string): AuthError | undefined {
    const status = ([300, 400, 500] as const).find((it) => String(it) === reason);
    return status === undefined ? undefined : new AuthError(status);
  }
}
