// deno-lint-ignore-file no-console
/**
 * Round trips through whole systems: client, server and worker in three processes, with the library
 * that people would use. Calls per second and the CPU time of all three together.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { argsOf, type System, SYSTEMS } from "./calls/systems.ts";
import { type CallRow, callTable } from "./calls/table.ts";
import { spreadOf } from "./kit/spread.ts";
import { formatCount } from "./kit/table.ts";
import { Child } from "./peers/child.ts";
import { isInstalled } from "./peers/home.ts";
import { describeMachine, describeSetting, loadAverage, today } from "./peers/machine.ts";
import type { Setting } from "./peers/machine.ts";
import { LOAD_CORE, startBroker } from "./peers/measure.ts";
import { Observer } from "./peers/observer.ts";
import { publishNumbers, publishSection } from "./peers/publish.ts";
import { DISTURBED_CORES, measureQuietly, type Watched } from "./peers/quiet.ts";

const HELP = `Calls through client, server and worker, each in a process of its own.

Usage: deno task bench:calls [options]

  --reps=5          how often each is measured
  --seconds=3       how long each measurement takes
  --warm=2          how long each is warmed up before
  --systems=A,B     only these: ${SYSTEMS.map(({ name }) => name).join(", ")}
  --wait=0          seconds that each run may wait for the machine to be quiet
  --publish         put table and numbers into docs/
  --help            print this

Needs Linux, taskset and what bench/install builds. The server runs on core 0, client and worker on
core 1. A run in which anything else used more than ${DISTURBED_CORES} of a core is made again, up to twice.
`;

const IN_FLIGHT: readonly number[] = [1, 10, 100];
/** Until a program says something, beyond the time that it was told to take. */
const PATIENCE_MS = 20_000;

interface Options {
  readonly reps: number;
  readonly seconds: number;
  readonly warmSeconds: number;
  readonly waitSeconds: number;
  readonly systems: readonly System[];
  readonly publish: boolean;
}

/** What one run gave. */
interface CallRun extends Watched {
  readonly rate: number;
  readonly p50us: number;
  readonly p99us: number;
  /** CPU microseconds of a call: in all processes, and in the server alone. */
  readonly cpuUs: number;
  readonly serverUs: number;
  readonly wrong: number;
}

function readOptions(args: readonly string[]): Options | undefined {
  const given = parseArgs([...args], {
    boolean: ["help", "publish"],
    string: ["reps", "seconds", "warm", "systems", "wait"],
    default: { reps: "5", seconds: "3", warm: "2", wait: "0" },
    unknown: (name) => {
      throw new TypeError(`Cannot measure: ${name} isn't an option`);
    },
  });
  if (given.help) return undefined;
  const wanted = given.systems?.split(",");
  return {
    reps: Number(given.reps),
    seconds: Number(given.seconds),
    warmSeconds: Number(given.warm),
    waitSeconds: Number(given.wait),
    systems: SYSTEMS.filter(({ name }) => wanted?.includes(name) ?? true),
    publish: given.publish,
  };
}

async function measure(
  system: System,
  inFlight: number,
  { warmSeconds, seconds }: Options,
  observer: Observer,
): Promise<CallRun> {
  await using stack = new AsyncDisposableStack();
  const { broker, ports } = await startBroker(system.server);
  stack.use(broker);
  const start = (role: "client" | "worker") => {
    const args = argsOf(role, ports, inFlight, warmSeconds, seconds);
    return stack.use(new Child(LOAD_CORE, [...system.program, ...args]));
  };
  const worker = start("worker");
  await worker.line(({ event }) => event === "ready", PATIENCE_MS);
  const client = start("client");
  const patience = (warmSeconds + seconds) * 1000 + PATIENCE_MS;
  const looks = async () => ({
    all: await observer.look([broker.pid, worker.pid, client.pid]),
    server: await observer.look([broker.pid]),
  });
  await client.line(({ event }) => event === "begin", patience);
  const before = await looks();
  await client.line(({ event }) => event === "end", patience);
  const after = await looks();
  const said = await client.line((line) => "calls" in line, PATIENCE_MS);
  const calls = Number(said.calls);
  const cpu = after.all.cpu - before.all.cpu;
  const elapsed = after.all.now - before.all.now;
  const others = after.all.busy - before.all.busy - cpu + after.all.steal - before.all.steal;
  return {
    rate: calls / Number(said.seconds),
    p50us: Number(said.p50us),
    p99us: Number(said.p99us),
    cpuUs: 1e6 * cpu / calls,
    serverUs: 1e6 * (after.server.cpu - before.server.cpu) / calls,
    wrong: Number(said.wrong),
    otherCores: Math.max(0, others / elapsed),
  };
}

async function measureAll(
  options: Options,
  systems: readonly System[],
  observer: Observer,
): Promise<CallRow[]> {
  const rows: CallRow[] = [];
  for (const inFlight of IN_FLIGHT) {
    const runs = new Map<System, CallRun[]>(systems.map((system) => [system, []]));
    for (let repetition = 0; repetition < options.reps; repetition++) {
      for (const system of systems) {
        const once = () => measure(system, inFlight, options, observer);
        const run = await measureQuietly(observer, options.waitSeconds, once);
        runs.get(system)!.push(run);
        const told = `${formatCount(run.rate)} a second, ${run.cpuUs.toFixed(1)} CPU us each`;
        console.error(`${inFlight} in flight #${repetition + 1} ${system.name}: ${told}`);
      }
    }
    for (const [system, all] of runs) rows.push(rowOf(system.name, inFlight, all));
  }
  return rows;
}

function rowOf(system: string, inFlight: number, runs: readonly CallRun[]): CallRow {
  const spread = (of: (run: CallRun) => number) => spreadOf(runs.map(of));
  return {
    system,
    inFlight,
    runs: runs.length,
    rate: spread(({ rate }) => rate),
    cpuUs: spread(({ cpuUs }) => cpuUs),
    serverUs: spread(({ serverUs }) => serverUs).median,
    p50us: spread(({ p50us }) => p50us).median,
    p99us: spread(({ p99us }) => p99us).median,
    wrong: Math.max(...runs.map(({ wrong }) => wrong)),
    otherCores: Math.max(...runs.map(({ otherCores }) => otherCores)),
  };
}

async function main(options: Options): Promise<void> {
  if (!await isInstalled("look")) {
    console.error("The observer is missing: bench/install builds it");
    Deno.exitCode = 1;
    return;
  }
  const systems = new Map<System, string>();
  for (const system of options.systems) {
    const [own, server] = [await system.version(), await system.server.version()];
    if (own && server) systems.set(system, `${own}, ${server}`);
    else console.error(`${system.name} is missing: bench/install brings it`);
  }
  const before = await loadAverage();
  await using observer = new Observer(LOAD_CORE);
  const rows = await measureAll(options, [...systems.keys()], observer);
  const setting: Setting = {
    ...await describeMachine(),
    versions: Object.fromEntries([...systems].map(([{ name }, version]) => [name, version])),
    command: `deno task bench:calls ${Deno.args.join(" ")}`.trim(),
    date: today(),
    load: `${before} before, ${await loadAverage()} after`,
  };
  const table = callTable(rows);
  console.log(`${table}\n\n${describeSetting(setting)}`);
  if (options.publish) {
    await publishSection("calls", `${describeSetting(setting)}\n\n${table}`);
    await publishNumbers("calls", { setting, rows });
  }
  if (rows.some(({ wrong }) => wrong > 0)) Deno.exitCode = 1;
}

const options = readOptions(Deno.args);
if (options === undefined) console.log(HELP);
else await main(options);
