/**
 * A job as its handler sees it.
 *
 * @module
 */
import { Frame } from "../protocol/sockets/frame.ts";
import type { JobData, JobKind } from "./run.ts";

/**
 * One job. `T` is what its JSON means, if handler and client agree on that.
 *
 * @example
 * ```ts
 * import type { Job } from "./mod.ts";
 *
 * const handlers = {
 *   add: (job: Job<{ a: number; b: number }>) => job.json().a + job.json().b,
 * };
 * ```
 */
export class Job<T = unknown> {
  /** The command's name; empty where the default handler got a whole opaque body. */
  readonly command: string;
  /** What the client asked for. */
  readonly kind: JobKind;
  /** Which attempt this is, from 1 on: above 1, another worker was lost with it. */
  readonly attempt: number;
  /** The client's headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The payload's frames. */
  readonly frames: readonly Frame[];
  /**
   * Fires when the client cancels, when its time is up, when the worker ends, and when the broker is
   * lost: then nobody can be told what comes of the job. (An EXEC has nobody to tell, and goes on.)
   */
  readonly signal: AbortSignal;
  readonly #remaining: () => number;

  /** Made by a worker. */
  constructor(data: JobData, signal: AbortSignal, remaining: () => number) {
    this.command = data.command;
    this.kind = data.kind;
    this.attempt = data.attempt;
    this.headers = new Map(data.headers);
    this.frames = data.frames.map((bytes) =>
      new Frame(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    );
    this.signal = signal;
    this.#remaining = remaining;
  }

  /** The payload's first frame as octets; empty if there is none. */
  get bytes(): Uint8Array {
    return this.frames[0] ?? new Uint8Array(0);
  }

  /** Milliseconds until nobody waits for the result any more; Infinity if the client didn't say. */
  get remaining(): number {
    return this.#remaining();
  }

  /** The payload's first frame as UTF-8 text. */
  text(): string {
    return this.frames[0]?.text() ?? "";
  }

  /** The payload's first frame parsed as JSON. */
  json(): T {
    return JSON.parse(this.text()) as T;
  }
}
