/**
 * What the views of the console look like: plain data in, lines out. Names that peers chose are
 * escaped here.
 *
 * @module
 */
import { escape, shown } from "../../terminal/escape.ts";
import { bytesText, countText, timeText } from "../../terminal/quantity.ts";
import { table } from "../../terminal/table.ts";
import type {
  DeadSnapshot,
  JobSnapshot,
  ServiceSnapshot,
  WorkerSnapshot,
} from "../core/snapshot.ts";
import type { BrokerSnapshot } from "../views.ts";

/** `stats` breaks its lines here where no terminal is narrower. */
const COLUMNS = 80;

/** `workers`: who is there. */
export function workersText(
  { workers, slots, freeSlots }: BrokerSnapshot,
  list: readonly WorkerSnapshot[],
  width: number,
): string[] {
  const others = list.length - workers;
  const head =
    `${many(workers, "worker")}, ${countText(freeSlots)} of ${many(slots, "slot")} free` +
    (others > 0 ? `; ${countText(others)} known but not in the table` : "");
  if (list.length === 0) return [head];
  const rows = list.map((
    { address, dialect, services, free, capacity, running, state, silent },
  ) => [
    shown(address),
    dialect,
    services.map(shown).join(","),
    `${free}/${capacity}`,
    String(running),
    state,
    `${timeText(silent)} ago`,
  ]);
  const columns = [
    { name: "address", cut: true },
    { name: "dialect" },
    { name: "services", cut: true },
    { name: "free", right: true },
    { name: "in flight", right: true },
    { name: "state" },
    { name: "last seen", right: true },
  ];
  return [head, ...table(columns, rows, width)];
}

/** `running`: jobs at workers. */
export function runningText(
  { jobs }: BrokerSnapshot,
  list: readonly JobSnapshot[],
  width: number,
): string[] {
  const head = `${many(jobs.running, "job")} running${firstOf(list.length, jobs.running)}`;
  if (list.length === 0) return [head];
  const rows = list.map(({ job, age, attempt, worker, kind, service, bytes }) => [
    String(job),
    timeText(age),
    String(attempt),
    worker === undefined ? "" : shown(worker),
    kind,
    shown(service),
    bytesText(bytes),
  ]);
  const columns = [
    { name: "job", right: true },
    { name: "age", right: true },
    { name: "attempt", right: true },
    { name: "worker", cut: true },
    { name: "kind" },
    { name: "service", cut: true },
    { name: "size", right: true },
  ];
  return [head, ...table(columns, rows, width)];
}

/** Services that have workers, or jobs that wait. */
export function busyServices({ services }: BrokerSnapshot): ServiceSnapshot[] {
  return services.filter(({ waiting, workers }) => waiting > 0 || workers > 0);
}

/** `backlog`: what waits for each service. */
export function backlogText(snapshot: BrokerSnapshot, width: number): string[] {
  const { jobs } = snapshot;
  const list = busyServices(snapshot);
  const head = `${many(jobs.waiting, "job")} waiting, ${bytesText(jobs.waitingBytes)}`;
  if (list.length === 0) return [head];
  const rows = list.map(({ name, waiting, oldest, workers }) => [
    shown(name),
    countText(waiting),
    waiting === 0 ? "-" : timeText(oldest),
    countText(workers),
    workers === 0 ? "no worker serves it" : "",
  ]);
  const columns = [
    { name: "service", cut: true },
    { name: "waiting", right: true },
    { name: "oldest", right: true },
    { name: "workers", right: true },
    { name: "" },
  ];
  return [head, ...table(columns, rows, width)];
}

/** `dead`: dead letters. */
export function deadText(
  { jobs }: BrokerSnapshot,
  list: readonly DeadSnapshot[],
  width: number,
): string[] {
  const head = `${many(jobs.dead, "dead letter")}${firstOf(list.length, jobs.dead)}`;
  if (list.length === 0) return [head];
  const rows = list.map(({ id, code, kind, service, bytes, age }) => [
    String(id),
    shown(code),
    kind,
    shown(service),
    bytesText(bytes),
    `${timeText(age)} ago`,
  ]);
  const columns = [
    { name: "id", right: true },
    { name: "code", cut: true },
    { name: "kind" },
    { name: "service", cut: true },
    { name: "size", right: true },
    { name: "ended", right: true },
  ];
  return [head, ...table(columns, rows, width)];
}

/** `stats`: all that is counted. */
export function statsText(snapshot: BrokerSnapshot, width: number): string[] {
  const { jobs, frontend, backend, buffers } = snapshot;
  const { waitingBytes, ...counts } = jobs;
  const groups: [string, Readonly<Record<string, number | string>>][] = [
    ["jobs", counts],
    ["memory", {
      "waiting jobs": bytesText(waitingBytes),
      "all jobs": bytesText(snapshot.stored),
      "buffers": bytesText(buffers.used),
      "buffers at most": bytesText(buffers.peak),
    }],
    ["workers", {
      "in the table": snapshot.workers,
      "slots": snapshot.slots,
      "free": snapshot.freeSlots,
      "joined": snapshot.workersJoined,
      "expired": snapshot.workersExpired,
      "lost": snapshot.workersLost,
    }],
    ["clients", { "connected": snapshot.clients }],
    ["connections", { frontend: frontend.connections, backend: backend.connections }],
    ["dropped", snapshot.dropped],
    ["errors", snapshot.errors],
    ["client faults", frontend.faults],
    ["worker faults", backend.faults],
  ];
  const margin = Math.max(...groups.map(([name]) => name.length)) + 2;
  return groups.flatMap(([name, values]) => {
    const words = Object.entries(values).map(([what, value]) =>
      `${escape(what)} ${typeof value === "number" ? countText(value) : value}`
    );
    const lines = flow(words.length === 0 ? ["none"] : words, Math.min(width, COLUMNS) - margin);
    return lines.map((line, i) => (i === 0 ? name : "").padEnd(margin) + line);
  });
}

/** Words beside each other, as many as a line takes. */
function flow(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const [i, word] of words.entries()) {
    const text = i < words.length - 1 ? `${word},` : word;
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= width) {
      lines[lines.length - 1] = `${last} ${text}`;
    } else lines.push(text);
  }
  return lines;
}

/** A count and what it counts. */
export function many(count: number, what: string): string {
  return `${countText(count)} ${what}${count === 1 ? "" : "s"}`;
}

function firstOf(listed: number, all: number): string {
  return listed < all ? `, the first ${countText(listed)}:` : "";
}
