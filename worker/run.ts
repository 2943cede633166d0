/**
 * How a worker has its jobs run: here, or in threads. A type alone; both ways are one file each.
 *
 * @module
 */

/**
 * What a client asked for. An opaque job comes from a client that knows nothing of Rota.
 *
 * @example
 * ```ts
 * import type { JobKind } from "./run.ts";
 *
 * const answered: JobKind[] = ["opaque", "TRACKEXEC", "STREAM"];
 * if (answered.includes("EXEC")) throw new Error("nobody waits for an EXEC");
 * ```
 */
export type JobKind = "opaque" | "EXEC" | "TRACKEXEC" | "STREAM";

/** A job as it goes to whoever runs it: plain data that may cross to another thread. */
export interface JobData {
  readonly kind: JobKind;
  /** The command's name; empty for an opaque job that the default handler gets whole. */
  readonly command: string;
  /** Which attempt this is, from 1 on. */
  readonly attempt: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The payload; of an opaque job, what stands behind its first frame. */
  readonly frames: readonly Uint8Array<ArrayBuffer>[];
  /** Of an opaque job, all frames as they came: they may be no text. */
  readonly whole?: readonly Uint8Array<ArrayBuffer>[];
  /** Milliseconds until nobody waits any more; -1 if nobody said. */
  readonly timeout: number;
}

/**
 * Who is told what comes of a job. One of `done`, `ended` and `failed` is called once, and last; none
 * of them before `run()` has returned.
 */
export interface RunEvents {
  /** The whole answer. */
  done(frames: readonly Uint8Array[]): void;
  /** One chunk of a stream; never more of them than there was credit for. */
  chunk(frames: readonly Uint8Array[]): void;
  /** The end of a stream. */
  ended(): void;
  /** It ended without an answer. */
  failed(code: string, message: string): void;
}

/** A job that is being run. */
export interface Run {
  /** Nobody wants it any more: its signal fires with that reason. */
  cancel(reason: DOMException): void;
  /** So many more chunks may come. */
  credit(count: number): void;
}

/** Whoever runs jobs. */
export interface Runner extends AsyncDisposable {
  /** Resolves when jobs can be run; rejects if they never will. */
  readonly ready: Promise<void>;
  /** Runs a job. Never throws; what goes wrong is told. */
  run(job: JobData, events: RunEvents): Run;
}
