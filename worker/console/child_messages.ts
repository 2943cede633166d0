/**
 * What a console and its child workers say to each other. Plain data alone.
 *
 * @module
 */
import type { WorkerLog, WorkerOptions } from "../options.ts";
import type { WorkerStatus } from "../status.ts";

/** What a child is told at its start: what may cross to a thread. */
export interface ChildStart {
  /** The URL of the module with all commands. */
  readonly module: string;
  readonly options: Omit<WorkerOptions, "handlers" | "defaultHandler" | "signal" | "onLog" | "io">;
}

/** To a child. */
export type ToChild =
  | { readonly type: "start"; readonly start: ChildStart }
  | { readonly type: "status" }
  | { readonly type: "end" };

/** From a child. */
export type FromChild =
  /** It is in the broker's table. */
  | { readonly type: "registered" }
  /** It never will be, and has ended. */
  | { readonly type: "failed"; readonly message: string }
  /** It has left, because it was told to by us or by the broker. */
  | { readonly type: "ended"; readonly status: WorkerStatus }
  | { readonly type: "status"; readonly status: WorkerStatus }
  | { readonly type: "log"; readonly line: WorkerLog };
