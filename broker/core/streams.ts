/**
 * Open streams: how many chunks their clients gave credit for. A worker sends no more than that, so
 * that a slow reader slows the worker and never fills the broker.
 *
 * @module
 */

/** The most credit that one stream may hold: what a client can't mean is refused. */
export const MOST_CREDIT = 1e9;

/** One open stream. */
export interface Stream {
  /** Chunks that may still come. */
  credit: number;
  /** So much of it a repeat of the request is going to say again. */
  repeated: number;
  /** Of these, what its worker wasn't told: it doesn't read what it is sent. */
  untold: number;
}

/** Streams by the row of their job. */
export class Streams {
  readonly #streams: Map<number, Stream> = new Map();

  /** How many are open. */
  get size(): number {
    return this.#streams.size;
  }

  /** A stream begins, without credit. */
  open(row: number): void {
    this.#streams.set(row, { credit: 0, repeated: 0, untold: 0 });
  }

  /** Its job is over. */
  close(row: number): void {
    this.#streams.delete(row);
  }

  /** Chunks that may still come. */
  credit(row: number): number {
    return this.#streams.get(row)?.credit ?? 0;
  }

  /**
   * Its request came again, before any chunk was sent. The client can't know whether what it has
   * given is known here, so the next that it gives is the whole of it.
   */
  repeat(row: number): void {
    const stream = this.#streams.get(row);
    if (stream !== undefined) stream.repeated = stream.credit;
  }

  /** More may come: gives how many more; -1 if that is more than anybody means. */
  add(row: number, count: number): number {
    const stream = this.#streams.get(row);
    if (stream === undefined) return -1;
    const more = Math.max(0, count - stream.repeated);
    if (stream.credit + more > MOST_CREDIT) return -1;
    stream.repeated = 0;
    stream.credit += more;
    return more;
  }

  /** As many may come as ever may. */
  fill(row: number): void {
    const stream = this.#streams.get(row);
    if (stream !== undefined) stream.credit = MOST_CREDIT;
  }

  /** One came; false if it must not have. */
  take(row: number): boolean {
    const stream = this.#streams.get(row);
    if (stream === undefined || stream.credit === 0) return false;
    stream.credit--;
    return true;
  }

  /** Its worker can't be told of so much credit now. */
  hold(row: number, count: number): void {
    const stream = this.#streams.get(row);
    if (stream !== undefined) stream.untold += count;
  }

  /** The credit that its worker wasn't told; it is told now. */
  release(row: number): number {
    const stream = this.#streams.get(row);
    if (stream === undefined) return 0;
    const { untold } = stream;
    stream.untold = 0;
    return untold;
  }
}
