/**
 * Times two pieces of work against each other on a machine that others use too: short slices in turn,
 * the best slice of each. What disturbs a slice makes it longer, so the best one is the undisturbed
 * one; whatever slows the whole machine slows both.
 *
 * @module
 */

/** How long a slice should take: shorter than the system lets a process run. */
const SLICE_MS = 2;
/** How long both are run before they are timed, so that the compilers are done. */
const WARM_UP_MS = 250;

/** One side of the race. */
class Runner {
  /** The shortest time of one run, in milliseconds. */
  best = Infinity;
  readonly #work: () => void;
  #runs = 1;

  constructor(work: () => void) {
    this.#work = work;
  }

  warmUp(): void {
    const start = performance.now();
    let runs = 0;
    for (; performance.now() - start < WARM_UP_MS; runs++) this.#work();
    this.#runs = Math.max(1, Math.round(runs * SLICE_MS / WARM_UP_MS));
  }

  slice(): void {
    const start = performance.now();
    for (let i = 0; i < this.#runs; i++) this.#work();
    this.best = Math.min(this.best, (performance.now() - start) / this.#runs);
  }
}

/** How many times as fast as `second` `first` is, slice by slice. */
export class Race {
  readonly #first: Runner;
  readonly #second: Runner;

  constructor(first: () => void, second: () => void) {
    this.#first = new Runner(first);
    this.#second = new Runner(second);
    this.#first.warmUp();
    this.#second.warmUp();
  }

  /** Runs so many slices of each; gives the ratio of all slices so far. */
  run(slices: number): number {
    for (let i = 0; i < slices; i++) {
      this.#first.slice();
      this.#second.slice();
    }
    return this.#second.best / this.#first.best;
  }
}
