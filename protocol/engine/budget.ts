/**
 * The memory that all peers share: every buffer comes from here and goes back here, so that one
 * number says what the transport holds. Small buffers are kept for the next taker.
 *
 * @module
 */
import { BUFFER_BYTES, WIRE_LIMITS } from "../zmtp/limits.ts";
import type { Memory } from "../zmtp/memory.ts";

/** Input and output buffers of all peers, in octets, unless told otherwise. */
export const BUDGET_BYTES = 512 * 1024 * 1024;

/** So far beyond its limit a budget is exhausted: one largest message. */
const GRACE_BYTES = WIRE_LIMITS.messageBytes;

const LEAST_BITS = 10;
/** Larger buffers aren't kept: they are rare, and the heap takes them back faster than we need them. */
const POOLED_BITS = 18;
/** Octets kept of each size at most, so that a burst doesn't stay resident. */
const KEPT_BYTES = 1024 * 1024;
/** And of the largest, in which large messages travel: with 1 MiB jobs of 64 KiB cost 1.4 times the CPU. */
const KEPT_LARGE_BYTES = 16 * 1024 * 1024;

/** A counted pool. Invariant: `used` is the sum of all buffers out there and all charges. */
export class Budget implements Memory {
  /** Octets in use. */
  used = 0;
  /** The most that was ever in use. */
  peak = 0;
  /** Octets of it that were charged: messages that wait for the application. */
  charged = 0;
  /** What unfinished messages may bring `used` to. */
  limit: number;
  readonly #kept: Uint8Array[][] = [];

  constructor(limit: number = BUDGET_BYTES) {
    this.limit = limit;
    for (let bits = 0; bits <= POOLED_BITS; bits++) this.#kept.push([]);
  }

  take(size: number): Uint8Array {
    if (size > BUFFER_BYTES) {
      throw new RangeError("Cannot take a buffer: it is larger than 1 GiB");
    }
    let bits = LEAST_BITS;
    while (1 << bits < size && bits <= POOLED_BITS) bits++;
    if (bits > POOLED_BITS) {
      const bytes = new Uint8Array((size + 65535) & ~65535);
      this.#add(bytes.length);
      return bytes;
    }
    this.#add(1 << bits);
    return this.#kept[bits]!.pop() ?? new Uint8Array(1 << bits);
  }

  give(bytes: Uint8Array): void {
    const size = bytes.length;
    this.used -= size;
    const bits = 31 - Math.clz32(size);
    // A buffer of 320 KiB must not come back as one of 256 KiB: the count would be wrong for good.
    if (bits > POOLED_BITS || size !== 1 << bits) return;
    const kept = this.#kept[bits]!;
    const most = bits === POOLED_BITS ? KEPT_LARGE_BYTES : KEPT_BYTES;
    if (kept.length * size < most) kept.push(bytes);
  }

  /** Counts octets that are held elsewhere, such as in a receive queue. */
  charge(size: number): void {
    this.charged += size;
    this.#add(size);
  }

  /** Those octets are gone. */
  discharge(size: number): void {
    this.charged -= size;
    this.used -= size;
  }

  /** Whether `size` more octets fit. */
  allows(size: number): boolean {
    return this.used + size <= this.limit;
  }

  /** Whether nobody gets anything any more, however little he has. */
  get exhausted(): boolean {
    return this.used > this.limit + GRACE_BYTES;
  }

  #add(size: number): void {
    this.used += size;
    if (this.used > this.peak) this.peak = this.used;
  }
}
