/**
 * Looks at processes from outside: CPU time, memory, and what the rest of the machine did. Deno lets
 * nobody read `/proc` without all permissions, so a small program of ours does (`src/look.c`).
 *
 * @module
 */
import { Child } from "./child.ts";
import { programPath } from "./home.ts";

/** How long the machine is watched to see whether it is quiet. */
const GLANCE_MS = 1000;

/** One look. Seconds and octets, summed over the processes that were asked for. */
export interface Look {
  /** CPU seconds of these processes so far. */
  readonly cpu: number;
  readonly resident: number;
  readonly peak: number;
  /** CPU seconds that the whole machine spent so far, and those that its host took from it. */
  readonly busy: number;
  readonly steal: number;
  /** The clock, in seconds. */
  readonly now: number;
}

/** The observer, a process of its own. */
export class Observer implements AsyncDisposable {
  readonly #child: Child;

  /** Starts it on that core. */
  constructor(core: string) {
    this.#child = new Child(core, [programPath("look")]);
  }

  /** Looks at these processes together. */
  async look(pids: readonly number[]): Promise<Look> {
    const answer = this.#child.line(() => true, 5000);
    await this.#child.say(pids.join(","));
    return await answer as unknown as Look;
  }

  /** Waits until the machine has nothing to do, for so many seconds at most. */
  async quiet(cores: number, patienceSeconds: number): Promise<void> {
    const start = await this.look([]);
    for (let last = start; last.now - start.now < patienceSeconds;) {
      await new Promise((resolve) => setTimeout(resolve, GLANCE_MS));
      const now = await this.look([]);
      const used = now.busy - last.busy + now.steal - last.steal;
      if (used / (now.now - last.now) <= cores) return;
      last = now;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }
}
