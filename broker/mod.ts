/**
 * The broker: hands jobs of clients to the least recently used worker with a free slot, keeps what
 * can't be handed out yet, and brings each result back.
 *
 * @example
 * ```ts
 * import { Broker } from "./mod.ts";
 *
 * await using broker = await Broker.start({
 *   frontend: "tcp://127.0.0.1:*",
 *   backend: "tcp://127.0.0.1:*",
 * });
 * ```
 *
 * @module
 */
export { Broker } from "./broker.ts";
export type { BrokerOptions } from "./options.ts";
export type { LogLine } from "./journal.ts";
export { type LimitInfo, type LimitName, LIMITS, type Limits } from "./limits.ts";
export type { BrokerSnapshot, BrokerViews, PortSnapshot } from "./views.ts";
export type {
  CoreSnapshot,
  DeadSnapshot,
  JobCounts,
  JobSnapshot,
  ServiceSnapshot,
  WorkerSnapshot,
} from "./core/snapshot.ts";
