/** Types of workloads.mjs, for the Deno side. */
import type { Result, Work, Workplace } from "./work.ts";

/** A Router that answers each message with its own body, and one that only counts. */
export function serve(library: object): Promise<Workplace>;

/** Messages there and back, `window` of them on their way at a time. */
export function roundTrips(library: object, work: Work): Promise<Result>;

/** Messages one way, as fast as `send` lets them. */
export function stream(library: object, work: Work): Promise<Result>;
