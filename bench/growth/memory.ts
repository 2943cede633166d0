/**
 * What the broker holds: for connections that do nothing, and for jobs that wait.
 *
 * @module
 */
import type { BrokerKind } from "../peers/brokers.ts";
import { Child } from "../peers/child.ts";
import { programPath } from "../peers/home.ts";
import { LOAD_CORE, measure, pause, startBroker } from "../peers/measure.ts";
import type { Observer } from "../peers/observer.ts";

/** What something costs. */
export interface Cost {
  readonly what: string;
  readonly count: number;
  /** Octets of resident memory each. */
  readonly each: number;
}

/** Connections before the first look: what a busy broker holds anyway isn't counted. */
const WARM_UP = 200;
/** Until buffers have shrunk and the first heartbeats are through. */
const SETTLE_MS = 3000;

/** Idle connections: clients that say nothing, or workers that ping. */
export async function idleConnections(
  kind: BrokerKind,
  role: "clients" | "workers",
  count: number,
  observer: Observer,
): Promise<Cost> {
  await using stack = new AsyncDisposableStack();
  const { broker, ports } = await startBroker(kind);
  stack.use(broker);
  const connect = async (many: number) => {
    const port = role === "clients" ? ports.front : ports.back;
    // A worker with no slots says nothing at all: it does for a client.
    const slots = role === "clients" ? ["-s", "0"] : ["-s", "1", ...(kind.registers ? ["-G"] : [])];
    const peers = stack.use(
      new Child(LOAD_CORE, [
        ...[programPath("rload"), "worker", "-P", "zmtp", "-e", `tcp://127.0.0.1:${port}`],
        ...["-c", `${many}`, ...slots],
      ]),
    );
    await peers.line(({ event }) => event === "ready", 30_000);
    await pause(SETTLE_MS);
  };
  await connect(WARM_UP);
  const before = await observer.look([broker.pid]);
  await connect(count);
  const after = await observer.look([broker.pid]);
  return { what: `idle ${role}`, count, each: (after.resident - before.resident) / count };
}

/** Jobs that wait. */
export async function waitingJobs(
  kind: BrokerKind,
  count: number,
  size: number,
  observer: Observer,
): Promise<Cost> {
  const load = { clients: 1, window: 1, workers: 4, slots: 10, size, backlog: count };
  const workload = { name: "waiting", text: "", ...load };
  const pace = { warmSeconds: 0, seconds: 0, load: "raw" } as const;
  const run = await measure(kind, workload, pace, observer);
  return { what: `waiting jobs of ${size} B`, count, each: run.bytesPerJob! };
}
