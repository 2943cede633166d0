/**
 * What a process of the comparison is told and what it answers, as JSON lines. Types and the list
 * of workloads; nothing here runs.
 *
 * @module
 */

/** What is measured: where, how, for how long. */
export interface Work {
  readonly endpoint: string;
  /** Octets in a message. */
  readonly size: number;
  /** Messages on their way at a time, where that is bounded. */
  readonly window: number;
  readonly seconds: number;
}

/** What came of it. */
export interface Result {
  readonly messages: number;
  readonly seconds: number;
}

/** Where a serving process listens. */
export interface Workplace {
  /** Answers each message with its own body. */
  readonly echo: string;
  /** Counts messages; an empty one asks how many came. */
  readonly count: string;
}

/** What a side can do. The sockets do it in workloads.mjs, the engine alone in lane_workloads.ts. */
export interface Workloads {
  serve(): Promise<Workplace>;
  roundTrips(work: Work): Promise<Result>;
  stream(work: Work): Promise<Result>;
}

/** One line of the comparison. */
export interface Workload {
  readonly name: string;
  readonly operation: "roundTrips" | "stream";
  readonly size: number;
  readonly window: number;
}

/** All that is measured, in this order. */
export const WORKLOADS: readonly Workload[] = [
  { name: "round trip, 1 on its way, 32 B", operation: "roundTrips", size: 32, window: 1 },
  { name: "round trip, 100 on their way, 32 B", operation: "roundTrips", size: 32, window: 100 },
  { name: "one way, 32 B", operation: "stream", size: 32, window: 0 },
  { name: "one way, 1 KiB", operation: "stream", size: 1024, window: 0 },
  { name: "one way, 64 KiB", operation: "stream", size: 65536, window: 0 },
];
