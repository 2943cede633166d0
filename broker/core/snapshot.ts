/**
 * What a broker looks like at one moment: one plain object that consoles print and metrics read.
 * Made when asked for; nothing is kept for it on the path of a message.
 *
 * @module
 */
import { nameOf } from "../../protocol/dialogue/names.ts";
import { EXEC_JOB, type Jobs, NO_ROW, OPAQUE, STREAM_JOB } from "./jobs.ts";
import type { State } from "./state.ts";
import type { Worker } from "./worker.ts";

/**
 * A worker at one moment.
 *
 * @example
 * ```ts
 * import type { WorkerSnapshot } from "./snapshot.ts";
 *
 * const isBusy = (worker: WorkerSnapshot) => worker.free < worker.capacity;
 * if (isBusy.length !== 1) throw new Error("not a function of one worker");
 * ```
 */
export interface WorkerSnapshot {
  /** Its address, or `#` and a number for one that has none. */
  readonly address: string;
  /** How it speaks: READY, REGISTER, REQ or REP. */
  readonly dialect: string;
  /** The services it serves. */
  readonly services: readonly string[];
  /** Slots that are free. */
  readonly free: number;
  /** Slots that it brought. */
  readonly capacity: number;
  /** Jobs that it has not answered. */
  readonly running: number;
  /** `idle`, `busy`, `blocked`, `out` or `expired`. */
  readonly state: string;
  /** Milliseconds since it was heard of. */
  readonly silent: number;
}

/**
 * A service at one moment.
 *
 * @example
 * ```ts
 * import type { ServiceSnapshot } from "./snapshot.ts";
 *
 * const isStuck = (service: ServiceSnapshot) => service.waiting > 0 && service.workers === 0;
 * if (isStuck.length !== 1) throw new Error("not a function of one service");
 * ```
 */
export interface ServiceSnapshot {
  /** What it is called. */
  readonly name: string;
  /** Workers that serve it, busy ones included. */
  readonly workers: number;
  /** Jobs that wait for it. */
  readonly waiting: number;
  /** Milliseconds that the oldest job has waited; 0 if none waits. */
  readonly oldest: number;
}

/**
 * A job at one moment.
 *
 * @example
 * ```ts
 * import type { JobSnapshot } from "./snapshot.ts";
 *
 * const isOld = (job: JobSnapshot) => job.age > 60_000;
 * if (isOld.length !== 1) throw new Error("not a function of one job");
 * ```
 */
export interface JobSnapshot {
  /** Its number in the broker, used again when it is over. */
  readonly job: number;
  /** `opaque`, `EXEC`, `TRACKEXEC` or `STREAM`. */
  readonly kind: string;
  /** The service it is for. */
  readonly service: string;
  /** Milliseconds since it came. */
  readonly age: number;
  /** How often it was handed out. */
  readonly attempt: number;
  /** Octets of its body. */
  readonly bytes: number;
  /** Who has it. */
  readonly worker: string | undefined;
}

/**
 * A dead letter at one moment.
 *
 * @example
 * ```ts
 * import type { DeadSnapshot } from "./snapshot.ts";
 *
 * const wasLost = (letter: DeadSnapshot) => letter.code === "WORKER_LOST";
 * if (wasLost.length !== 1) throw new Error("not a function of one letter");
 * ```
 */
export interface DeadSnapshot {
  /** What an operator calls it. */
  readonly id: number;
  /** Why it ended. */
  readonly code: string;
  /** `opaque`, `EXEC`, `TRACKEXEC` or `STREAM`. */
  readonly kind: string;
  /** The service it is for. */
  readonly service: string;
  /** Milliseconds since it ended. */
  readonly age: number;
  /** Octets of its body. */
  readonly bytes: number;
}

/**
 * The jobs so far.
 *
 * @example
 * ```ts
 * import type { JobCounts } from "./snapshot.ts";
 *
 * const isDone = (jobs: JobCounts) => jobs.waiting === 0 && jobs.running === 0;
 * if (isDone.length !== 1) throw new Error("not a function of one count");
 * ```
 */
export interface JobCounts {
  /** Taken from clients. */
  readonly accepted: number;
  /** Handed to workers, each attempt counted. */
  readonly dispatched: number;
  /** Ended with a result. */
  readonly completed: number;
  /** Ended without one. */
  readonly failed: number;
  /** Dead letters tried again. */
  readonly retried: number;
  /** Gone back to the head of the backlog. */
  readonly requeued: number;
  /** Too old to start. */
  readonly expired: number;
  /** Not taken, with an ERROR to the client. */
  readonly rejected: number;
  /** Cancelled by their client. */
  readonly cancelled: number;
  /** Chunks of streams passed on. */
  readonly chunks: number;
  /** Waiting now. */
  readonly waiting: number;
  /** Octets of jobs that wait. */
  readonly waitingBytes: number;
  /** At workers now. */
  readonly running: number;
  /** Dead letters. */
  readonly dead: number;
}

/**
 * The core at one moment.
 *
 * @example
 * ```ts
 * import type { CoreSnapshot } from "./snapshot.ts";
 *
 * const load = (core: CoreSnapshot) => 1 - core.freeSlots / core.slots;
 * if (load.length !== 1) throw new Error("not a function of one snapshot");
 * ```
 */
export interface CoreSnapshot {
  /** The jobs so far. */
  readonly jobs: JobCounts;
  /** What came to nothing, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Errors told to clients, by code. */
  readonly errors: Readonly<Record<string, number>>;
  /** Clients that are connected. */
  readonly clients: number;
  /** Workers in the table. */
  readonly workers: number;
  /** Workers that ever came. */
  readonly workersJoined: number;
  /** Workers that fell silent. */
  readonly workersExpired: number;
  /** Workers that went with their connection. */
  readonly workersLost: number;
  /** Slots of all workers in the table. */
  readonly slots: number;
  /** Those that are free. */
  readonly freeSlots: number;
  /** Each service. */
  readonly services: readonly ServiceSnapshot[];
}

/** Everything that can be counted. */
export function takeSnapshot(state: State, now: number): CoreSnapshot {
  const { counters, jobs, services } = state;
  let [workers, slots, freeSlots] = [0, 0, 0];
  for (const worker of state.workers) {
    if (worker === undefined || worker.state !== "in") continue;
    workers++;
    slots += worker.capacity;
    freeSlots += worker.free;
  }
  const { accepted, dispatched, completed, failed, retried, requeued } = counters;
  const { expired, rejected, cancelled, chunks } = counters;
  return {
    jobs: {
      ...{ accepted, dispatched, completed, failed, retried, requeued },
      ...{ expired, rejected, cancelled, chunks },
      waiting: state.waiting,
      waitingBytes: state.waitingBytes,
      running: state.running,
      dead: state.dead.size,
    },
    dropped: Object.fromEntries(counters.dropped),
    errors: Object.fromEntries(counters.errors),
    clients: state.clients.filter((client) => client !== undefined && !client.away).length,
    workers,
    workersJoined: counters.workersJoined,
    workersExpired: counters.workersExpired,
    workersLost: counters.workersLost,
    slots,
    freeSlots,
    services: [...services].map(({ name, workers, backlog }) => ({
      name: nameOf(name),
      workers,
      waiting: backlog.length,
      oldest: backlog.first === NO_ROW ? 0 : ageOf(jobs, backlog.first, now),
    })),
  };
}

/** All workers: those in the table in the order of their turns, then busy ones, then the others. */
export function listWorkers(state: State, now: number): WorkerSnapshot[] {
  const seated = [...state.services.main.ring].map((seat) => seat.worker);
  const known = new Set(seated);
  const others = state.workers.filter((worker): worker is Worker =>
    worker !== undefined && !known.has(worker)
  );
  return [...seated, ...others].map((worker) => ({
    address: addressOf(worker),
    dialect: worker.dialect,
    services: worker.seats.map((seat) => nameOf(seat.service.name)),
    free: worker.free,
    capacity: worker.capacity,
    running: worker.running.length,
    state: stateOf(worker),
    silent: Math.max(0, Math.round(now - worker.lastSeen)),
  }));
}

/** Jobs at workers, at most so many. */
export function listRunning(state: State, now: number, most: number): JobSnapshot[] {
  const found: JobSnapshot[] = [];
  const { jobs } = state;
  for (const worker of state.workers) {
    if (worker === undefined) continue;
    for (let row = worker.running.first; row !== NO_ROW; row = jobs.next[row]!) {
      if (found.length === most) return found;
      found.push(jobSnapshot(state, row, now, worker));
    }
  }
  return found;
}

/** Dead letters, oldest first, at most so many. */
export function listDead(state: State, now: number, most: number): DeadSnapshot[] {
  const found: DeadSnapshot[] = [];
  for (const { id, row, code, at } of state.dead) {
    if (found.length === most) break;
    const { kind, service, bytes } = jobSnapshot(state, row, now, undefined);
    found.push({ id, code, kind, service, bytes, age: Math.max(0, Math.round(now - at)) });
  }
  return found;
}

/** What people call a worker. */
export function addressOf(worker: Worker): string {
  return worker.address.length === 0 ? `#${worker.index}` : nameOf(worker.address);
}

function jobSnapshot(
  state: State,
  row: number,
  now: number,
  worker: Worker | undefined,
): JobSnapshot {
  const { jobs, services } = state;
  return {
    job: row,
    kind: kindName(jobs.kind[row]!),
    service: nameOf(services.at(jobs.service[row]!).name),
    age: ageOf(jobs, row, now),
    attempt: jobs.attempts[row]!,
    bytes: jobs.bytes[row]! - jobs.envelopeBytes[row]!,
    worker: worker === undefined ? undefined : addressOf(worker),
  };
}

function kindName(kind: number): string {
  if (kind === OPAQUE) return "opaque";
  return kind === EXEC_JOB ? "EXEC" : kind === STREAM_JOB ? "STREAM" : "TRACKEXEC";
}

/** The column holds 32 bits of the clock: differences are right for 49 days. */
function ageOf(jobs: Jobs, row: number, now: number): number {
  return (Math.floor(now) - jobs.since[row]!) >>> 0;
}

function stateOf(worker: Worker): string {
  if (worker.state !== "in") return worker.state;
  if (worker.blocked) return "blocked";
  return worker.running.length + worker.owed > 0 ? "busy" : "idle";
}
