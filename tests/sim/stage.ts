/**
 * What everybody in a simulation shares: the network, the books, the findings, and what is going on.
 * Roles play on it; the director changes it.
 *
 * @module
 */
import type { MemoryNetwork } from "../../protocol/io/memory_io.ts";
import type { Books } from "./books.ts";
import type { Findings } from "./findings.ts";
import type { SimProcess } from "./process.ts";
import type { Settings } from "./settings.ts";
import type { Trace } from "./trace.ts";

/** Where the broker listens. */
export const FRONTEND = "tcp://127.0.0.1:5555";
/** Where the broker listens for workers. */
export const BACKEND = "tcp://127.0.0.1:5556";

/**
 * What is going on: everybody works while faults happen; nobody asks for more until all is answered;
 * with everything whole again each call must succeed; everybody has left.
 */
export type Phase = "busy" | "calm" | "coda" | "over";

/** What everybody shares. */
export interface Stage {
  readonly network: MemoryNetwork;
  readonly settings: Settings;
  readonly trace: Trace;
  readonly findings: Findings;
  readonly books: Books;
  readonly phase: Phase;
  /** The process kills itself in the middle of a job, and is started again later. */
  collapse(process: SimProcess): void;
  /** The process has ended in order, by itself or because it was told to. */
  left(process: SimProcess): void;
  /** Nothing that runs in the background may fail. */
  guard(what: string, deed: Promise<unknown>): void;
}

/** Somebody who plays: how to end it in order, and what else it can be asked for. */
export interface Part {
  /** Leaves in order. */
  close(): Promise<void>;
  /** Asks for many jobs at once. */
  burst?(count: number): void;
}

/** What somebody plays, in a process of its own. */
export type Role = (process: SimProcess, stage: Stage) => Part;
