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

/**
 * The table. A free row is zero in the columns that say what a job is and what became of it; a job
 * that merely waits leaves them so, and never touches the memory of the columns for running ones.
 */
export class Jobs {
  readonly store: BodyStore = new BodyStore();
  /** Rows in use. */
  size = 0;

  state: Uint8Array;
  kind: Uint8Array;
  flags: Uint8Array;
  /** Attempts that were started. */
  attempts: Uint8Array;
  service: Uint16Array;
  /** Changes with each attempt and each new job: fences off late answers. */
  generation: Uint32Array;
  /** The client's index, -1 if nobody waits. */
  client: Int32Array;
  /** The worker's index; holds only while running. */
  worker: Int32Array;
  /** When it came (waiting, dead) or was handed out (running), as the core's clock tells. */
  since: Uint32Array;
  /** Where its record lies: the envelope, then the body, both as they came off the wire. */
  segment: Int32Array;
  at: Int32Array;
  envelopeBytes: Int32Array;
  bytes: Int32Array;
  /** Neighbours in its list. */
  next: Int32Array;
  previous: Int32Array;
  /** Neighbours in its client's list. */
  nextOfClient: Int32Array;
  previousOfClient: Int32Array;

  #used = 0;
  #free = NO_ROW;

  /**
   * Makes a table with room for so many rows before it has to grow. Room that nobody uses costs
   * addresses and no memory.
   */
  constructor(rows: number = FIRST_ROWS) {
    this.state = new Uint8Array(rows);
    this.kind = new Uint8Array(rows);
    this.flags = new Uint8Array(rows);
    this.attempts = new Uint8Array(rows);
    this.service = new Uint16Array(rows);
    this.generation = new Uint32Array(rows);
    this.client = new Int32Array(rows);
    this.worker = new Int32Array(rows);
    this.since = new Uint32Array(rows);
    this.segment = new Int32Array(rows);
    this.at = new Int32Array(rows);
    this.envelopeBytes = new Int32Array(rows);
    this.bytes = new Int32Array(rows);
    this.next = new Int32Array(rows);
    this.previous = new Int32Array(rows);
    this.nextOfClient = new Int32Array(rows);
    this.previousOfClient = new Int32Array(rows);
  }

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
    this.client[row] = NO_ROW;
    return row;
  }

  /** Says what a new row is. Writes only what isn't zero, as a new row is. */
  describe(row: number, kind: number, flags: number, service: number): void {
    if (kind !== 0) this.kind[row] = kind;
    if (flags !== 0) this.flags[row] = flags;
    if (service !== 0) this.service[row] = service;
  }

  /** The row is done with. May move the records of all others. */
  free(row: number): void {
    this.store.release(this.segment[row]!, this.bytes[row]!);
    this.state[row] =
      this.kind[row] =
      this.flags[row] =
      this.attempts[row] =
        0;
    this.service[row] = 0;
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
    const rows = 2 * this.state.length;
    this.state = grown(this.state, new Uint8Array(rows));
    this.kind = grown(this.kind, new Uint8Array(rows));
    this.flags = grown(this.flags, new Uint8Array(rows));
    this.attempts = grown(this.attempts, new Uint8Array(rows));
    this.service = grown(this.service, new Uint16Array(rows));
    this.generation = grown(this.generation, new Uint32Array(rows));
    this.client = grown(this.client, new Int32Array(rows));
    this.worker = grown(this.worker, new Int32Array(rows));
    this.since = grown(this.since, new Uint32Array(rows));
    this.segment = grown(this.segment, new Int32Array(rows));
    this.at = grown(this.at, new Int32Array(rows));
    this.envelopeBytes = grown(this.envelopeBytes, new Int32Array(rows));
    this.bytes = grown(this.bytes, new Int32Array(rows));
    this.next = grown(this.next, new Int32Array(rows));
    this.previous = grown(this.previous, new Int32Array(rows));
    this.nextOfClient = grown(this.nextOfClient, new Int32Array(rows));
    this.previousOfClient = grown(this.previousOfClient, new Int32Array(rows));
  }
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Cells that are looked at together: at least a page of the system's memory. */
const PAGE_CELLS = 4096;

/**
 * The larger column with what the old one holds. Pages that nobody has written to stay unwritten,
 * and so cost nothing; the old column's memory goes at once, not when garbage is collected.
 */
function grown<T extends Column>(column: T, larger: T): T {
  for (let at = 0; at < column.length; at += PAGE_CELLS) {
    const page = column.subarray(at, at + PAGE_CELLS);
    if (isWritten(page)) larger.set(page, at);
  }
  (column.buffer as ArrayBuffer).transfer(0);
  return larger;
}

function isWritten(page: Column): boolean {
  for (let i = 0; i < page.length; i++) if (page[i] !== 0) return true;
  return false;
}
