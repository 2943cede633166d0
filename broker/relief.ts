/**
 * What the broker does when results fill the memory of all peers. A worker's result can't be refused,
 * so whoever doesn't read his results is closed, before all others have to wait for him.
 *
 * @module
 */
import type { Budget } from "../protocol/engine/budget.ts";
import type { Hunger } from "../protocol/engine/hunger.ts";

/** While nobody is to blame, memory is looked at again when so much more of it is in use. */
const STEP_BYTES = 1024 * 1024;

/** Closes those who hold the most. */
export class Relief {
  readonly #budget: Budget;
  readonly #hunger: Hunger;
  /** Octets that may wait for one peer: who is below that isn't to blame. */
  readonly #mark: number;
  #coming = false;
  /** Below this nothing has changed since the last look. */
  #lookAt = 0;

  constructor(budget: Budget, hunger: Hunger, mark: number) {
    this.#budget = budget;
    this.#hunger = hunger;
    this.#mark = mark;
  }

  /** Whether memory is short. */
  get needed(): boolean {
    return this.#budget.used > this.#budget.limit;
  }

  /** Looks for the one to close, behind the present event: it may be his own. */
  begin(): void {
    if (this.#coming || this.#budget.used < this.#lookAt) return;
    this.#coming = true;
    queueMicrotask(() => {
      this.#coming = false;
      this.#lookAt = 0;
      while (this.needed && this.#hunger.drown(this.#least)) { /* and the next one */ }
      if (this.needed) this.#lookAt = this.#budget.used + STEP_BYTES;
    });
  }

  /** If it comes to the worst, somebody has to go. */
  get #least(): number {
    return this.#budget.exhausted ? 0 : this.#mark;
  }
}
