/**
 * What happens to a worker, as lines for whoever listens. Of jobs there are at most so many lines a
 * second; the rest is summed up, so that a busy worker doesn't drown a terminal.
 *
 * @module
 */
import type { Io, TimerId } from "../protocol/io/io.ts";
import { LogQuota } from "../protocol/time/log_quota.ts";
import type { WorkerLog } from "./options.ts";

/** Lines about jobs in any second. */
const MOST_LINES = 20;

/** The journal of a worker. */
export class Journal {
  /** Lines above it aren't told, and needn't be made. */
  readonly level: number;
  readonly #tell: ((line: WorkerLog) => void) | undefined;
  readonly #io: Io;
  readonly #jobs = new LogQuota(MOST_LINES);
  #timer: TimerId | undefined;

  constructor(tell: ((line: WorkerLog) => void) | undefined, level: number, io: Io) {
    this.#tell = tell;
    this.level = tell === undefined ? -1 : level;
    this.#io = io;
  }

  /** Something happened. */
  say(level: number, event: string, details: WorkerLog["details"] = {}): void {
    if (level > this.level) return;
    try {
      this.#tell?.({ level, event, details });
    } catch {
      // Whoever listens has failed. That must not cost the worker its job.
    }
  }

  /** Something happened to a job. */
  job(level: number, event: string, details: WorkerLog["details"]): void {
    if (level > this.level) return;
    if (this.#jobs.take(this.#io.now())) return this.say(level, event, details);
    if (this.#timer !== undefined) return;
    this.#timer = this.#io.setTimer(() => this.#sumUp(), this.#jobs.due - this.#io.now());
  }

  /** Nothing more is going to happen. */
  close(): void {
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    this.#sumUp();
  }

  #sumUp(): void {
    this.#timer = undefined;
    const more = this.#jobs.takeSum(this.#io.now());
    if (more > 0) this.say(1, "more job events", { more });
  }
}
