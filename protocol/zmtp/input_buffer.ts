/**
 * What one peer has sent and nobody has parsed yet. The octets from `head` to `tail` are waiting;
 * `room()` gives where the next read may go. Grows with what has really arrived, never with what
 * a peer has merely announced.
 *
 * @module
 */
import { type Memory, NO_BYTES } from "./memory.ts";

/** The first buffer of a connection: an idle one costs no more than this. */
export const FIRST_INPUT_BYTES = 2 * 1024;
/** Reads don't grow past this by themselves; only an unfinished message grows it further. */
export const READ_BYTES = 256 * 1024;
/** A buffer with less room than this is compacted or grown before the next read. */
const LEAST_ROOM = 1024;

/** One peer's unparsed input. Invariant: 0 <= head <= tail <= bytes.length. */
export class InputBuffer {
  bytes: Uint8Array = NO_BYTES;
  head = 0;
  tail = 0;
  /** Size of the next buffer: grows on full reads, shrinks when they are small. */
  #wish = FIRST_INPUT_BYTES;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Octets that wait. */
  get waiting(): number {
    return this.tail - this.head;
  }

  /** How long the buffer must become so that `needed` octets from `head` on fit; 0 if they do. */
  growth(needed: number): number {
    const want = Math.max(
      this.#wish,
      Math.min(needed, Math.max(2 * this.waiting, READ_BYTES)),
    );
    const length = this.bytes.length;
    // A large buffer grows when it is nearly full, not before: else each small read would copy it.
    if (length >= READ_BYTES && length - this.waiting > length >> 3) return 0;
    return want > length ? want : 0;
  }

  /** Memory is short: the next buffer is a small one, unless an unfinished message needs more. */
  save(): void {
    this.#wish = FIRST_INPUT_BYTES;
  }

  /**
   * Where the next read goes. `needed` is the length of the message that `head` stands on as far
   * as it is known, 0 if nothing waits.
   */
  room(needed: number): Uint8Array {
    if (this.head === this.tail) {
      this.head = this.tail = 0;
      if (this.bytes.length !== this.#wish && this.#isFarOff()) {
        this.#replace(this.#wish);
      }
      return this.bytes;
    }
    const grown = this.growth(needed);
    if (grown > 0) {
      this.#replace(grown);
    } else if (
      this.head > 0 &&
      (this.bytes.length - this.tail < LEAST_ROOM ||
        this.head + needed > this.bytes.length)
    ) {
      this.bytes.copyWithin(0, this.head, this.tail);
      this.tail -= this.head;
      this.head = 0;
    }
    if (this.tail === this.bytes.length) this.#replace(this.bytes.length * 2);
    return this.tail === 0 ? this.bytes : this.bytes.subarray(this.tail);
  }

  /** A read brought `count` octets into the room of `size` octets given last. */
  filled(count: number, size: number): void {
    this.tail += count;
    if (count === size && this.#wish < READ_BYTES) {
      this.#wish = Math.min(READ_BYTES, this.#wish * 4);
    } else if (count * 16 < this.#wish && this.#wish > FIRST_INPUT_BYTES) {
      this.#wish >>= 1;
    }
  }

  /** Nothing is read for a while: keeps what waits, and no room beyond a first buffer's. */
  trim(): void {
    if (this.waiting === 0) return this.release();
    const least = Math.max(this.waiting, FIRST_INPUT_BYTES);
    if (this.bytes.length >= 2 * least) this.#replace(least);
  }

  /** Gives the buffer back. */
  release(): void {
    if (this.bytes.length > 0) this.#memory.give(this.bytes);
    this.bytes = NO_BYTES;
    this.head = this.tail = 0;
  }

  #isFarOff(): boolean {
    return this.bytes.length < this.#wish || this.bytes.length > 4 * this.#wish;
  }

  #replace(size: number): void {
    const old = this.bytes;
    const bytes = this.#memory.take(size);
    if (this.tail > this.head) bytes.set(old.subarray(this.head, this.tail), 0);
    this.tail -= this.head;
    this.head = 0;
    this.bytes = bytes;
    if (old.length > 0) this.#memory.give(old);
  }
}
