/**
 * A handler whose jobs end when a test says so.
 *
 * @module
 */
import type { Job } from "../../worker/mod.ts";

/** Keeps its jobs; each ends with an answer to what it was asked. */
export class Gate {
  readonly jobs: Job[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly handler = (job: Job): Promise<string> => {
    this.jobs.push(job);
    return new Promise((resolve) => this.#waiting.push(() => resolve(`answer to ${job.text()}`)));
  };

  /** Lets the oldest job end. */
  open(): void {
    this.#waiting.shift()!();
  }
}
