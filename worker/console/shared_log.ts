/**
 * One log for a worker and its children: each keeps to its own share of lines about jobs, and here
 * they keep to one share together, so that ten children are no louder than one worker.
 *
 * @module
 */
import type { Io, TimerId } from "../../protocol/io/io.ts";
import { LogQuota } from "../../protocol/time/log_quota.ts";
import type { WorkerLog } from "../options.ts";

/** Lines about jobs in any second, whoever they are from. */
const MOST_LINES = 20;
const SUM = "more job events";

/** Hands lines on, as many as a person can read. */
export class SharedLog {
  readonly #tell: (line: WorkerLog) => void;
  readonly #io: Io;
  readonly #quota = new LogQuota(MOST_LINES);
  /** What children summed up themselves. */
  #summed = 0;
  #timer: TimerId | undefined;

  constructor(tell: (line: WorkerLog) => void, io: Io) {
    this.#tell = tell;
    this.#io = io;
  }

  /** A line of the worker or of a child. */
  entry(line: WorkerLog): void {
    if (line.event === SUM) {
      this.#summed += Number(line.details.more);
      return this.#sumUpLater(this.#io.now());
    }
    const aboutJob = line.level > 0 && (line.event === "job" || line.event.startsWith("job "));
    if (!aboutJob || this.#quota.take(this.#io.now())) return this.#tell(line);
    this.#sumUpLater(this.#quota.due);
  }

  /** Nothing more is going to be said: the last sum is. */
  close(): void {
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    this.#sumUp();
  }

  #sumUpLater(at: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = this.#io.setTimer(() => this.#sumUp(), Math.max(0, at - this.#io.now()));
  }

  #sumUp(): void {
    this.#timer = undefined;
    const more = this.#quota.takeSum(this.#io.now()) + this.#summed;
    this.#summed = 0;
    if (more > 0) this.#tell({ level: 1, event: SUM, details: { more } });
  }
}
