/**
 * What happened so far, as numbers. Counting is one addition on a field of a plain object.
 *
 * @module
 */

/** Why something that a peer said or asked for came to nothing. */
export type DropReason =
  | "client gone"
  | "nobody waits"
  | "stale result"
  | "forged result"
  | "no envelope"
  | "long envelope"
  | "no body"
  | "unknown worker"
  | "too many workers"
  | "not understood"
  | "shutdown"
  | "unknown request"
  | "bad credit"
  | "dead letters full";

/** Counters of one broker. */
export class Counters {
  /** Jobs taken from clients. */
  accepted = 0;
  /** Times that a job was handed to a worker. */
  dispatched = 0;
  /** Jobs that ended with a result. */
  completed = 0;
  /** Jobs that ended without one. */
  failed = 0;
  /** Dead letters that an operator tried again. */
  retried = 0;
  /** Times that a job went back to the head of the backlog. */
  requeued = 0;
  /** Jobs that were too old to start. */
  expired = 0;
  /** Jobs that were not taken, with ERROR to their client. */
  rejected = 0;
  /** Jobs that their client cancelled. */
  cancelled = 0;
  /** Chunks of streams passed on. */
  chunks = 0;
  /** Workers that came, and that were lost by silence or with their connection. */
  workersJoined = 0;
  workersExpired = 0;
  workersLost = 0;
  /** What came to nothing, by reason. */
  readonly dropped: Map<DropReason, number> = new Map();
  /** Requests refused or jobs failed, by code. */
  readonly errors: Map<string, number> = new Map();

  /** Counts one more of that reason. */
  drop(reason: DropReason): void {
    this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + 1);
  }

  /** Counts one more of that code. */
  error(code: string): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }
}
