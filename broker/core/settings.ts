/**
 * What the core is told: times in milliseconds, and every limit that it keeps with its reason.
 *
 * @module
 */

/** Settings of the core; 0 means no limit where that makes sense. */
export interface CoreSettings {
  /** Silence after which a worker that should ping leaves the table. */
  readonly workerExpire: number;
  /** Attempts at a job before it becomes a dead letter: a job that kills workers must end. */
  readonly maxAttempts: number;
  /** How long one attempt may take; 0 for any time. */
  readonly runLimit: number;
  /** Jobs that may wait. */
  readonly backlogJobs: number;
  /** Octets of jobs that may wait. */
  readonly backlogBytes: number;
  /** Octets of jobs at workers: each is kept until it is answered. */
  readonly runningBytes: number;
  /** How long a client that may come back is waited for. */
  readonly clientGrace: number;
  /** How long all slots of a worker may be free while answers are due. */
  readonly forgottenAfter: number;
  /** Dead letters that are kept: an operator reads no more than this. */
  readonly deadLetters: number;
  /** Octets of dead letters that are kept. */
  readonly deadLetterBytes: number;
  /** Finished requests that are remembered: a client that lost its connection asks soon. */
  readonly finishedRequests: number;
  /** How long they are remembered. */
  readonly finishedTime: number;
  /** Octets of replies that are kept for them. */
  readonly finishedBytes: number;
  /** Octets of one such reply: larger ones are worth asking for again. */
  readonly finishedReplyBytes: number;
  /** Services: a name costs a ring and a list. */
  readonly services: number;
  /** Slots of one worker. */
  readonly slots: number;
  /** Workers behind one connection: a proxy may bring many. */
  readonly workersOfConnection: number;
  /** Streams that one client may have open. */
  readonly streamsOfClient: number;
}

/** What holds unless told otherwise. */
export const CORE_SETTINGS: CoreSettings = {
  workerExpire: 3000,
  maxAttempts: 3,
  runLimit: 0,
  backlogJobs: 1_000_000,
  backlogBytes: 1024 * 1024 * 1024,
  runningBytes: 1024 * 1024 * 1024,
  clientGrace: 10_000,
  forgottenAfter: 1000,
  deadLetters: 10_000,
  deadLetterBytes: 64 * 1024 * 1024,
  finishedRequests: 1_000_000,
  finishedTime: 600_000,
  finishedBytes: 64 * 1024 * 1024,
  finishedReplyBytes: 64 * 1024,
  services: 10_000,
  slots: 65_535,
  workersOfConnection: 1024,
  streamsOfClient: 1024,
};

/** Octets of the envelope of a worker, which is kept: thirty proxies in a row need no more. */
export const ENVELOPE_BYTES = 8192;

/** Octets in the name of a service, a command or an address: a length of one octet. */
export const NAME_BYTES = 255;
