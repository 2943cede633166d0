/**
 * What is measured: how many clients keep how much under way, and who does the work. Data alone.
 *
 * @module
 */

/** One workload. */
export interface Workload {
  readonly name: string;
  readonly text: string;
  readonly clients: number;
  /** Requests that each client keeps under way. */
  readonly window: number;
  readonly workers: number;
  /** Jobs that each worker takes at a time. */
  readonly slots: number;
  /** Octets of a body. */
  readonly size: number;
  /** Jobs that are handed in while there is no worker; then they are drained. */
  readonly backlog?: number;
}

const SIZES = new Map([[32, "32B"], [1024, "1KiB"], [65536, "64KiB"]]);

function throughput(clients: 1 | 10, size: number): Workload {
  const [window, workers] = clients === 1 ? [1000, 4] : [100, 10];
  const bytes = SIZES.get(size)!;
  return {
    name: `t${clients}-${bytes}`,
    text: `${clients} ${clients === 1 ? "client" : "clients"} with ${window} requests under way ` +
      `each, ${workers} workers of 10 slots, ${bytes}`,
    ...{ clients, window, workers, slots: 10, size },
  };
}

function many(workers: number): Workload {
  return {
    name: `w${workers}`,
    text: `${workers} workers of 1 slot, 10 clients with 100 requests under way each, 32B`,
    ...{ clients: 10, window: 100, workers, slots: 1, size: 32 },
  };
}

/** All workloads, in the order of the table. */
export const WORKLOADS: readonly Workload[] = [
  throughput(1, 32),
  throughput(10, 32),
  throughput(1, 1024),
  throughput(10, 1024),
  throughput(1, 65536),
  throughput(10, 65536),
  {
    name: "latency",
    text: "1 client with 1 request under way, 1 worker of 1 slot, 32B",
    ...{ clients: 1, window: 1, workers: 1, slots: 1, size: 32 },
  },
  many(10),
  many(100),
  many(1000),
  {
    name: "backlog",
    text: "1,000,000 jobs of 100 B while there is no worker; then 4 workers of 10 slots drain them",
    ...{ clients: 1, window: 1, workers: 4, slots: 10, size: 100, backlog: 1_000_000 },
  },
];
