/**
 * What a worker is doing, as a plain object.
 *
 * @module
 */

/**
 * What a worker is doing.
 *
 * @example
 * ```ts
 * import type { WorkerStatus } from "./status.ts";
 *
 * const isIdle = (status: WorkerStatus) => status.registered && status.running === 0;
 * if (isIdle.length !== 1) throw new Error("not a function of one status");
 * ```
 */
export interface WorkerStatus {
  /** Its name in the broker's table. */
  readonly address: string;
  /** Where its broker is. */
  readonly broker: string;
  /** How it speaks. */
  readonly dialect: "register" | "ready";
  /** Jobs that it takes at a time. */
  readonly slots: number;
  /** Threads that run its handlers; 0 if they run in its own. */
  readonly threads: number;
  /** Whether there is a connection to the broker. */
  readonly connected: boolean;
  /** Whether the broker has it in its table, as far as it knows. */
  readonly registered: boolean;
  /** Jobs that run now. */
  readonly running: number;
  /** Jobs that ended with an answer. */
  readonly completed: number;
  /** Jobs that ended without one: they failed, or the broker was lost meanwhile. */
  readonly failed: number;
}
