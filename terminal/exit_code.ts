/**
 * What a console's exit code means; the same for broker, worker and client.
 *
 * @module
 */

/** Exit codes by name. */
export const EXIT = {
  /** It did what it was asked to, and ended when it was told to. */
  ok: 0,
  /** It could not do it: a port in use, a peer that is gone. */
  failed: 1,
  /** It was called wrongly. */
  usage: 2,
  /** A client reached no broker. */
  unreachable: 3,
  /** A client's calls were not answered in time. */
  timeout: 4,
  /** Ctrl-C ended it before it was done: 128 and the number of SIGINT. */
  interrupted: 130,
  /** SIGTERM did. */
  terminated: 143,
} as const;

/** One of them. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
