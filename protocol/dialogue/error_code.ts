/**
 * The codes of ERROR messages: what ended a job without a result. Stable; programs compare them,
 * people read the sentence beside them.
 *
 * @module
 */

/** Why a job has no result, as the broker says it. */
export const ERROR_SENTENCES = {
  VERSION: "The broker doesn't speak this version of the native dialogue",
  BAD_REQUEST: "The request isn't a legal native message",
  BUSY: "The broker has no room for more jobs; try again later",
  EXPIRED: "The job didn't start in time",
  CANCELLED: "The client cancelled the job",
  DUPLICATE: "This request was answered before, and its answer isn't kept any more",
  NO_RESULT: "The worker freed its slot without a result",
  NO_COMMAND: "No handler of the worker takes this command",
  RESERVED: "A READY worker can't be given a body that is a word of its dialogue; use REGISTER",
  WORKER_FAILED: "The worker failed",
  WORKER_LOST: "Workers were lost while they ran the job",
  SHUTDOWN: "The broker shuts down",
} as const;

/** A code of the broker's own. A worker's ERROR may carry another. */
export type ErrorCode = keyof typeof ERROR_SENTENCES;
