/**
 * What happens, as lines: the core's calls become plain objects for whoever listens. What peers do
 * wrong is told once per reason and second, and of job events at most 20 a second; the rest is summed
 * up, so that a million jobs don't drown a terminal.
 *
 * @module
 */
import { nameOf } from "../protocol/dialogue/names.ts";
import type { Client } from "./core/client.ts";
import type { DropReason } from "./core/counters.ts";
import type { Journal } from "./core/decision.ts";
import { NO_ROW } from "./core/jobs.ts";
import { addressOf } from "./core/snapshot.ts";
import type { Service } from "./core/services.ts";
import type { State } from "./core/state.ts";
import type { Worker, WorkerConnection } from "./core/worker.ts";

/** Lines about jobs in one second; the rest is summed up. */
const JOB_LINES = 20;
const SECOND = 1000;

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

/** A journal of lines. */
export class LineJournal implements Journal {
  readonly level: number;
  readonly #tell: (line: LogLine) => void;
  readonly #now: () => number;
  readonly #drops: Map<string, { second: number; more: number }> = new Map();
  #state!: State;
  #jobSecond = -1;
  #jobLines = 0;

  constructor(tell: ((line: LogLine) => void) | undefined, level: number, now: () => number) {
    this.#tell = tell ?? (() => {});
    this.level = tell === undefined ? 0 : level;
    this.#now = now;
  }

  /** Says where jobs lie. Called once. */
  attach(state: State): void {
    this.#state = state;
  }

  dropped(reason: DropReason, detail: string): void {
    this.#seldom(reason, { detail });
  }

  dead(row: number, code: string): void {
    this.#seldom(`dead letter ${code}`, { job: row });
  }

  worker(event: string, worker: Worker): void {
    const level = event === "pinged" ? 2 : 1;
    const { dialect, free, capacity } = worker;
    this.#tell({
      level,
      event: `worker ${event}`,
      details: { address: addressOf(worker), dialect, free, capacity },
    });
  }

  stranger(event: string, connection: WorkerConnection): void {
    const { type, identity } = connection;
    this.#tell({
      level: 1,
      event: `worker ${event}`,
      details: { identity: nameOf(identity), type },
    });
  }

  client(event: string, client: Client): void {
    const { identity, index } = client;
    const name = identity.length > 0 ? nameOf(identity) : `#${index}`;
    this.#tell({ level: 1, event: `client ${event}`, details: { client: name } });
  }

  unserved(service: Service): void {
    if (this.level >= 1) this.#seldom("no worker serves", { service: nameOf(service.name) }, 1);
  }

  job(event: string, row: number): void {
    const second = Math.floor(this.#now() / SECOND);
    if (second !== this.#jobSecond) {
      const more = this.#jobLines - JOB_LINES;
      this.#jobSecond = second;
      this.#jobLines = 0;
      if (more > 0) this.#tell({ level: 1, event: "more job events", details: { count: more } });
    }
    if (++this.#jobLines > JOB_LINES) return;
    this.#tell({ level: 1, event: `job ${event}`, details: this.#jobDetails(row) });
  }

  because(reason: string): void {
    this.#tell({ level: 4, event: reason, details: {} });
  }

  #jobDetails(row: number): Record<string, string | number> {
    const { jobs, workers } = this.#state;
    const details: Record<string, string | number> = { job: row, attempt: jobs.attempts[row]! };
    const index = jobs.worker[row]!;
    const worker = index === NO_ROW ? undefined : workers[index];
    if (worker !== undefined) details.worker = addressOf(worker);
    return details;
  }

  /** At most one line of a kind in a second; the next one says how many there were. */
  #seldom(event: string, details: Record<string, string | number>, level = 0): void {
    const second = Math.floor(this.#now() / SECOND);
    const last = this.#drops.get(event);
    if (last?.second === second) {
      last.more++;
      return;
    }
    const more = last?.more ?? 0;
    this.#drops.set(event, { second, more: 0 });
    this.#tell({ level, event, details: more > 0 ? { ...details, more } : details });
  }
}
