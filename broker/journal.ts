/**
 * What happens, as lines: the core's calls become plain objects for whoever listens. What peers do
 * wrong is told once per reason and second, and of jobs, workers and clients at most 20 lines a
 * second each; the rest is summed up, so that a million jobs don't drown a terminal.
 *
 * @module
 */
import { nameOf } from "../protocol/dialogue/names.ts";
import type { TimerId } from "../protocol/io/io.ts";
import type { Client } from "./core/client.ts";
import type { DropReason } from "./core/counters.ts";
import type { Journal } from "./core/decision.ts";
import { RUNNING } from "./core/jobs.ts";
import { addressOf } from "./core/snapshot.ts";
import type { Service } from "./core/services.ts";
import type { State } from "./core/state.ts";
import type { Worker, WorkerConnection } from "./core/worker.ts";
import { LogQuota } from "../protocol/time/log_quota.ts";

/** Lines in any second about jobs, about workers and about clients; the rest is summed up. */
const MOST_LINES = 20;

/** What happens to workers that stay: their slots are worth telling. */
const PRESENT: ReadonlySet<string> = new Set(["joined", "registered", "pinged"]);

/**
 * One line: what happened, and its details by name.
 *
 * @example
 * ```ts
 * import type { LogLine } from "./journal.ts";
 *
 * const line: LogLine = { level: 1, event: "worker joined", details: { address: "w1" } };
 * ```
 */
export interface LogLine {
  /** 0 drops and dead letters, 1 comings, goings and jobs, 2 heartbeats, 3 sizes, 4 decisions,
   * 5 frames. */
  readonly level: number;
  /** What happened, in a few words that stay the same. */
  readonly event: string;
  /** Details by name. Names that peers chose are in here as they are: escape before printing. */
  readonly details: Readonly<Record<string, string | number>>;
}

/** Wakes somebody up later. */
export interface Alarm {
  setTimer(callback: () => void, milliseconds: number): TimerId;
  clearTimer(id: TimerId): void;
}

type Details = Readonly<Record<string, string | number>>;

/** A journal of lines. */
export class LineJournal implements Journal {
  readonly level: number;
  readonly #tell: ((line: LogLine) => void) | undefined;
  readonly #now: () => number;
  readonly #alarm: Alarm;
  /** By kind. Kinds are words of ours, so there are few. */
  readonly #quotas: Map<string, LogQuota> = new Map();
  /** What a sum of a kind is called, and its level. */
  readonly #sums: Map<string, readonly [event: string, level: number]> = new Map();
  #state!: State;
  #timer: TimerId | undefined;
  #closed = false;

  constructor(
    tell: ((line: LogLine) => void) | undefined,
    level: number,
    now: () => number,
    alarm: Alarm,
  ) {
    this.#tell = tell;
    this.level = tell === undefined ? 0 : level;
    this.#now = now;
    this.#alarm = alarm;
  }

  /** Says where jobs lie. Called once. */
  attach(state: State): void {
    this.#state = state;
  }

  dropped(reason: DropReason, detail: string): void {
    this.#seldom(0, reason, { detail });
  }

  dead(row: number, code: string, id: number): void {
    this.#seldom(0, `dead letter ${code}`, { id, attempt: this.#state.jobs.attempts[row]! });
  }

  worker(event: string, worker: Worker): void {
    const { dialect, free, capacity } = worker;
    const level = event === "pinged" ? 2 : 1;
    if (level === 1 && !this.#may("worker")) return;
    const who = { address: addressOf(worker), dialect };
    this.#say(level, `worker ${event}`, PRESENT.has(event) ? { ...who, free, capacity } : who);
  }

  stranger(event: string, connection: WorkerConnection): void {
    const { type, identity } = connection;
    this.#seldom(1, `worker ${event}`, { identity: nameOf(identity), type });
  }

  client(event: string, client: Client): void {
    const { identity, index } = client;
    const details = { client: identity.length > 0 ? nameOf(identity) : `#${index}` };
    if (event.startsWith("rejected")) this.#seldom(1, `client ${event}`, details);
    else if (this.#may("client")) this.#say(1, `client ${event}`, details);
  }

  unserved(service: Service): void {
    this.#seldom(1, "no worker serves", { service: nameOf(service.name) });
  }

  job(event: string, row: number, code?: string): void {
    if (!this.#may("job")) return;
    const details = this.#jobDetails(row);
    this.#say(1, `job ${event}`, code === undefined ? details : { ...details, code });
  }

  sized(what: string, row: number, octets: number): void {
    this.#say(3, `${what} size`, { job: row, octets });
  }

  because(reason: string, row?: number): void {
    this.#say(4, reason, row === undefined ? {} : this.#jobDetails(row));
  }

  /** What went wrong with a connection, once per kind and second. */
  fault(level: number, kind: string, details: Details): void {
    this.#seldom(level, kind, details);
  }

  /** A message as it is on the wire. */
  frames(event: string, details: Details): void {
    this.#say(5, event, details);
  }

  /** Nothing more is going to happen: what was not told is summed up now. */
  close(): void {
    if (this.#timer !== undefined) this.#alarm.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#closed = true;
    this.#sumUp(Infinity);
  }

  #say(level: number, event: string, details: Details): void {
    if (level > this.level) return;
    try {
      this.#tell?.({ level, event, details });
    } catch {
      // Whoever listens has failed. That must not tear the core out of the middle of an event.
    }
  }

  #jobDetails(row: number): Record<string, string | number> {
    const { jobs, workers } = this.#state;
    const details: Record<string, string | number> = { job: row };
    const attempt = jobs.attempts[row]!;
    if (attempt > 0) details.attempt = attempt;
    const worker = jobs.state[row] === RUNNING ? workers[jobs.worker[row]!] : undefined;
    if (worker !== undefined) details.worker = addressOf(worker);
    return details;
  }

  /** At most so many lines about jobs, workers and clients in any second. */
  #may(what: "job" | "worker" | "client"): boolean {
    return this.#take(what, MOST_LINES, `more ${what} events`, 1);
  }

  /** At most one line of a kind in any second. */
  #seldom(level: number, event: string, details: Details): void {
    if (level > this.level || this.#tell === undefined) return;
    if (this.#take(event, 1, event, level)) this.#say(level, event, details);
  }

  #take(kind: string, most: number, sum: string, level: number): boolean {
    let quota = this.#quotas.get(kind);
    if (quota === undefined) {
      quota = new LogQuota(most);
      this.#quotas.set(kind, quota);
      this.#sums.set(kind, [sum, level]);
    }
    if (quota.take(this.#now())) return true;
    if (this.#timer === undefined && !this.#closed) this.#arm();
    return false;
  }

  /** Sets the timer for the first sum that is due. */
  #arm(): void {
    let due = Infinity;
    for (const quota of this.#quotas.values()) due = Math.min(due, quota.due);
    if (due === Infinity) return;
    this.#timer = this.#alarm.setTimer(() => {
      this.#timer = undefined;
      this.#sumUp(this.#now());
      this.#arm();
    }, Math.max(0, due - this.#now()));
  }

  #sumUp(until: number): void {
    for (const [kind, quota] of this.#quotas) {
      if (quota.due > until) continue;
      const more = quota.takeSum(this.#now());
      const [event, level] = this.#sums.get(kind)!;
      if (more === 0) continue;
      this.#say(level, event, event.startsWith("more ") ? { count: more } : { more });
    }
  }
}
