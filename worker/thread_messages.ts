/**
 * What a worker and its threads say to each other. Plain data alone.
 *
 * A thread says `free` when its loop turns: only then is it given a job, and one at a time, so that no
 * job waits behind a handler that computes. Should a handler begin to compute just then, the job can be
 * taken back: whoever exchanges its id in the offer for 0 has it.
 *
 * @module
 */
import type { JobData } from "./run.ts";

/** Where the id of the job stands that a thread is offered; 0 for none. */
export type Offer = Int32Array<SharedArrayBuffer>;

/** Takes a job for oneself, if nobody has it yet. */
export function claim(offer: Offer, id: number): boolean {
  return Atomics.compareExchange(offer, 0, id, 0) === id;
}

/** To a thread. */
export type ToThread =
  | { readonly type: "load"; readonly module: string; readonly offer: Offer }
  | { readonly type: "job"; readonly id: number; readonly data: JobData }
  | { readonly type: "credit"; readonly id: number; readonly count: number }
  | {
    readonly type: "cancel";
    readonly id: number;
    readonly name: string;
    readonly reason: string;
  };

/** From a thread. */
export type FromThread =
  /** The module is loaded. */
  | { readonly type: "loaded" }
  /** It could not be loaded. */
  | { readonly type: "broken"; readonly message: string }
  /** The loop turns: one more job may come. */
  | { readonly type: "free" }
  /** Something went wrong outside of any job; the thread goes on. */
  | { readonly type: "fault"; readonly message: string }
  /** The thread ends now, and every job in it. */
  | { readonly type: "ends"; readonly message: string }
  | { readonly type: "done"; readonly id: number; readonly frames: readonly Uint8Array[] }
  | { readonly type: "chunk"; readonly id: number; readonly frames: readonly Uint8Array[] }
  | { readonly type: "ended"; readonly id: number }
  | {
    readonly type: "failed";
    readonly id: number;
    readonly code: string;
    readonly message: string;
  };
