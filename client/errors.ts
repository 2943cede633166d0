/**
 * How a call can fail: one class for each code of the protocol, so that a program can tell them apart
 * by `instanceof` or by `code`.
 *
 * @module
 */

/**
 * What every failed call rejects with.
 *
 * @example
 * ```ts
 * import { BusyError, CallError } from "./errors.ts";
 *
 * const error: CallError = new BusyError("The broker has no room");
 * if (error.code !== "BUSY") throw error;
 * ```
 */
export class CallError extends Error {
  /** The code, in a form that programs can compare. */
  readonly code: string;

  /** Makes an error with its code and a sentence for people. */
  constructor(code: string, message: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/**
 * No reply came in time. The job may still be running.
 *
 * @example
 * ```ts
 * import { TimeoutError } from "./errors.ts";
 *
 * const error = new TimeoutError("The reply took longer than the timeout");
 * if (error.code !== "TIMEOUT") throw error;
 * ```
 */
export class TimeoutError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("TIMEOUT", message);
  }
}

/**
 * The connection was lost where the call could not be made again, or the client was closed.
 *
 * @example
 * ```ts
 * import { ConnectionLostError } from "./errors.ts";
 *
 * const error = new ConnectionLostError("The connection was lost in the middle of a stream");
 * if (error.code !== "CONNECTION_LOST") throw error;
 * ```
 */
export class ConnectionLostError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("CONNECTION_LOST", message);
  }
}

/**
 * The broker has no room for more jobs. Try again later.
 *
 * @example
 * ```ts
 * import { BusyError } from "./errors.ts";
 *
 * const error = new BusyError("The broker has no room");
 * if (error.code !== "BUSY") throw error;
 * ```
 */
export class BusyError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("BUSY", message);
  }
}

/**
 * The job did not start within its time-to-live.
 *
 * @example
 * ```ts
 * import { ExpiredError } from "./errors.ts";
 *
 * const error = new ExpiredError("The job did not start in time");
 * if (error.code !== "EXPIRED") throw error;
 * ```
 */
export class ExpiredError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("EXPIRED", message);
  }
}

/**
 * The call was cancelled.
 *
 * @example
 * ```ts
 * import { CancelledError } from "./errors.ts";
 *
 * const error = new CancelledError("The client cancelled the job");
 * if (error.code !== "CANCELLED") throw error;
 * ```
 */
export class CancelledError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("CANCELLED", message);
  }
}

/**
 * The request was answered before, and its answer is not kept any more.
 *
 * @example
 * ```ts
 * import { DuplicateError } from "./errors.ts";
 *
 * const error = new DuplicateError("The answer is not kept any more");
 * if (error.code !== "DUPLICATE") throw error;
 * ```
 */
export class DuplicateError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("DUPLICATE", message);
  }
}

/**
 * The worker freed its slot without a result.
 *
 * @example
 * ```ts
 * import { NoResultError } from "./errors.ts";
 *
 * const error = new NoResultError("The worker gave no result");
 * if (error.code !== "NO_RESULT") throw error;
 * ```
 */
export class NoResultError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("NO_RESULT", message);
  }
}

/**
 * No handler of the worker takes this command.
 *
 * @example
 * ```ts
 * import { NoCommandError } from "./errors.ts";
 *
 * const error = new NoCommandError("No handler takes it");
 * if (error.code !== "NO_COMMAND") throw error;
 * ```
 */
export class NoCommandError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("NO_COMMAND", message);
  }
}

/**
 * A READY worker cannot be given a body that is a word of its dialogue.
 *
 * @example
 * ```ts
 * import { ReservedError } from "./errors.ts";
 *
 * const error = new ReservedError("The body is a reserved word");
 * if (error.code !== "RESERVED") throw error;
 * ```
 */
export class ReservedError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("RESERVED", message);
  }
}

/**
 * The handler threw, or the worker gave an answer that was not legal. Its code is the handler's own
 * where that chose one.
 *
 * @example
 * ```ts
 * import { WorkerFailedError } from "./errors.ts";
 *
 * const error = new WorkerFailedError("There is no such door", "NOT_FOUND");
 * if (error.code !== "NOT_FOUND") throw error;
 * ```
 */
export class WorkerFailedError extends CallError {
  /** Makes one with a sentence for people, and a code of the handler's own. */
  constructor(message: string, code = "WORKER_FAILED") {
    super(code, message);
  }
}

/**
 * Workers were lost while they ran the job.
 *
 * @example
 * ```ts
 * import { WorkerLostError } from "./errors.ts";
 *
 * const error = new WorkerLostError("Three workers were lost");
 * if (error.code !== "WORKER_LOST") throw error;
 * ```
 */
export class WorkerLostError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("WORKER_LOST", message);
  }
}

/**
 * The broker shuts down.
 *
 * @example
 * ```ts
 * import { ShutdownError } from "./errors.ts";
 *
 * const error = new ShutdownError("The broker shuts down");
 * if (error.code !== "SHUTDOWN") throw error;
 * ```
 */
export class ShutdownError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("SHUTDOWN", message);
  }
}

/**
 * The broker could not read the request.
 *
 * @example
 * ```ts
 * import { BadRequestError } from "./errors.ts";
 *
 * const error = new BadRequestError("The request is not legal");
 * if (error.code !== "BAD_REQUEST") throw error;
 * ```
 */
export class BadRequestError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("BAD_REQUEST", message);
  }
}

/**
 * The broker speaks another version of the native dialogue.
 *
 * @example
 * ```ts
 * import { VersionError } from "./errors.ts";
 *
 * const error = new VersionError("The broker speaks another version");
 * if (error.code !== "VERSION") throw error;
 * ```
 */
export class VersionError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("VERSION", message);
  }
}

const CLASSES: Readonly<Record<string, new (message: string) => CallError>> = {
  TIMEOUT: TimeoutError,
  CONNECTION_LOST: ConnectionLostError,
  BUSY: BusyError,
  EXPIRED: ExpiredError,
  CANCELLED: CancelledError,
  DUPLICATE: DuplicateError,
  NO_RESULT: NoResultError,
  NO_COMMAND: NoCommandError,
  RESERVED: ReservedError,
  WORKER_LOST: WorkerLostError,
  SHUTDOWN: ShutdownError,
  BAD_REQUEST: BadRequestError,
  VERSION: VersionError,
};

/**
 * The error of a code that came over the wire; a code of a handler's own is a failed worker.
 *
 * @example
 * ```ts
 * import { errorOf, ExpiredError } from "./errors.ts";
 *
 * if (!(errorOf("EXPIRED", "too old") instanceof ExpiredError)) throw new Error("wrong class");
 * ```
 */
export function errorOf(code: string, message: string): CallError {
  const known = Object.hasOwn(CLASSES, code) ? CLASSES[code] : undefined;
  return known === undefined ? new WorkerFailedError(message, code) : new known(message);
}
