/**
 * What came of the requests that finished last, oldest first, bounded in number and in octets.
 *
 * @module
 */

/** What came of a request: a reply. */
export const ANSWERED = 0;
/** An EXEC was run. */
export const EXECUTED = 1;
/** A stream came to its end. */
export const STREAMED = 2;
/** An error; what is kept is its code and sentence. */
export const FAILED = 3;

const FIRST_SLOTS = 1024;
const ID_BYTES = 16;

/** What is told of a slot outside: small enough for a typed array, with the same low bits. */
const SLOT_MASK = 2 ** 30 - 1;

/** A queue in a circle, its length a power of two: the low bits of a slot say where it lies. */
export class RequestMemory {
  /** Requests remembered at most; 0 for none. */
  readonly most: number;
  readonly #mostBytes: number;
  readonly #mostReply: number;
  #ids: Uint8Array = new Uint8Array(ID_BYTES * FIRST_SLOTS);
  #times: Float64Array = new Float64Array(FIRST_SLOTS);
  #codes: Uint8Array = new Uint8Array(FIRST_SLOTS);
  #replies: (Uint8Array | undefined)[] = new Array(FIRST_SLOTS);
  #first: number;
  #end: number;
  /** The oldest slot whose reply may still be kept. */
  #firstReply: number;
  #bytes = 0;

  /** `firstSlot` is for tests: slots are counted from there. */
  constructor(most: number, mostBytes: number, mostReply: number, firstSlot = 0) {
    this.most = most;
    this.#mostBytes = mostBytes;
    this.#mostReply = mostReply;
    this.#first = this.#end = this.#firstReply = firstSlot;
  }

  /** Requests that are remembered. */
  get size(): number {
    return this.#end - this.#first;
  }

  /** Octets of replies that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Remembers a request; gives its slot. */
  keep(id: Uint8Array, at: number, now: number, code: number, reply?: Uint8Array): number {
    if (this.#end - this.#first === this.#times.length) this.#grow();
    const slot = this.#end++;
    const place = this.#place(slot);
    this.#ids.set(id.subarray(at, at + ID_BYTES), ID_BYTES * place);
    this.#times[place] = now;
    this.#codes[place] = code;
    this.#replies[place] = undefined;
    if (reply !== undefined && reply.length <= this.#mostReply) {
      this.#replies[place] = reply;
      this.#bytes += reply.length;
      while (this.#bytes > this.#mostBytes) this.#dropReply(this.#firstReply++);
    }
    return slot % (SLOT_MASK + 1);
  }

  /** The code that was kept with a slot. */
  code(slot: number): number {
    return this.#codes[this.#place(slot)]!;
  }

  /** The reply that was kept with a slot, if it still is. */
  reply(slot: number): Uint8Array | undefined {
    return this.#replies[this.#place(slot)];
  }

  /** Whether there is one too many. */
  get over(): boolean {
    return this.#end - this.#first > this.most;
  }

  /** When the oldest one was finished; never, if there is none. */
  get oldestTime(): number {
    return this.#first === this.#end ? Infinity : this.#times[this.#place(this.#first)]!;
  }

  /** The slot of the oldest one. */
  get oldestSlot(): number {
    return this.#first % (SLOT_MASK + 1);
  }

  /** The id of the oldest one, valid until something is kept. */
  get oldestId(): Uint8Array {
    const at = ID_BYTES * this.#place(this.#first);
    return this.#ids.subarray(at, at + ID_BYTES);
  }

  /** Forgets the oldest one. */
  drop(): void {
    if (this.#first === this.#end) throw new Error("Cannot drop a request: there is none");
    this.#dropReply(this.#first++);
    if (this.#firstReply < this.#first) this.#firstReply = this.#first;
  }

  #place(slot: number): number {
    return slot % this.#times.length;
  }

  #dropReply(slot: number): void {
    const place = this.#place(slot);
    const reply = this.#replies[place];
    if (reply === undefined) return;
    this.#bytes -= reply.length;
    this.#replies[place] = undefined;
  }

  #grow(): void {
    const old = this.#times.length;
    const length = old * 2;
    const ids = new Uint8Array(ID_BYTES * length);
    const times = new Float64Array(length);
    const codes = new Uint8Array(length);
    // Of that length from the start: one that begins far from 0 would become a slow map.
    const replies: (Uint8Array | undefined)[] = new Array(length);
    for (let slot = this.#first; slot < this.#end; slot++) {
      const from = slot % old;
      const to = slot % length;
      ids.set(this.#ids.subarray(ID_BYTES * from, ID_BYTES * (from + 1)), ID_BYTES * to);
      times[to] = this.#times[from]!;
      codes[to] = this.#codes[from]!;
      replies[to] = this.#replies[from];
    }
    this.#ids = ids;
    this.#times = times;
    this.#codes = codes;
    this.#replies = replies;
  }
}
