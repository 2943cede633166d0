/**
 * All jobs that the broker holds, as a table: a row for each, a typed array for each column, so that
 * a job costs no object. A row is waiting, running or a dead letter, and stands in one list of that
 * kind and in its client's list. This file keeps rows and lists; who decides is the core.
 *
 * @module
 */
import { BodyStore } from "./body_store.ts";

/** What a row is. */
export const FREE = 0;
/** In a backlog. */
export const WAITING = 1;
/** At a worker. */
export const RUNNING = 2;
/** Kept for an operator. */
export const DEAD = 3;

/** A client's body that is passed on as it is. */
export const OPAQUE = 0;
/** Native: no reply. */
export const EXEC_JOB = 1;
/** Native: one reply. */
export const TRACK_JOB = 2;
/** Native: a reply in chunks. */
export const STREAM_JOB = 3;

/** Its body is a word that a READY worker would misunderstand. */
export const RESERVED_BODY = 1;
/** Its headers carry a timeout. */
export const TIMED = 2;
/** A chunk of its stream was delivered: it can't run again. */
export const CHUNKED = 4;
/** It has a deadline object. */
export const DATED = 8;
/** Its client cancelled it or is gone: what comes of it is dropped, and it doesn't run again. */
export const ABANDONED = 16;

/** No row. */
export const NO_ROW = -1;

/** A list of rows. */
export interface RowList {
  first: number;
  last: number;
  length: number;
}

/** An empty list. */
export function rowList(): RowList {
  return { first: NO_ROW, last: NO_ROW, length: 0 };
}

const FIRST_ROWS = 1024;

/** The segment of a row that is free. */
const NO_RECORD = -1;

/** The table. */
export class Jobs {
  readonly store: BodyStore = new BodyStore();
  /** Rows in use. */
  size = 0;

  state: Uint8Array = new Uint8Array(FIRST_ROWS);
  kind: Uint8Array = new Uint8Array(FIRST_ROWS);
  flags: Uint8Array = new Uint8Array(FIRST_ROWS);
  /** Attempts that were started. */
  attempts: Uint8Array = new Uint8Array(FIRST_ROWS);
  service: Uint16Array = new Uint16Array(FIRST_ROWS);
  /** Changes with each attempt and each new job: fences off late answers. */
  generation: Uint32Array = new Uint32Array(FIRST_ROWS);
  /** The client's index, -1 if nobody waits. */
  client: Int32Array = new Int32Array(FIRST_ROWS);
  /** The worker's index while running. */
  worker: Int32Array = new Int32Array(FIRST_ROWS);
  /** When it came (waiting, dead) or was handed out (running), as the core's clock tells. */
  since: Uint32Array = new Uint32Array(FIRST_ROWS);
  /** Where its record lies: the envelope, then the body, both as they came off the wire. */
  segment: Int32Array = new Int32Array(FIRST_ROWS);
  at: Int32Array = new Int32Array(FIRST_ROWS);
  envelopeBytes: Int32Array = new Int32Array(FIRST_ROWS);
  bytes: Int32Array = new Int32Array(FIRST_ROWS);
  /** Neighbours in its list. */
  next: Int32Array = new Int32Array(FIRST_ROWS);
  previous: Int32Array = new Int32Array(FIRST_ROWS);
  /** Neighbours in its client's list. */
  nextOfClient: Int32Array = new Int32Array(FIRST_ROWS);
  previousOfClient: Int32Array = new Int32Array(FIRST_ROWS);

  #used = 0;
  #free = NO_ROW;

  /** A new row with a record of that many octets. */
  make(envelopeBytes: number, bodyBytes: number): number {
    let row = this.#free;
    if (row !== NO_ROW) {
      this.#free = this.next[row]!;
    } else {
      row = this.#used++;
      if (row === this.state.length) this.#grow();
    }
    this.size++;
    const bytes = envelopeBytes + bodyBytes;
    this.store.put(bytes);
    this.segment[row] = this.store.segment;
    this.at[row] = this.store.at;
    this.envelopeBytes[row] = envelopeBytes;
    this.bytes[row] = bytes;
    this.generation[row] = this.generation[row]! + 1;
    this.flags[row] = this.attempts[row] = 0;
    this.client[row] = this.worker[row] = NO_ROW;
    return row;
  }

  /** The row is done with. May move the records of all others. */
  free(row: number): void {
    this.store.release(this.segment[row]!, this.bytes[row]!);
    this.state[row] = FREE;
    this.segment[row] = NO_RECORD;
    this.generation[row] = this.generation[row]! + 1;
    this.next[row] = this.#free;
    this.#free = row;
    this.size--;
    if (this.store.sparse) this.#compact();
  }

  /** Gives a row another envelope: its answer goes another way. May move all records. */
  readdress(row: number, envelope: Uint8Array): void {
    const from = this.store.segments[this.segment[row]!]!;
    const bodyAt = this.at[row]! + this.envelopeBytes[row]!;
    const body = from.slice(bodyAt, this.at[row]! + this.bytes[row]!);
    this.store.release(this.segment[row]!, this.bytes[row]!);
    const bytes = envelope.length + body.length;
    const to = this.store.put(bytes);
    to.set(envelope, this.store.at);
    to.set(body, this.store.at + envelope.length);
    this.segment[row] = this.store.segment;
    this.at[row] = this.store.at;
    this.envelopeBytes[row] = envelope.length;
    this.bytes[row] = bytes;
    if (this.store.sparse) this.#compact();
  }

  /** The segment that a row's record lies in. */
  record(row: number): Uint8Array {
    return this.store.segments[this.segment[row]!]!;
  }

  /** Puts a row at the end of a list. */
  push(list: RowList, row: number): void {
    const last = list.last;
    this.next[row] = NO_ROW;
    this.previous[row] = last;
    if (last === NO_ROW) list.first = row;
    else this.next[last] = row;
    list.last = row;
    list.length++;
  }

  /** Puts a row at the head of a list. */
  unshift(list: RowList, row: number): void {
    const first = list.first;
    this.previous[row] = NO_ROW;
    this.next[row] = first;
    if (first === NO_ROW) list.last = row;
    else this.previous[first] = row;
    list.first = row;
    list.length++;
  }

  /** Takes a row out of its list. */
  unlink(list: RowList, row: number): void {
    const next = this.next[row]!;
    const previous = this.previous[row]!;
    if (previous === NO_ROW) list.first = next;
    else this.next[previous] = next;
    if (next === NO_ROW) list.last = previous;
    else this.previous[next] = previous;
    list.length--;
  }

  /** Puts a row at the head of its client's list. */
  attach(list: RowList, row: number, client: number): void {
    const first = list.first;
    this.client[row] = client;
    this.previousOfClient[row] = NO_ROW;
    this.nextOfClient[row] = first;
    if (first === NO_ROW) list.last = row;
    else this.previousOfClient[first] = row;
    list.first = row;
    list.length++;
  }

  /** Takes a row out of its client's list: nobody waits for it any more. */
  detach(list: RowList, row: number): void {
    const next = this.nextOfClient[row]!;
    const previous = this.previousOfClient[row]!;
    if (previous === NO_ROW) list.first = next;
    else this.nextOfClient[previous] = next;
    if (next === NO_ROW) list.last = previous;
    else this.previousOfClient[next] = previous;
    list.length--;
    this.client[row] = NO_ROW;
  }

  /** Whether a job id of a worker names this attempt of this row. */
  isAttempt(row: number, generation: number, worker: number): boolean {
    return row < this.#used && this.state[row] === RUNNING &&
      this.generation[row] === generation && this.worker[row] === worker;
  }

  /** Moves the records of sparse segments together, so that those can be used again. */
  #compact(): void {
    const { store } = this;
    for (let row = 0; row < this.#used; row++) {
      const segment = this.segment[row]!;
      if (segment === NO_RECORD || !store.isSparse(segment)) continue;
      const bytes = this.bytes[row]!;
      const at = this.at[row]!;
      const from = store.segments[segment]!;
      const to = store.put(bytes);
      to.set(from.subarray(at, at + bytes), store.at);
      this.segment[row] = store.segment;
      this.at[row] = store.at;
      store.release(segment, bytes);
    }
  }

  #grow(): void {
    this.state = new Uint8Array(grown(this.state));
    this.kind = new Uint8Array(grown(this.kind));
    this.flags = new Uint8Array(grown(this.flags));
    this.attempts = new Uint8Array(grown(this.attempts));
    this.service = new Uint16Array(grown(this.service));
    this.generation = new Uint32Array(grown(this.generation));
    this.client = new Int32Array(grown(this.client));
    this.worker = new Int32Array(grown(this.worker));
    this.since = new Uint32Array(grown(this.since));
    this.segment = new Int32Array(grown(this.segment));
    this.at = new Int32Array(grown(this.at));
    this.envelopeBytes = new Int32Array(grown(this.envelopeBytes));
    this.bytes = new Int32Array(grown(this.bytes));
    this.next = new Int32Array(grown(this.next));
    this.previous = new Int32Array(grown(this.previous));
    this.nextOfClient = new Int32Array(grown(this.nextOfClient));
    this.previousOfClient = new Int32Array(grown(this.previousOfClient));
  }
}

/** A column's octets with room for as many again. The old one goes at once, not with the garbage. */
function grown(column: Uint8Array | Uint16Array | Uint32Array | Int32Array): ArrayBuffer {
  return (column.buffer as ArrayBuffer).transfer(2 * column.byteLength);
}
