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
  /** A second SIGINT ended it at once: 128 and the signal's number. */
  interrupted: 130,
  /** A second SIGTERM ended it at once. */
  terminated: 143,
} as const;

/** One of them. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
