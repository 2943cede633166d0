/**
 * What grows: workers, clients, the backlog, bodies. Each series is a workload that differs in one
 * number. Data alone.
 *
 * @module
 */
import type { Workload } from "../peers/workloads.ts";

/** One point of a series. */
export interface Point {
  readonly at: number;
  readonly workload: Workload;
  /** How long it takes until the state is the one to be measured, in seconds. */
  readonly warmSeconds: number;
}

/** One series. */
export interface Growth {
  readonly name: string;
  readonly text: string;
  /** What the number counts. */
  readonly unit: string;
  readonly points: readonly Point[];
  /** Whether the costs span decades. */
  readonly logarithmic?: boolean;
}

/** Octets that may be under way, so that large bodies don't fill the machine. */
const UNDER_WAY = 64 * 2 ** 20;

function workers(count: number): Point {
  const load = { clients: 10, window: 100, workers: count, slots: 1, size: 32 };
  return {
    at: count,
    workload: { name: `${count} workers`, text: "", ...load },
    warmSeconds: count >= 10_000 ? 4 : 1,
  };
}

function clients(count: number): Point {
  const window = Math.max(1, Math.round(1000 / count));
  const load = { clients: count, window, workers: 10, slots: 10, size: 32 };
  return {
    at: count,
    workload: { name: `${count} clients`, text: "", ...load },
    warmSeconds: count >= 1000 ? 2 : 1,
  };
}

function waiting(count: number): Point {
  // What the 40 slots don't take waits; a million is as much as the broker takes by default.
  const window = Math.min(count + 40, 1_000_000);
  const load = { clients: 1, window, workers: 4, slots: 10, size: 100 };
  return {
    at: count,
    workload: { name: `${count} waiting`, text: "", ...load },
    warmSeconds: count >= 1_000_000 ? 6 : 1,
  };
}

function body(size: number): Point {
  const window = Math.min(1000, Math.max(4, Math.floor(UNDER_WAY / Math.max(size, 1))));
  const load = { clients: 1, window, workers: 4, slots: 10, size };
  return {
    at: size,
    workload: { name: `${size} B`, text: "", ...load },
    warmSeconds: size >= 2 ** 20 ? 2 : 1,
  };
}

/** All series. */
export const GROWTHS: readonly Growth[] = [
  {
    name: "workers",
    text: "10 clients with 100 requests under way each, workers of 1 slot, 32 B",
    unit: "workers",
    points: [10, 100, 1000, 10_000].map(workers),
  },
  {
    name: "clients",
    text:
      "1,000 requests under way in all, at least 1 for each client, 10 workers of 10 slots, 32 B",
    unit: "client connections",
    points: [1, 100, 1000, 5000].map(clients),
  },
  {
    name: "backlog",
    text: "as many jobs of 100 B waiting all the time, 4 workers of 10 slots",
    unit: "waiting jobs",
    points: [0, 10_000, 1_000_000].map(waiting),
  },
  {
    name: "bodies",
    text: "1 client with up to 1,000 requests or 64 MiB under way, 4 workers of 10 slots",
    unit: "octets of a body",
    points: [0, 32, 1024, 65_536, 2 ** 20, 2 ** 24].map(body),
    logarithmic: true,
  },
];
