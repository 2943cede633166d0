/**
 * One run: a fresh broker, fresh workers and clients, one workload, one record.
 *
 * @module
 */
import type { BrokerKind, Ports } from "./brokers.ts";
import { Child, type Line } from "./child.ts";
import { programPath } from "./home.ts";
import type { Look, Observer } from "./observer.ts";
import type { Watched } from "./quiet.ts";
import type { Workload } from "./workloads.ts";

/** The broker has one core, everything else the other: placement decides more than code does. */
export const BROKER_CORE = "0";
/** Where clients, workers and the observer run. */
export const LOAD_CORE = "1";

/** Seconds that may pass without a sign of a child. */
const PATIENCE = 25;
/** What a broker may take until it listens. */
const LISTEN_MS = 15_000;
/** Enqueued: since the broker's CPU time stands still for so long. */
const STILL_SECONDS = 0.4;
/** One tick of the system's accounting, and a little: that much is no work. */
const TICK_SECONDS = 0.011;

/** How long, and what generates load. */
export interface Pace {
  readonly warmSeconds: number;
  readonly seconds: number;
  /** `raw` sockets of our own, or `libzmq`: its peers are pinged by a ZMTP 3.1 broker. */
  readonly load: "raw" | "libzmq";
}

/** What one run gave. Times in seconds unless the name says otherwise; memory in octets. */
export interface Run extends Watched {
  readonly rps: number;
  /** Requests per CPU second of the broker. */
  readonly perCpu: number;
  readonly p50us: number;
  readonly p99us: number;
  readonly p999us: number;
  readonly brokerCores: number;
  readonly loadCores: number;
  readonly peakBytes: number;
  /** Replies that are missing or not what was sent. */
  readonly lost: number;
  /** Of a backlog: how fast it was taken, and what each job held. */
  readonly enqueueRate?: number;
  readonly bytesPerJob?: number;
  readonly jobs: number;
}

/** A workload on a broker that runs. */
interface Scene {
  readonly kind: BrokerKind;
  readonly workload: Workload;
  readonly pace: Pace;
  readonly ports: Ports;
  readonly broker: Child;
  readonly observer: Observer;
}

/** Measures one workload on one broker. */
export async function measure(
  kind: BrokerKind,
  workload: Workload,
  pace: Pace,
  observer: Observer,
): Promise<Run> {
  await using stack = new AsyncDisposableStack();
  const { broker, ports } = await startBroker(kind);
  stack.use(broker);
  const scene: Scene = { kind, workload, pace, ports, broker, observer };
  return await (workload.backlog === undefined ? throughput(scene) : backlog(scene, workload));
}

/** A broker that listens. */
export async function startBroker(kind: BrokerKind): Promise<{ broker: Child; ports: Ports }> {
  const front = freePort();
  const ports = { front, back: kind.twoPorts ? freePort() : front };
  const broker = new Child(BROKER_CORE, await kind.command(ports));
  try {
    await listens(broker, ports.front);
    await listens(broker, ports.back);
  } catch (error) {
    await broker[Symbol.asyncDispose]();
    throw error;
  }
  await pause(300);
  return { broker, ports };
}

/** Clients and workers, closed loop. */
async function throughput(scene: Scene): Promise<Run> {
  const { workload, pace, broker, observer } = scene;
  await using workers = await startWorkers(scene);
  await pause(workload.workers >= 1000 ? 1000 : 300);
  const { warmSeconds, seconds } = pace;
  await using clients = startClients(scene, [
    ...["-u", `${warmSeconds}`, "-d", `${seconds}`, "-q", `${workers.pid}`],
  ]);
  const said = numbersOf(await clients.line((line) => "rps" in line, patience(pace)));
  const look = await observer.look([broker.pid]);
  return {
    rps: said("rps"),
    perCpu: said("req_per_cpu_s"),
    p50us: said("p50_us"),
    p99us: said("p99_us"),
    p999us: said("p999_us"),
    brokerCores: said("broker_cpu_s") / said("seconds"),
    loadCores: (said("worker_cpu_s") + said("client_cpu_s")) / said("seconds"),
    otherCores: Math.max(0, (said("other_cpu_s") + said("steal_s")) / said("seconds")),
    peakBytes: look.peak,
    lost: said("lost") + said("bad"),
    jobs: said("requests"),
  };
}

/** Jobs wait, then workers come. */
async function backlog(scene: Scene, workload: Workload): Promise<Run> {
  const { kind, broker, observer } = scene;
  const jobs = kind.backlog ?? workload.backlog!;
  const look = () => observer.look([broker.pid]);
  const before = await look();
  await using clients = startClients(scene, ["-B", "-n", `${jobs}`, "-u", "0"]);
  const sent = numbersOf(await clients.line(({ event }) => event === "sent", 60_000));
  const began = (await look()).now - sent("seconds");
  const { full, still } = await standsStill(look);
  await using workers = await startWorkers(scene);
  const said = numbersOf(await clients.line((line) => "rps" in line, 120_000));
  const end = await observer.look([broker.pid]);
  const work = await observer.look([broker.pid, workers.pid, clients.pid]);
  const others = work.busy - full.busy - (work.cpu - full.cpu) + (work.steal - full.steal);
  return {
    rps: jobs / said("drain_s"),
    perCpu: jobs / (end.cpu - full.cpu),
    p50us: NaN,
    p99us: NaN,
    p999us: NaN,
    brokerCores: (end.cpu - full.cpu) / (end.now - full.now),
    loadCores: NaN,
    otherCores: Math.max(0, others / (work.now - full.now)),
    peakBytes: end.peak,
    lost: said("lost") + said("bad"),
    enqueueRate: jobs / (still - began),
    bytesPerJob: (full.resident - before.resident) / jobs,
    jobs,
  };
}

/** Waits until the broker has taken everything; `still` is since when. */
async function standsStill(look: () => Promise<Look>): Promise<{ full: Look; still: number }> {
  let mark = await look();
  let still = mark.now;
  for (;;) {
    await pause(20);
    const now = await look();
    if (now.cpu - mark.cpu > TICK_SECONDS) {
      mark = now;
      still = now.now;
    } else if (now.now - still >= STILL_SECONDS) {
      return { full: now, still };
    }
  }
}

async function startWorkers({ kind, workload, pace, ports }: Scene): Promise<Child> {
  const raw = pace.load === "raw" || kind.protocol !== "zmtp" || kind.registers;
  const workers = new Child(LOAD_CORE, [
    ...(raw
      ? [programPath("rload"), "worker", "-P", kind.protocol]
      : [programPath("zload"), "worker"]),
    ...["-e", `tcp://127.0.0.1:${ports.back}`],
    ...["-c", `${workload.workers}`, "-s", `${workload.slots}`],
    ...(kind.registers ? ["-G"] : []),
  ]);
  try {
    await workers.line(({ event }) => event === "ready", PATIENCE * 1000);
  } catch (error) {
    await workers[Symbol.asyncDispose]();
    throw error;
  }
  return workers;
}

function startClients({ kind, workload, pace, ports, broker }: Scene, more: string[]): Child {
  const raw = pace.load === "raw" || kind.protocol !== "zmtp";
  return new Child(LOAD_CORE, [
    ...(raw
      ? [programPath("rload"), "client", "-P", kind.protocol]
      : [programPath("zload"), "client"]),
    ...["-e", `tcp://127.0.0.1:${ports.front}`, "-c", `${workload.clients}`],
    ...["-w", `${workload.window}`, "-b", `${workload.size}`, "-p", `${broker.pid}`, ...more],
  ]);
}

function numbersOf(line: Line): (name: string) => number {
  return (name) => Number(line[name]);
}

function patience({ warmSeconds, seconds }: Pace): number {
  return (warmSeconds + seconds + PATIENCE) * 1000;
}

/** A port that nobody listens at. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** Waits until somebody listens at a port. */
export async function listens(server: Child, port: number): Promise<void> {
  const end = performance.now() + LISTEN_MS;
  while (performance.now() < end && !server.ended) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch {
      await pause(20);
    }
  }
  throw new Error(`nobody listens at ${port}. ${server.complaints}`);
}

/** Lets so many milliseconds pass. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
