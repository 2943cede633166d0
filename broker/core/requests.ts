/**
 * Requests by the id that their client chose: which job one is while it lives, and what came of it
 * for a while afterwards, so that a repeat is the same request and not a new job.
 *
 * An open-addressed table over typed arrays: a million remembered ids cost no object each. The hash
 * is mixed with a seed that no client knows.
 *
 * @module
 */
import type { RequestMemory } from "./request_memory.ts";

/** Octets of a request id. */
export const REQUEST_ID_BYTES = 16;

/** No entry of that id. */
export const UNKNOWN = 0;

const FIRST_PLACES = 1024;

/** Ids to entries: a positive number is a job's row + 1, a negative one a place in the memory. */
export class Requests {
  /** What came of finished requests. */
  readonly memory: RequestMemory;
  #ids: Uint32Array = new Uint32Array(4 * FIRST_PLACES);
  #entries: Int32Array = new Int32Array(FIRST_PLACES);
  #mask = FIRST_PLACES - 1;
  #size = 0;
  readonly #seed: number;
  /** The id that was read last. */
  readonly #id = new Uint32Array(4);

  constructor(seed: number, memory: RequestMemory) {
    this.#seed = seed >>> 0;
    this.memory = memory;
  }

  /** Ids that are known. */
  get size(): number {
    return this.#size;
  }

  /** The entry of an id, `UNKNOWN` if there is none. */
  find(bytes: Uint8Array, at: number): number {
    return this.#entries[this.#placeOf(bytes, at)]!;
  }

  /** A new request is that job. */
  begin(bytes: Uint8Array, at: number, row: number): void {
    this.#set(this.#placeOf(bytes, at), row + 1);
  }

  /** A request is over, and nothing of it is to be remembered. */
  forget(bytes: Uint8Array, at: number): void {
    const place = this.#placeOf(bytes, at);
    if (this.#entries[place] !== UNKNOWN) this.#delete(place);
  }

  /** A request is over; `reply` is what to say if it is asked again, if that is kept. */
  finish(bytes: Uint8Array, at: number, now: number, code: number, reply?: Uint8Array): void {
    const place = this.#placeOf(bytes, at);
    if (this.#memory.most === 0) {
      if (this.#entries[place] !== UNKNOWN) this.#delete(place);
      return;
    }
    const slot = this.#memory.keep(bytes, at, now, code, reply);
    this.#set(place, -1 - slot);
    if (this.#memory.over) this.#forgetOldest();
  }

  /** Forgets what was finished before that time. */
  expire(before: number): void {
    while (this.#memory.oldestTime < before) this.#forgetOldest();
  }

  /** Forgets the oldest finished request, unless its id stands for another one by now. */
  #forgetOldest(): void {
    const memory = this.#memory;
    const place = this.#placeOf(memory.oldestId, 0);
    if (this.#entries[place] === -1 - memory.oldestSlot) this.#delete(place);
    memory.drop();
  }

  get #memory(): RequestMemory {
    return this.memory;
  }

  #set(place: number, entry: number): void {
    const isNew = this.#entries[place] === UNKNOWN;
    this.#entries[place] = entry;
    if (!isNew) return;
    this.#ids.set(this.#id, 4 * place);
    this.#size++;
    if (this.#size * 2 > this.#mask) this.#grow();
  }

  /** Where an id stands or would stand. */
  #placeOf(bytes: Uint8Array, at: number): number {
    const id = this.#id;
    for (let i = 0; i < 4; i++) {
      const from = at + 4 * i;
      id[i] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) |
        bytes[from + 3]!;
    }
    const ids = this.#ids;
    let place = this.#hash(id, 0) & this.#mask;
    while (this.#entries[place] !== UNKNOWN) {
      const other = 4 * place;
      if (
        ids[other] === id[0] && ids[other + 1] === id[1] && ids[other + 2] === id[2] &&
        ids[other + 3] === id[3]
      ) break;
      place = (place + 1) & this.#mask;
    }
    return place;
  }

  #hash(ids: Uint32Array, at: number): number {
    let hash = this.#seed;
    for (let i = at; i < at + 4; i++) {
      hash = Math.imul(hash ^ ids[i]!, 0x85eb_ca6b);
      hash ^= hash >>> 13;
      hash = Math.imul(hash, 0xc2b2_ae35);
      hash ^= hash >>> 16;
    }
    return hash >>> 0;
  }

  /** Takes an entry out, and closes the gap so that whoever was pushed along is still found. */
  #delete(from: number): void {
    const mask = this.#mask;
    let gap = from;
    for (let at = (gap + 1) & mask; this.#entries[at] !== UNKNOWN; at = (at + 1) & mask) {
      const home = this.#hash(this.#ids, 4 * at) & mask;
      if (((at - home) & mask) < ((at - gap) & mask)) continue;
      this.#ids.copyWithin(4 * gap, 4 * at, 4 * at + 4);
      this.#entries[gap] = this.#entries[at]!;
      gap = at;
    }
    this.#entries[gap] = UNKNOWN;
    this.#size--;
  }

  #grow(): void {
    const ids = this.#ids;
    const entries = this.#entries;
    const places = entries.length * 2;
    this.#ids = new Uint32Array(4 * places);
    this.#entries = new Int32Array(places);
    this.#mask = places - 1;
    for (let from = 0; from < entries.length; from++) {
      if (entries[from] === UNKNOWN) continue;
      let place = this.#hash(ids, 4 * from) & this.#mask;
      while (this.#entries[place] !== UNKNOWN) place = (place + 1) & this.#mask;
      this.#ids.set(ids.subarray(4 * from, 4 * from + 4), 4 * place);
      this.#entries[place] = entries[from]!;
    }
  }
}
