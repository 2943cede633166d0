/**
 * Messages that have arrived and wait to be received: one queue for each peer, taken from in
 * turn, so that a busy peer can't starve the others.
 *
 * @module
 */
import type { Budget } from "../engine/budget.ts";
import type { Peer } from "../engine/peer.ts";
import type { Frame } from "./frame.ts";

/** Octets of one peer that may wait, whatever the high-water mark in messages says. */
export const WAITING_BYTES = 64 * 1024 * 1024;

/** A peer as a socket sees it: its queue, and what routing knows of it. */
export class Pipe {
  readonly peer: Peer;
  /** What a Router calls it. */
  address: Uint8Array | undefined;
  /** Arrived messages from `first` on. */
  queue: Frame[][] = [];
  first = 0;
  bytes = 0;
  paused = false;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  get waiting(): number {
    return this.queue.length - this.first;
  }
}

/** Queues in turn. Invariant: a pipe is in the ring exactly while it has messages waiting. */
export class FairQueue {
  #ring: Pipe[] = [];
  #turn = 0;
  #count = 0;
  /** The pipe of the message taken last. */
  from: Pipe | undefined;
  /** Messages of one peer that may wait; 0 for no limit. */
  highWaterMark = 1000;

  get empty(): boolean {
    return this.#count === 0;
  }

  /** Puts a message at the end of its peer's queue; pauses the peer at the mark. */
  push(pipe: Pipe, frames: Frame[], size: number, budget: Budget): void {
    if (pipe.waiting === 0) this.#ring.push(pipe);
    pipe.queue.push(frames);
    pipe.bytes += size;
    budget.charge(size);
    this.#count++;
    if (!pipe.paused && (this.#isFull(pipe) || !budget.allows(0))) {
      pipe.paused = true;
      pipe.peer.pause();
    }
  }

  /** The next message in turn, or undefined. */
  shift(budget: Budget): Frame[] | undefined {
    if (this.#count === 0) return undefined;
    if (this.#turn >= this.#ring.length) this.#turn = 0;
    const pipe = this.#ring[this.#turn]!;
    const frames = pipe.queue[pipe.first]!;
    pipe.queue[pipe.first++] = undefined as unknown as Frame[];
    let size = 0;
    for (let i = 0; i < frames.length; i++) size += frames[i]!.length;
    pipe.bytes -= size;
    budget.discharge(size);
    this.#count--;
    if (pipe.waiting === 0) {
      pipe.queue = [];
      pipe.first = 0;
      this.#ring.splice(this.#turn, 1);
    } else {
      if (pipe.first > 512 && pipe.first * 2 > pipe.queue.length) {
        pipe.queue = pipe.queue.slice(pipe.first);
        pipe.first = 0;
      }
      this.#turn++;
    }
    this.#resume(pipe, budget);
    this.from = pipe;
    return frames;
  }

  /** Throws everything away. */
  clear(budget: Budget): void {
    while (this.shift(budget) !== undefined);
  }

  #isFull(pipe: Pipe): boolean {
    const mark = this.highWaterMark;
    return (mark > 0 && pipe.waiting >= mark) || pipe.bytes >= WAITING_BYTES;
  }

  /** Reads a peer again that has room, and memory too or nothing waiting: one of them will come. */
  #resume(pipe: Pipe, budget: Budget): void {
    if (!pipe.paused || pipe.bytes > WAITING_BYTES / 2) return;
    if (pipe.waiting > 0 && !budget.allows(0)) return;
    if (this.highWaterMark > 0 && pipe.waiting > this.highWaterMark >> 1) {
      return;
    }
    pipe.paused = false;
    pipe.peer.resume();
  }
}
