// deno-lint-ignore-file no-console
/**
 * Rota's broker beside other brokers: pinned, in turn, several times, medians and ratios, with the
 * same program under two names beside them. Installs nothing; `bench/install` does.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { formatCount } from "./kit/table.ts";
import { type BrokerKind, BROKERS } from "./peers/brokers.ts";
import { isInstalled } from "./peers/home.ts";
import { describeMachine, describeSetting, loadAverage, today } from "./peers/machine.ts";
import type { Setting } from "./peers/machine.ts";
import { LOAD_CORE, measure, type Pace, type Run } from "./peers/measure.ts";
import { Observer } from "./peers/observer.ts";
import { publishPeers } from "./peers/publish.ts";
import { DISTURBED_CORES, measureQuietly } from "./peers/quiet.ts";
import { type Record, type Row, rowsOf, tableOf } from "./peers/summary.ts";
import { type Workload, WORKLOADS } from "./peers/workloads.ts";

const HELP = `Rota's broker beside other brokers.

Usage: deno task bench:peers [options]

  --reps=5            how often each workload is measured on each broker
  --seconds=3         how long each measurement takes
  --warm=1            how long each broker is warmed up before
  --workloads=A,B     only these: ${WORKLOADS.map(({ name }) => name).join(", ")}
  --brokers=A,B       only these: ${BROKERS.map(({ name }) => name).join(", ")}
  --load=raw          raw: sockets of our own; libzmq: clients on libzmq, which the broker pings
  --wait=0            seconds that each run may wait for the machine to be quiet
  --publish           put table, numbers and picture into docs/
  --help              print this

Needs Linux, taskset and what bench/install builds. The broker runs on core 0, all else on core 1.
A run in which anything else used more than ${DISTURBED_CORES} of a core is made again, up to twice.
`;

interface Options extends Pace {
  readonly reps: number;
  readonly waitSeconds: number;
  readonly workloads: readonly Workload[];
  readonly brokers: readonly BrokerKind[];
  readonly publish: boolean;
}

function readOptions(args: readonly string[]): Options | undefined {
  const given = parseArgs([...args], {
    boolean: ["help", "publish"],
    string: ["reps", "seconds", "warm", "workloads", "brokers", "load", "wait"],
    default: { reps: "5", seconds: "3", warm: "1", load: "raw", wait: "0" },
    unknown: (name) => {
      throw new TypeError(`Cannot measure: ${name} isn't an option`);
    },
  });
  if (given.help) return undefined;
  const chosen = <T extends { name: string }>(all: readonly T[], names: string | undefined) =>
    names === undefined ? all : names.split(",").map((name) => {
      const found = all.find((each) => each.name === name);
      if (found === undefined) throw new TypeError(`Cannot measure: there is no ${name}`);
      return found;
    });
  if (given.load !== "raw" && given.load !== "libzmq") {
    throw new TypeError("Cannot measure: load is raw or libzmq");
  }
  return {
    reps: Number(given.reps),
    waitSeconds: Number(given.wait),
    seconds: Number(given.seconds),
    warmSeconds: Number(given.warm),
    load: given.load,
    workloads: chosen(WORKLOADS, given.workloads),
    brokers: chosen(BROKERS, given.brokers),
    publish: given.publish,
  };
}

/** Those that are installed, with their versions; says which aren't. */
async function findBrokers(wanted: readonly BrokerKind[]): Promise<Map<BrokerKind, string>> {
  const found = new Map<BrokerKind, string>();
  for (const kind of wanted) {
    const version = await kind.version();
    if (version === undefined) console.error(`${kind.name} is missing: bench/install brings it`);
    else found.set(kind, version);
  }
  return found;
}

/** One measurement; what goes wrong is told, and the others go on. */
async function tryOut(
  kind: BrokerKind,
  workload: Workload,
  options: Options,
  observer: Observer,
): Promise<{ run?: Run; error?: string }> {
  const once = () => measure(kind, workload, options, observer);
  try {
    return { run: await measureQuietly(observer, options.waitSeconds, once) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

async function measureAll(
  options: Options,
  brokers: readonly BrokerKind[],
  observer: Observer,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const workload of options.workloads) {
    const records: Record[] = [];
    for (let repetition = 0; repetition < options.reps; repetition++) {
      for (const kind of brokers) {
        if (workload.backlog !== undefined && kind.backlog === 0) continue;
        const result = await tryOut(kind, workload, options, observer);
        const { run, error } = result;
        records.push({ workload: workload.name, broker: kind.name, repetition, ...result });
        const rates = run &&
          `${formatCount(run.rps)} a second, ${formatCount(run.perCpu)} per broker-CPU-second`;
        console.error(`${workload.name} #${repetition + 1} ${kind.name}: ${rates ?? error}`);
      }
    }
    const mine = rowsOf(workload, records);
    console.log(`\n${workload.name}: ${workload.text}\n\n${tableOf(mine)}\n`);
    rows.push(...mine);
  }
  return rows;
}

async function main(options: Options): Promise<void> {
  if (!await isInstalled("rload") || !await isInstalled("look")) {
    console.error("The load generators are missing: bench/install builds them");
    Deno.exitCode = 1;
    return;
  }
  const brokers = await findBrokers(options.brokers);
  const before = await loadAverage();
  await using observer = new Observer(LOAD_CORE);
  const rows = await measureAll(options, [...brokers.keys()], observer);
  const setting: Setting = {
    ...await describeMachine(),
    versions: Object.fromEntries([...brokers].map(([kind, version]) => [kind.name, version])),
    command: `deno task bench:peers ${Deno.args.join(" ")}`.trim(),
    date: today(),
    load: `${before} before, ${await loadAverage()} after`,
  };
  console.log(describeSetting(setting));
  if (options.publish) await publishPeers(setting, rows, options.load);
  if (rows.some(({ lost, failed }) => lost > 0 || failed > 0)) Deno.exitCode = 1;
}

const options = readOptions(Deno.args);
if (options === undefined) console.log(HELP);
else await main(options);
