/**
 * What the naive model of the broker knows, as plain records and lists. Frames are texts, an octet a
 * character. Nothing here is fast, and nothing is taken from the broker's own code.
 *
 * @module
 */

/** Settings of the broker under test, in milliseconds where they are times. */
export interface ModelSettings {
  readonly workerExpire: number;
  readonly maxAttempts: number;
  readonly runLimit: number;
  readonly backlogJobs: number;
  readonly clientGrace: number;
  readonly forgottenAfter: number;
  readonly deadLetters: number;
  readonly finishedRequests: number;
  readonly finishedTime: number;
  readonly finishedReplyBytes: number;
  readonly streamsOfClient: number;
  readonly workersOfConnection: number;
  readonly services: number;
}

/** One attempt at a job: what its id stands for. The id itself is learnt from the wire. */
export interface Attempt {
  readonly job: NaiveJob;
  id: string | undefined;
}

/** A frame as the model expects it: a text, or the id of an attempt. */
export type Frame = string | Attempt;

/** What kind of job it is. */
export type Kind = "opaque" | "EXEC" | "TRACKEXEC" | "STREAM";

/** One job. */
export interface NaiveJob {
  readonly kind: Kind;
  readonly service: string;
  readonly since: number;
  /** Frames for a plain worker, and for a native one, behind the attempt's number. */
  readonly body: readonly string[];
  readonly reserved: boolean;
  /** Empty for an opaque one. */
  readonly request: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly timeoutAt: number;
  client: NaiveClient | undefined;
  envelope: readonly string[];
  state: "waiting" | "running" | "dead" | "over";
  worker: NaiveWorker | undefined;
  attempt: Attempt | undefined;
  attempts: number;
  credit: number;
  /** What of its credit a repeat of the request is going to say again. */
  repeated: number;
  /** Credit that its worker wasn't told because it didn't read. */
  untold: number;
  chunked: boolean;
  /** Nobody wants it any more, but a worker has it. */
  abandoned: boolean;
  /** Whether it still has times to keep: a dead letter has none any more. */
  dated: boolean;
}

/** One client. */
export interface NaiveClient {
  readonly identity: string;
  peer: string;
  away: boolean;
  native: boolean;
  /** Whether its output is above the mark. */
  full: boolean;
  /** Why it isn't read. */
  readonly pausedBy: Set<"backlog" | "output">;
  readonly jobs: NaiveJob[];
  /** Answers that wait for it while it is away. */
  held: Frame[][];
}

/** One connection of workers. */
export interface NaiveConnection {
  readonly peer: string;
  readonly type: string;
  readonly identity: string;
  readonly workers: NaiveWorker[];
  open: boolean;
  full: boolean;
  unread: boolean;
  seen: number;
}

/** One worker. */
export interface NaiveWorker {
  readonly connection: NaiveConnection;
  envelope: readonly string[];
  dialect: "READY" | "REGISTER" | "REQ" | "REP";
  state: "in" | "out" | "expired" | "gone";
  address: string;
  capacity: number;
  free: number;
  readonly running: NaiveJob[];
  owed: number;
  /** Slots that jobs held when REGISTER overwrote them. */
  unsettled: number;
  services: readonly string[];
  lastSeen: number;
  pings: boolean;
  pingsWorking: boolean;
  native: boolean;
  blocked: boolean;
  wasUnread: boolean;
  leaving: boolean;
}

/** A dead letter. */
export interface NaiveLetter {
  readonly id: number;
  readonly code: string;
  readonly job: NaiveJob;
}

/** A request that is over. */
export interface Finished {
  readonly request: string;
  readonly at: number;
  /** The answer behind signature and id: word and frames; undefined if it isn't kept. */
  readonly answer: readonly string[] | undefined;
  readonly executed: boolean;
}

/** What falls due, and when. Equal times come in the order in which they were set. */
export class NaiveDues {
  readonly #dues: { readonly key: unknown; readonly what: string; at: number; turn: number }[] = [];
  #turn = 0;

  set(what: string, key: unknown, at: number): void {
    this.clear(what, key);
    this.#dues.push({ key, what, at, turn: this.#turn++ });
  }

  clear(what: string, key: unknown): void {
    const index = this.#dues.findIndex((due) => due.key === key && due.what === what);
    if (index >= 0) this.#dues.splice(index, 1);
  }

  /** When that falls due; Infinity if it doesn't. */
  at(what: string, key: unknown): number {
    return this.#dues.find((due) => due.key === key && due.what === what)?.at ?? Infinity;
  }

  /** When the first falls due. */
  get next(): number {
    return this.#dues.reduce((first, { at }) => Math.min(first, at), Infinity);
  }

  /** Takes out the first that is due. */
  pop(now: number): { readonly what: string; readonly key: unknown } | undefined {
    const due = this.#dues.filter(({ at }) => at <= now)
      .sort((a, b) => a.at - b.at || a.turn - b.turn)[0];
    if (due !== undefined) this.#dues.splice(this.#dues.indexOf(due), 1);
    return due;
  }
}

/** Takes an item out of a list; says whether it was in it. */
export function take<T>(list: T[], item: T): boolean {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}

/** Headers as ZMTP metadata. */
export function headerFrame(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) =>
    String.fromCharCode(name.length) + name + `\0\0\0${String.fromCharCode(value.length)}${value}`
  ).join("");
}
