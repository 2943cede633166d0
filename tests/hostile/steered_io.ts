/**
 * Deno's real TCP with a clock that moves only when a test says so: deadlines of half a minute pass
 * at once, on a live wire. Counts the timers that stand.
 *
 * @module
 */
import { denoIo } from "../../protocol/io/deno_io.ts";
import type { Io, IoAddress, IoConnection, IoListener, TimerId } from "../../protocol/io/io.ts";
import { SimulatedClock } from "../../protocol/io/simulated_clock.ts";

/** The real network, and time by hand. */
export class SteeredIo implements Io {
  /** Timers that stand. */
  readonly timers: Set<TimerId> = new Set();
  readonly #clock = new SimulatedClock();
  readonly #world = denoIo();

  listen(address: IoAddress, backlog: number): Promise<IoListener> {
    return this.#world.listen(address, backlog);
  }

  connect(address: IoAddress, signal: AbortSignal): Promise<IoConnection> {
    return this.#world.connect(address, signal);
  }

  now(): number {
    return this.#clock.now();
  }

  setTimer(callback: () => void, milliseconds: number): TimerId {
    const id = this.#clock.setTimer(() => {
      this.timers.delete(id);
      callback();
    }, milliseconds);
    this.timers.add(id);
    return id;
  }

  clearTimer(id: TimerId): void {
    this.timers.delete(id);
    this.#clock.clearTimer(id);
  }

  /** The same number always: half of every jitter. */
  random(): number {
    return 0.5;
  }

  /** Moves time on, timer by timer. */
  advance(milliseconds: number): Promise<void> {
    return this.#clock.advance(milliseconds);
  }
}
