/**
 * One job that runs in this thread: calls the handler, turns what it gives into frames, and takes
 * chunks of a stream from it only as fast as its client gives credit.
 *
 * @module
 */
import { type Payload, payloadFrames } from "../protocol/dialogue/payload.ts";
import type { Io, TimerId } from "../protocol/io/io.ts";
import { type ChunkSource, chunkSourceOf } from "./chunk_source.ts";
import { type Failure, failureOf } from "./failure.ts";
import type { Handler } from "./handlers.ts";
import { Job } from "./job.ts";
import type { JobData, Run, RunEvents } from "./run.ts";

/** Calls a piece of a handler, and measures it. */
export type Measure = <T>(act: () => T) => T;

/** One job that runs here. */
export class LocalRun implements Run {
  readonly #io: Io;
  readonly #data: JobData;
  readonly #events: RunEvents;
  readonly #measure: Measure;
  readonly #abort = new AbortController();
  readonly #until: number;
  readonly #timer: TimerId | undefined;
  #credit = 0;
  /** Ends the wait for a chunk or for credit. */
  #wake: (() => void) | undefined;

  constructor(io: Io, data: JobData, events: RunEvents, measure: Measure) {
    this.#io = io;
    this.#data = data;
    this.#events = events;
    this.#measure = measure;
    const { timeout } = data;
    this.#until = timeout < 0 ? Infinity : io.now() + timeout;
    if (timeout < 0) return;
    const reason = new DOMException("The client's time is up", "TimeoutError");
    this.#timer = io.setTimer(() => this.cancel(reason), timeout);
  }

  /** Calls the handler, if there is one. What comes of it is told later, never before this returns. */
  async start(handler: Handler | undefined): Promise<void> {
    try {
      if (handler === undefined) return await this.#noHandler();
      const job = new Job(
        this.#data,
        this.#abort.signal,
        () => Math.max(0, this.#until - this.#io.now()),
      );
      // What a handler throws at once must not be told at once.
      const given = await new Promise((resolve) => resolve(this.#measure(() => handler(job))));
      const source = chunkSourceOf(given);
      if (source !== undefined) return await this.#stream(source);
      const frames = payloadFrames(given as Payload);
      this.#finish(() => this.#events.done(frames));
    } catch (error) {
      this.#fail(failureOf(error, this.#abort.signal));
    }
  }

  cancel(reason: DOMException): void {
    this.#abort.abort(reason);
    this.#wake?.();
  }

  credit(count: number): void {
    this.#credit += count;
    this.#wake?.();
  }

  async #noHandler(): Promise<void> {
    const message = `No handler takes ${JSON.stringify(this.#data.command)}`;
    await Promise.resolve();
    this.#fail({ code: "NO_COMMAND", message });
  }

  /** All chunks, to a client that takes them one by one or to one that wants them all at once. */
  async #stream(source: ChunkSource): Promise<void> {
    const { signal } = this.#abort;
    const whole: Uint8Array[] = [];
    const isStream = this.#data.kind === "STREAM";
    try {
      for (;;) {
        const { done, value } = await this.#next(source);
        if (done) break;
        const frames = payloadFrames(value as Payload);
        if (isStream) await this.#send(frames);
        else whole.push(...frames);
      }
    } catch (error) {
      await source.stop(signal.aborted ? signal.reason : error);
      throw error;
    }
    this.#finish(() => isStream ? this.#events.ended() : this.#events.done(whole));
  }

  /** The next chunk. A job that is stopped doesn't wait for it. */
  #next(source: ChunkSource): Promise<IteratorResult<Payload, unknown>> {
    const { signal } = this.#abort;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      this.#wake = () => {
        if (signal.aborted) reject(signal.reason);
      };
      this.#measure(() => source.next()).then(resolve, reject);
    });
  }

  /** One chunk goes out as soon as the client has given credit for it. */
  async #send(frames: readonly Uint8Array[]): Promise<void> {
    const { signal } = this.#abort;
    while (this.#credit === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    signal.throwIfAborted();
    this.#credit--;
    this.#events.chunk(frames);
  }

  #fail({ code, message }: Failure): void {
    this.#finish(() => this.#events.failed(code, message));
  }

  #finish(tell: () => void): void {
    this.#wake = undefined;
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    tell();
  }
}
