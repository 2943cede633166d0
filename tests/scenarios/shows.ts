/**
 * What `show` prints in a transcript: the broker's views as lines.
 *
 * @module
 */
import type { Core } from "../../broker/core/core.ts";
import {
  listDead,
  listRunning,
  listWorkers,
  takeSnapshot,
  type WorkerSnapshot,
} from "../../broker/core/snapshot.ts";

/** Rows of a view: more would hardly be read. */
const MOST = 100;

/** Views by name. */
export const SHOWS: Readonly<Record<string, (core: Core, now: number) => string[]>> = {
  workers: ({ state }, now) => listWorkers(state, now).map(workerLine),
  order: ({ state }) =>
    [...state.services].map(({ name, ring }) => {
      const turns = [...ring].map(({ worker }) => {
        const address = new TextDecoder().decode(worker.address) || `#${worker.index}`;
        return worker.eligible ? address : `(${address})`;
      });
      return `${new TextDecoder().decode(name)}: ${turns.join(" ") || "nobody"}`;
    }),
  running: ({ state }, now) =>
    listRunning(state, now, MOST).map(({ kind, service, attempt, worker, age }) =>
      `${kind} for ${service}, attempt ${attempt} at ${worker}, ${age} ms old`
    ),
  dead: ({ state }, now) =>
    listDead(state, now, MOST).map(({ id, code, kind, service }) =>
      `dead letter ${id}: ${kind} for ${service}, ${code}`
    ),
  backlog: ({ state }, now) =>
    takeSnapshot(state, now).services.map(({ name, workers, waiting, oldest }) =>
      `${name}: ${waiting} waiting, oldest ${oldest} ms, ${workers} workers`
    ),
  counters: ({ state }, now) => {
    const { jobs, dropped, errors, workersJoined, workersExpired, workersLost } = takeSnapshot(
      state,
      now,
    );
    const workers = { workersJoined, workersExpired, workersLost };
    return [
      `jobs: ${list(jobs)}`,
      `workers: ${list(workers)}`,
      `dropped: ${list(dropped)}`,
      `errors: ${list(errors)}`,
    ];
  },
  held: ({ state }) => [
    `jobs ${state.jobs.size}, octets ${state.jobs.store.used}, requests ${state.requests.size}, ` +
    `streams ${state.streams.size}, dates ${state.dates.size}, runs ${state.runs.size}`,
  ],
};

function workerLine(worker: WorkerSnapshot): string {
  const { address, dialect, services, free, capacity, running, state, silent } = worker;
  return `${address} ${dialect} [${services.join(" ")}] free ${free}/${capacity}, ` +
    `running ${running}, ${state}, silent ${silent} ms`;
}

/** Numbers that aren't 0, by name. */
function list(numbers: object): string {
  const all = Object.entries(numbers).filter(([, value]) => value !== 0);
  return all.map(([name, value]) => `${name} ${value}`).join(", ") || "none";
}
