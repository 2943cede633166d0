/**
 * All that the broker knows, in one place, for the desks that change it. It decides nothing.
 *
 * @module
 */
import { Deadlines, type Due } from "../../protocol/time/deadlines.ts";
import type { Client } from "./client.ts";
import { Counters } from "./counters.ts";
import { DeadLetters } from "./dead_letters.ts";
import type { ClientSink, Journal, WorkerSink } from "./decision.ts";
import { Holdings } from "./held_output.ts";
import { Jobs } from "./jobs.ts";
import { RequestMemory } from "./request_memory.ts";
import { Requests } from "./requests.ts";
import { Services } from "./services.ts";
import type { CoreSettings } from "./settings.ts";
import { Streams } from "./streams.ts";
import type { ForgottenCheck, Worker } from "./worker.ts";

/** When a job is too old: to start while it waits, to go on while it runs. */
export interface JobDate extends Due {
  readonly what: "job";
  readonly row: number;
  /** When its client stops waiting; Infinity if it doesn't say. */
  readonly timeoutAt: number;
}

/** When an attempt has taken too long. */
export interface RunDate extends Due {
  readonly what: "run";
  readonly row: number;
}

/** Whatever falls due. */
export type CoreDue = Worker | Client | JobDate | RunDate | ForgottenCheck;

/** What the core needs of the outside. */
export interface Outside {
  readonly toClients: ClientSink;
  readonly toWorkers: WorkerSink;
  readonly journal: Journal;
  /** A number that nobody can guess, for the hash of request ids. */
  readonly seed: number;
  /** A number that another broker, or this one after a restart, hardly has. 0 unless told. */
  readonly epoch?: number;
}

/** Rows that are laid out at once: a backlog as large as most are allowed to be never has to move. */
const MOST_FIRST_ROWS = 2 ** 20;

/** How many rows the table of jobs starts with. */
function rowsFor({ backlogJobs }: CoreSettings): number {
  const wanted = backlogJobs === 0 ? MOST_FIRST_ROWS : backlogJobs + 1024;
  return Math.min(2 ** Math.ceil(Math.log2(wanted)), MOST_FIRST_ROWS);
}

/** The broker's knowledge. */
export class State {
  readonly settings: CoreSettings;
  readonly toClients: ClientSink;
  readonly toWorkers: WorkerSink;
  readonly journal: Journal;
  /**
   * Added to the generations in job ids: what a worker has from before a restart of the broker must
   * not fit a job of today.
   */
  readonly epoch: number;
  readonly jobs: Jobs;
  readonly services: Services;
  readonly requests: Requests;
  readonly streams: Streams = new Streams();
  readonly holdings: Holdings = new Holdings();
  readonly dead: DeadLetters;
  readonly counters: Counters = new Counters();
  readonly deadlines: Deadlines<CoreDue> = new Deadlines();
  /** By index; undefined where one has left. */
  readonly clients: (Client | undefined)[] = [];
  readonly workers: (Worker | undefined)[] = [];
  /** Dates of jobs that have one, by row. */
  readonly dates: Map<number, JobDate> = new Map();
  readonly runs: Map<number, RunDate> = new Map();
  /** The time of the present event. */
  now = 0;
  /** Jobs that wait, in all services, and their octets. */
  waiting = 0;
  waitingBytes = 0;
  /** Jobs at workers. */
  running = 0;
  draining = false;
  readonly #freeClients: number[] = [];
  readonly #freeWorkers: number[] = [];

  constructor(settings: CoreSettings, outside: Outside) {
    this.settings = settings;
    this.toClients = outside.toClients;
    this.toWorkers = outside.toWorkers;
    this.journal = outside.journal;
    this.epoch = (outside.epoch ?? 0) >>> 0;
    this.jobs = new Jobs(rowsFor(settings));
    this.services = new Services(settings.services);
    this.dead = new DeadLetters(settings.deadLetters, settings.deadLetterBytes);
    this.requests = new Requests(
      outside.seed,
      new RequestMemory(
        settings.finishedRequests,
        settings.finishedBytes,
        settings.finishedReplyBytes,
      ),
    );
  }

  /** Whether no more jobs may wait. */
  get isFull(): boolean {
    const { backlogJobs, backlogBytes } = this.settings;
    return (backlogJobs > 0 && this.waiting >= backlogJobs) ||
      (backlogBytes > 0 && this.waitingBytes >= backlogBytes);
  }

  /** Octets of jobs at workers. */
  get runningBytes(): number {
    return this.jobs.store.used - this.waitingBytes - this.dead.bytes;
  }

  /** Whether workers hold so much that no more may be taken in for them. */
  get isSated(): boolean {
    return this.runningBytes >= this.settings.runningBytes;
  }

  /** Who waits for a row, if anybody does. */
  clientOf(row: number): Client | undefined {
    const index = this.jobs.client[row]!;
    return index < 0 ? undefined : this.clients[index];
  }

  /** An index for a new client. */
  clientIndex(): number {
    return this.#freeClients.pop() ?? this.clients.length;
  }

  /** A client is gone for good. */
  forgetClient(client: Client): void {
    this.deadlines.clear(client);
    this.clients[client.index] = undefined;
    this.#freeClients.push(client.index);
  }

  /** An index for a new worker. */
  workerIndex(): number {
    return this.#freeWorkers.pop() ?? this.workers.length;
  }

  /** A worker is gone for good. */
  forgetWorker(worker: Worker): void {
    this.deadlines.clear(worker);
    this.deadlines.clear(worker.forgotten);
    this.workers[worker.index] = undefined;
    this.#freeWorkers.push(worker.index);
  }
}
