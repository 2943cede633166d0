/**
 * One turn of the event loop: the clock is read once in it, and at its end every peer that has
 * output is flushed once, so that many messages go out in one write.
 *
 * Deno runs microtasks after a batch of completed reads, so the first one queues the end of the
 * turn behind all others of the batch. An application that awaits each message gets its turns
 * between these microtasks: with patience the end waits until none of them has added output.
 *
 * @module
 */
import type { Io } from "../io/io.ts";
import type { Link } from "./link.ts";
import type { Peer } from "./peer.ts";

/** Microtasks after which a turn ends however busy it is: about a thousand messages of a loop. */
const MOST_WAITS = 4096;

/** The present turn. */
export class Turn {
  readonly #io: Io;
  readonly #patience: number;
  #dirty: Peer[] = [];
  #later: Link[] = [];
  #ending = false;
  #now = -1;
  /** How many microtasks have passed without new output. */
  #quiet = 0;
  /** How many microtasks this turn has waited for. */
  #waits = 0;

  /**
   * Reads the clock of this world. `patience` is how many microtasks without new output end a turn
   * that has some: none where handlers answer before they return.
   */
  constructor(io: Io, patience = 0) {
    this.#io = io;
    this.#patience = patience;
  }

  /** The time, read once a turn. */
  now(): number {
    if (this.#now < 0) {
      this.#now = this.#io.now();
      this.#endSoon();
    }
    return this.#now;
  }

  /** That peer has more output: it is flushed at the end of this turn. */
  markDirty(peer: Peer): void {
    this.#quiet = 0;
    if (peer.dirty) return;
    peer.dirty = true;
    this.#dirty.push(peer);
    this.#endSoon();
  }

  /** That link goes on reading at the end of this turn, outside of any callback. */
  later(link: Link): void {
    this.#later.push(link);
    this.#endSoon();
  }

  #endSoon(): void {
    if (this.#ending) return;
    this.#ending = true;
    queueMicrotask(this.#end);
  }

  readonly #end = (): void => {
    this.#ending = false;
    const later = this.#later;
    if (later.length > 0) {
      this.#later = [];
      for (const link of later) link.proceed();
    }
    const dirty = this.#dirty;
    if (dirty.length > 0 && this.#quiet++ < this.#patience && this.#waits++ < MOST_WAITS) {
      return this.#endSoon();
    }
    this.#waits = 0;
    this.#dirty = [];
    for (const peer of dirty) {
      peer.dirty = false;
      peer.link?.flush();
    }
    this.#now = -1;
  };
}
