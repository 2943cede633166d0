/**
 * What a console writes, in order and without ever holding up the program: writes go on in the
 * background, and log lines that nobody reads are counted and dropped instead of filling memory.
 * Where standard output and standard error are one terminal, they share one queue.
 *
 * @module
 */

/** Where octets go. `Deno.stdout` is one. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<number>;
}

/** Octets of log lines that may wait to be written. */
const MOST_WAITING = 1024 * 1024;
/** How long a stream that takes nothing is left alone. */
const NAP_MS = 20;

const encoder = new TextEncoder();

/** One queue of writes. A stream that fails is not written to again. */
class WriteQueue {
  readonly #nap: (milliseconds: number) => Promise<void>;
  readonly #broken: Set<ByteSink> = new Set();
  #waiting: { readonly sink: ByteSink; readonly bytes: Uint8Array }[] = [];
  #pumping = false;
  /** How many texts were given to it, and how many of them are written. */
  #given = 0;
  #done = 0;
  /** Who waits until so many are written, in that order. */
  readonly #waiters: { readonly at: number; readonly resolve: () => void }[] = [];
  /** Octets that wait. */
  length = 0;

  constructor(nap: (milliseconds: number) => Promise<void>) {
    this.#nap = nap;
  }

  push(sink: ByteSink, bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#broken.has(sink)) return;
    this.#waiting.push({ sink, bytes });
    this.length += bytes.length;
    this.#given++;
    if (!this.#pumping) this.#pump();
  }

  /** Whether that stream has failed. */
  isBroken(sink: ByteSink): boolean {
    return this.#broken.has(sink);
  }

  /** Resolves when all that waits now is written, whatever comes meanwhile. */
  flush(): Promise<void> {
    if (this.#done === this.#given) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ at: this.#given, resolve }));
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      for (const { sink, bytes } of batch) {
        if (!this.#broken.has(sink)) await this.#write(sink, bytes);
        this.length -= bytes.length;
        this.#done++;
        while (this.#waiters[0] !== undefined && this.#waiters[0].at <= this.#done) {
          this.#waiters.shift()!.resolve();
        }
      }
    }
    this.#pumping = false;
  }

  async #write(sink: ByteSink, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      try {
        at += await sink.write(bytes.subarray(at));
      } catch (error) {
        // A program that shares the stream may have made it one that never waits.
        if (error instanceof Deno.errors.WouldBlock) await this.#nap(NAP_MS);
        else {
          this.#broken.add(sink);
          return;
        }
      }
    }
  }
}

/** The streams of a console. */
export class Output {
  readonly #stdout: ByteSink;
  readonly #stderr: ByteSink;
  readonly #out: WriteQueue;
  readonly #err: WriteQueue;
  #lost = 0;

  /** `shared` if both streams are one terminal; `nap` lets time pass. */
  constructor(
    stdout: ByteSink,
    stderr: ByteSink,
    shared: boolean,
    nap: (milliseconds: number) => Promise<void>,
  ) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#out = new WriteQueue(nap);
    this.#err = shared ? this.#out : new WriteQueue(nap);
  }

  /** Writes to standard output. */
  out(text: string): void {
    this.octets(encoder.encode(text));
  }

  /** Writes octets to standard output as they are. They belong to it until they are written. */
  octets(bytes: Uint8Array): void {
    this.#out.push(this.#stdout, bytes);
  }

  /** Whether nobody reads standard output any more. */
  get unread(): boolean {
    return this.#out.isBroken(this.#stdout);
  }

  /** Writes to standard error. */
  err(text: string): void {
    this.#err.push(this.#stderr, encoder.encode(text));
  }

  /** Writes a log line to standard error, if there is room for it. */
  log(text: string): void {
    if (this.#err.length > MOST_WAITING) this.#lost++;
    else this.err(text);
  }

  /** How many log lines were lost since this was asked last; 0 while there is still no room. */
  takeLost(): number {
    if (this.#lost === 0 || this.#err.length > MOST_WAITING / 2) return 0;
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  /** Resolves when all that was given so far is written. */
  async flush(): Promise<void> {
    await Promise.all([this.#out.flush(), this.#err.flush()]);
  }
}
