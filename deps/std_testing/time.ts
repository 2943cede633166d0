/**
 * `@std/testing/time` where JSR is out of reach: `FakeTime` with the same API, over
 * `@sinonjs/fake-timers`. It fakes Date, the four timer functions and `AbortSignal.timeout`, and
 * leaves `performance.now`, `queueMicrotask` and promises alone, as the original does.
 *
 * @module
 */

import fakeTimers from "npm:@sinonjs/fake-timers@15.4.0";

/** Thrown when time is faked twice, or restored while it is real. */
export class TimeError extends Error {
  /** Takes what went wrong. */
  constructor(message: string) {
    super(message);
    this.name = "TimeError";
  }
}

/** Options of {@linkcode FakeTime}: let fake time run along with real time. */
export interface FakeTimeOptions {
  /** Fake milliseconds for each real one. */
  advanceRate: number;
  /** How often fake time moves, in real milliseconds; 10 unless told. */
  advanceFrequency?: number;
}

/** Options of {@linkcode FakeTime.delay}. */
export interface DelayOptions {
  /** Rejects the wait with its reason when aborted. */
  signal?: AbortSignal;
  /** Whether the wait keeps the process alive; true unless told. */
  persistent?: boolean;
}

type Clock = ReturnType<typeof fakeTimers.createClock>;

/** One global that is exchanged: where it lives, its name, and what takes its place. */
type Swap = [host: object, name: PropertyKey, fake: unknown];

const real = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
};

/** `AbortSignal.timeout` on a fake clock. */
function timeoutOn(clock: Clock): (ms: number) => AbortSignal {
  return (ms) => {
    const controller = new AbortController();
    const expire = () => controller.abort(new DOMException("Signal timed out.", "TimeoutError"));
    clock.setTimeout(expire, ms);
    return controller.signal;
  };
}

/** Puts fakes in place; the returned function puts the originals back. */
function install(swaps: readonly Swap[]): () => void {
  const undo = swaps.map(([host, name, fake]) => {
    const original = Object.getOwnPropertyDescriptor(host, name)!;
    const { enumerable } = original;
    Object.defineProperty(host, name, {
      value: fake,
      writable: true,
      configurable: true,
      enumerable: enumerable ?? false,
    });
    return () => Object.defineProperty(host, name, original);
  });
  return () => undo.forEach((put) => put());
}

/** The one that holds the globals now; there is at most one. */
let current: FakeTime | undefined;

/**
 * Date and timers under the hand of a test.
 *
 * @example Usage
 * ```ts
 * import { FakeTime } from "@std/testing/time";
 *
 * using time = new FakeTime(0);
 * let rang = false;
 * setTimeout(() => rang = true, 60_000);
 * time.tick(60_000);
 * if (!rang || Date.now() !== 60_000) throw new Error("time stood still");
 * ```
 */
export class FakeTime implements Disposable {
  readonly #clock: Clock;
  readonly #start: number;
  readonly #swaps: readonly Swap[];
  readonly #stopAdvancing: () => void;
  #uninstall: () => void;

  /** Fakes time from `start`, or from the present. */
  constructor(start?: number | string | Date | null, options?: FakeTimeOptions) {
    if (current !== undefined) throw new TimeError("Cannot construct FakeTime: time is faked");
    const from = new real.Date(start ?? real.Date.now()).valueOf();
    if (Number.isNaN(from)) throw new TypeError(`Cannot construct FakeTime: bad start ${start}`);
    const clock = fakeTimers.createClock(from);
    this.#clock = clock;
    this.#start = from;
    this.#swaps = [
      [globalThis, "Date", clock.Date],
      [globalThis, "setTimeout", clock.setTimeout],
      [globalThis, "clearTimeout", clock.clearTimeout],
      [globalThis, "setInterval", clock.setInterval],
      [globalThis, "clearInterval", clock.clearInterval],
      [AbortSignal, "timeout", timeoutOn(clock)],
    ];
    this.#stopAdvancing = this.#advance(options);
    this.#uninstall = install(this.#swaps);
    current = this;
  }

  /** Gives real time back, whoever faked it. */
  static restore(): void {
    if (current === undefined) throw new TimeError("Cannot restore time: time is real");
    current.restore();
  }

  /** Runs `callback` in real time, then goes on with the fake. */
  static async restoreFor<T, Args extends unknown[]>(
    callback: (...args: Args) => Promise<T> | T,
    ...args: Args
  ): Promise<T> {
    const fake = current;
    if (fake === undefined) throw new TimeError("Cannot restore time: time is real");
    fake.#uninstall();
    try {
      return await callback(...args);
    } finally {
      fake.#uninstall = install(fake.#swaps);
    }
  }

  /** The fake present, in milliseconds since 1970. Setting it calls what falls due on the way. */
  get now(): number {
    return this.#clock.now;
  }
  set now(value: number) {
    if (value < this.#clock.now) throw new RangeError("Cannot set time in the past");
    this.#clock.tick(value - this.#clock.now);
  }

  /** The fake time at the beginning. */
  get start(): number {
    return this.#start;
  }

  /** Resolves after so many milliseconds of real time. */
  delay(ms: number, options: DelayOptions = {}): Promise<void> {
    const { signal, persistent = true } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const timer = real.setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      if (!persistent) Deno.unrefTimer(Number(timer));
      const abort = () => {
        real.clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Lets all pending microtasks run. */
  async runMicrotasks(): Promise<void> {
    await this.delay(0);
  }

  /** Moves fake time forward, calling what falls due on the way. */
  tick(ms = 0): void {
    this.now += ms;
  }

  /** Runs pending microtasks, then moves fake time forward. */
  async tickAsync(ms = 0): Promise<void> {
    await this.runMicrotasks();
    this.tick(ms);
  }

  /** Moves to the next timer and calls it; false if there is none. */
  next(): boolean {
    if (this.#clock.countTimers() === 0) return false;
    this.#clock.next();
    return true;
  }

  /** Runs pending microtasks, then moves to the next timer. */
  async nextAsync(): Promise<boolean> {
    await this.runMicrotasks();
    return this.next();
  }

  /** Calls timer after timer until none is left. */
  runAll(): void {
    while (this.next());
  }

  /** Calls timer after timer until none is left, with microtasks before each. */
  async runAllAsync(): Promise<void> {
    while (this.#clock.countTimers() > 0) await this.nextAsync();
  }

  /** Gives real time back. */
  restore(): void {
    if (current !== this) throw new TimeError("Cannot restore time: it is not faked by this");
    this.#stopAdvancing();
    this.#uninstall();
    current = undefined;
  }

  /** Gives real time back; does nothing if that is done. */
  [Symbol.dispose](): void {
    if (current === this) this.restore();
  }

  #advance(options: FakeTimeOptions | undefined): () => void {
    const rate = options?.advanceRate ?? 0;
    if (rate <= 0) return () => {};
    const frequency = options?.advanceFrequency ?? 10;
    if (frequency <= 0) throw new RangeError("Cannot construct FakeTime: advanceFrequency <= 0");
    const timer = real.setInterval(() => this.tick(rate * frequency), frequency);
    return () => real.clearInterval(timer);
  }
}
