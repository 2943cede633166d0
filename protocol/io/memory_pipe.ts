/**
 * One direction of a connection in memory: a bounded buffer with latency. It takes what fits, as
 * TCP's window does, and the writer waits for the rest until the reader has read.
 *
 * @module
 */
import type { MemoryClock } from "./simulated_clock.ts";

/** Who is told at the two ends of a pipe. */
export interface PipeEvents {
  /** The pending read brought `count` octets; 0 is the end of the stream. */
  onRead(count: number): void;
  /** The pending write took `count` octets. */
  onWritten(count: number): void;
  /** The writer wrote again although the reader is gone. */
  onBroken(): void;
}

/** What a pipe needs. */
export interface PipeSettings {
  /** Tells the time and calls back. */
  readonly clock: MemoryClock;
  /** Octets that may be under way or unread. */
  readonly window: number;
  /** Milliseconds for the next octets; asked once a write. */
  readonly latency: () => number;
  /** Who is told. */
  readonly events: PipeEvents;
}

/** The octets that a pipe may still hand over; several pipes may share one. */
export interface Allowance {
  /** Octets left; the pipe counts down. */
  left: number;
  /** Called when none is left. */
  readonly onSpent: () => void;
}

const END = new Uint8Array(0);

/** One direction. All completions come from `#pump()`, which runs as a microtask. */
export class MemoryPipe {
  readonly #settings: PipeSettings;
  /** Under way, the oldest first; `END` is the end of the stream. */
  #flying: Uint8Array[] = [];
  /** Arrived and unread, the oldest first. */
  #landed: Uint8Array[] = [];
  /** Octets in `#flying` and `#landed`; never above the window. */
  #held = 0;
  /** When the newest octets under way arrive: later ones don't overtake them. */
  #lastArrival = -Infinity;
  #into: Uint8Array | undefined;
  #from: Uint8Array | undefined;
  #finishing = false;
  #ended = false;
  #pumping = false;
  #stalled = false;
  #leaking = false;
  #readerGone = false;
  #broken = false;
  #allowance: Allowance | undefined;

  /** Makes an empty pipe. */
  constructor(settings: PipeSettings) {
    this.#settings = settings;
  }

  /** Octets taken and not yet read. */
  get held(): number {
    return this.#held;
  }

  /** Asks for octets. */
  read(into: Uint8Array): void {
    if (this.#into !== undefined) {
      throw new Error("Cannot read: a read is under way");
    }
    if (into.length === 0) throw new RangeError("Cannot read: no room");
    this.#into = into;
    this.#wake();
  }

  /** Asks to send octets. */
  write(bytes: Uint8Array): void {
    if (this.#from !== undefined) {
      throw new Error("Cannot write: a write is under way");
    }
    if (bytes.length === 0) throw new RangeError("Cannot write: no octets");
    if (this.#finishing) throw new Error("Cannot write: the stream was ended");
    this.#from = bytes;
    this.#wake();
  }

  /** Ends the stream after a write that is under way. */
  finish(): void {
    this.#finishing = true;
    this.#wake();
  }

  /** The writer is gone: its pending write is forgotten, what was taken still arrives. */
  dropWriter(): void {
    this.#from = undefined;
    this.finish();
  }

  /** The reader is gone: what comes now vanishes. */
  dropReader(): void {
    this.#readerGone = true;
    this.#into = undefined;
    this.#empty();
    this.#wake();
  }

  /** Both are gone. */
  destroy(): void {
    this.dropReader();
    this.#from = undefined;
    this.#finishing = this.#ended = true;
  }

  /** While on, nothing that arrived is handed over, and so the window fills. */
  stall(on: boolean): void {
    this.#stalled = on;
    this.#wake();
  }

  /** From now on octets and the end of the stream vanish, and the writer sees no difference. */
  leak(): void {
    this.#leaking = true;
    for (const bytes of this.#flying) this.#held -= bytes.length;
    this.#flying = [];
    this.#wake();
  }

  /** Hands over only so many more octets. */
  limit(allowance: Allowance): void {
    this.#allowance = allowance;
  }

  #wake(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    this.#settings.clock.soon(this.#pump);
  }

  readonly #pump = (): void => {
    this.#pumping = false;
    this.#hand();
    this.#take();
    if (this.#finishing && !this.#ended && this.#from === undefined) {
      this.#ended = true;
      this.#send(END);
    }
  };

  /** Gives the reader what has arrived. */
  #hand(): void {
    const into = this.#into;
    const first = this.#landed[0];
    if (into === undefined || first === undefined || this.#stalled) return;
    this.#into = undefined;
    if (first === END) {
      this.#settings.events.onRead(0);
      return;
    }
    const most = Math.min(into.length, this.#allowance?.left ?? Infinity);
    const count = this.#fill(into.subarray(0, most));
    this.#held -= count;
    if (this.#from !== undefined) this.#wake();
    const allowance = this.#allowance;
    if (allowance !== undefined) allowance.left -= count;
    this.#settings.events.onRead(count);
    if (allowance !== undefined && allowance.left <= 0) allowance.onSpent();
  }

  #fill(into: Uint8Array): number {
    let at = 0;
    while (at < into.length) {
      const bytes = this.#landed[0];
      if (bytes === undefined || bytes === END) break;
      const count = Math.min(bytes.length, into.length - at);
      into.set(bytes.subarray(0, count), at);
      at += count;
      if (count === bytes.length) this.#landed.shift();
      else this.#landed[0] = bytes.subarray(count);
    }
    return at;
  }

  /** Takes from the writer what fits. */
  #take(): void {
    const from = this.#from;
    if (from === undefined) return;
    if (this.#broken) {
      this.#from = undefined;
      this.#settings.events.onBroken();
      return;
    }
    const lost = this.#leaking || this.#readerGone;
    const room = lost ? from.length : this.#settings.window - this.#held;
    if (room <= 0) return;
    this.#from = undefined;
    const count = Math.min(room, from.length);
    // As TCP does: the first write to a reader that left succeeds, and brings the bad news.
    this.#broken = this.#readerGone && !this.#leaking;
    if (!lost) {
      this.#held += count;
      this.#send(from.slice(0, count));
    }
    this.#settings.events.onWritten(count);
  }

  #send(bytes: Uint8Array): void {
    if (this.#leaking || this.#readerGone) return;
    const { clock, latency } = this.#settings;
    const now = clock.now();
    const arrival = Math.max(now + latency(), this.#lastArrival);
    this.#lastArrival = arrival;
    this.#flying.push(bytes);
    if (arrival > now) clock.setTimer(this.#land, arrival - now);
    else this.#land();
  }

  /** The oldest octets under way arrive, whichever timer it was: a stream keeps its order. */
  readonly #land = (): void => {
    const bytes = this.#flying.shift();
    if (bytes === undefined) return;
    this.#landed.push(bytes);
    if (this.#into !== undefined) this.#wake();
  };

  #empty(): void {
    this.#flying = [];
    this.#landed = [];
    this.#held = 0;
  }
}
