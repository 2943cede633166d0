/**
 * What a worker and its threads say to each other. Plain data alone.
 *
 * @module
 */
import type { JobData } from "./run.ts";

/** To a thread. */
export type ToThread =
  | { readonly type: "load"; readonly module: string }
  | { readonly type: "job"; readonly id: number; readonly data: JobData }
  | { readonly type: "credit"; readonly id: number; readonly count: number }
  | { readonly type: "cancel"; readonly id: number; readonly reason: string };

/** From a thread. */
export type FromThread =
  | { readonly type: "loaded" }
  | { readonly type: "broken"; readonly message: string }
  | { readonly type: "done"; readonly id: number; readonly frames: readonly Uint8Array[] }
  | { readonly type: "chunk"; readonly id: number; readonly frames: readonly Uint8Array[] }
  | { readonly type: "ended"; readonly id: number }
  | {
    readonly type: "failed";
    readonly id: number;
    readonly code: string;
    readonly message: string;
  };
