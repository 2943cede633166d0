/**
 * Clocks for worlds in memory: one that moves only when told to, and one that follows the global
 * timers, so that a test's fake time drives it.
 *
 * @module
 */
import { Deadlines, type Due } from "../time/deadlines.ts";
import type { TimerId } from "./io.ts";

/** Rounds of microtasks without an event after which everything is taken to have settled. */
const QUIET_ROUNDS = 64;
/** Rounds after which a world that never settles is taken for an endless loop. */
const MOST_ROUNDS = 10_000_000;

/** What a world in memory needs of a clock. */
export interface MemoryClock {
  /** Milliseconds. */
  now(): number;
  /** Calls back once after that many milliseconds. */
  setTimer(callback: () => void, milliseconds: number): TimerId;
  /** Forgets a timer. */
  clearTimer(id: TimerId): void;
  /** Calls back soon, at the same time of the clock, never at once. */
  soon(callback: () => void): void;
  /** Waits until nothing more happens at the present time. */
  settle(): Promise<void>;
  /** Moves time on, event by event. */
  advance(milliseconds: number): Promise<void>;
}

/** Microtasks, counted: a world that still has some under way has not settled. */
abstract class SettlingClock {
  #events = 0;

  soon(callback: () => void): void {
    this.#events++;
    queueMicrotask(callback);
  }

  /** Says that something happened. */
  protected note(): void {
    this.#events++;
  }

  protected async quiet(): Promise<void> {
    let seen = this.#events;
    let quiet = 0;
    for (let round = 0; quiet < QUIET_ROUNDS; round++) {
      if (round === MOST_ROUNDS) {
        throw new Error("Cannot settle: there is always something to do");
      }
      await Promise.resolve();
      quiet = seen === this.#events ? quiet + 1 : 0;
      seen = this.#events;
    }
  }
}

interface Timer extends Due {
  readonly id: TimerId;
  readonly callback: () => void;
}

/**
 * A clock that moves only when told to. Timers run in the order of their time; those of the same
 * time in the order in which they were set.
 *
 * @example
 * ```ts
 * import { SimulatedClock } from "./simulated_clock.ts";
 *
 * const clock = new SimulatedClock();
 * let rang = 0;
 * clock.setTimer(() => rang = clock.now(), 50);
 * await clock.advance(1000);
 * if (rang !== 50) throw new Error("rang at the wrong time");
 * ```
 */
export class SimulatedClock extends SettlingClock implements MemoryClock {
  readonly #timers = new Deadlines<Timer>();
  readonly #byId = new Map<TimerId, Timer>();
  #now = 0;
  #lastId = 0;
  #moving = false;

  /** Milliseconds since the start. */
  now(): number {
    return this.#now;
  }

  /** Calls back once, while time moves over that point. */
  setTimer(callback: () => void, milliseconds: number): TimerId {
    const timer = { id: ++this.#lastId, callback, due: 0, place: -1 };
    this.#timers.set(timer, this.#now + Math.max(milliseconds, 0));
    this.#byId.set(timer.id, timer);
    return timer.id;
  }

  /** Forgets a timer. */
  clearTimer(id: TimerId): void {
    const timer = this.#byId.get(id);
    if (timer === undefined) return;
    this.#byId.delete(id);
    this.#timers.clear(timer);
  }

  /** Runs everything that is due now, and waits until nothing more happens. */
  settle(): Promise<void> {
    return this.advance(0);
  }

  /** Moves time on. Between two timers, all microtasks run. A timer that throws throws here. */
  async advance(milliseconds: number): Promise<void> {
    if (!(milliseconds >= 0)) {
      throw new RangeError("Cannot advance: time doesn't run backwards");
    }
    if (this.#moving) {
      throw new Error("Cannot advance: time is moving already");
    }
    this.#moving = true;
    try {
      const end = this.#now + milliseconds;
      await this.quiet();
      for (;;) {
        const timer = this.#timers.pop(end);
        if (timer === undefined) break;
        this.#byId.delete(timer.id);
        this.#now = timer.due;
        this.note();
        timer.callback();
        await this.quiet();
      }
      this.#now = end;
    } finally {
      this.#moving = false;
    }
  }
}

/**
 * A clock on `Date.now` and the global timers, looked up at each call so that fake ones drive it.
 *
 * Fake time may jump over many timers at once, with no microtask between them. So what falls due is
 * called in microtasks, behind the jump: the world finds that it stood still for a while, as a
 * process that was stopped does, instead of living hours in which nothing could arrive.
 *
 * @example
 * ```ts
 * import { GlobalClock } from "./simulated_clock.ts";
 *
 * const clock = new GlobalClock();
 * clock.clearTimer(clock.setTimer(() => {}, 50));
 * ```
 */
export class GlobalClock extends SettlingClock implements MemoryClock {
  /** Timers that have neither been called nor forgotten, with what the system calls them. */
  readonly #timers: Map<TimerId, number> = new Map();
  #lastId = 0;

  /** Milliseconds, as Date.now tells them. */
  now(): number {
    return Date.now();
  }

  /** Calls back once, behind setTimeout. */
  setTimer(callback: () => void, milliseconds: number): TimerId {
    const id = ++this.#lastId;
    const call = () => {
      if (this.#timers.delete(id)) callback();
    };
    // Deno gives an object that stands for a number, and takes that number back.
    this.#timers.set(id, Number(setTimeout(() => this.soon(call), milliseconds)));
    return id;
  }

  /** Forgets a timer, also one that is due and has not been called yet. */
  clearTimer(id: TimerId): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Waits until nothing more happens at the present time; runs no timer. */
  settle(): Promise<void> {
    return this.quiet();
  }

  /** Refused: whoever owns the global timers moves this clock. */
  advance(_milliseconds: number): Promise<void> {
    return Promise.reject(
      new Error("Cannot advance: the clock is global, tick the fake time"),
    );
  }
}
