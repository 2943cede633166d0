// deno-lint-ignore-file no-console
/**
 * What a job costs the broker as workers, clients, the backlog and bodies grow, and what connections
 * and waiting jobs hold. A flat line, or there is a reason.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { type CostRow, costTable, type GrowthRow, growthTable } from "./growth/report.ts";
import { idleConnections, waitingJobs } from "./growth/memory.ts";
import { publishGrowth } from "./growth/publish.ts";
import { type Growth, GROWTHS, type Point } from "./growth/series.ts";
import { spreadOf } from "./kit/spread.ts";
import { type BrokerKind, BROKERS, rota } from "./peers/brokers.ts";
import { isInstalled } from "./peers/home.ts";
import { describeMachine, describeSetting, loadAverage, today } from "./peers/machine.ts";
import type { Setting } from "./peers/machine.ts";
import { LOAD_CORE, measure, type Run } from "./peers/measure.ts";
import { Observer } from "./peers/observer.ts";
import { isDisturbed, measureQuietly } from "./peers/quiet.ts";

const HELP = `What a job costs the broker as things grow.

Usage: deno task bench:growth [options]

  --reps=3         how often each point is measured
  --seconds=3      how long each measurement takes
  --series=A,B     only these: ${GROWTHS.map(({ name }) => name).join(", ")}, memory
  --brokers=A,B    of rota and libzmq-c; both unless told
  --wait=0         seconds that each run may wait for the machine to be quiet
  --publish        put tables, numbers and picture into docs/
  --help           print this
`;

/** Rota as it is by default, but for as many connections as the largest series needs. */
const KINDS: readonly BrokerKind[] = [
  rota("--limit", "connections=12000"),
  BROKERS.find(({ name }) => name === "libzmq-c")!,
];

const WAITING: readonly (readonly [count: number, size: number])[] = [
  [1_000_000, 0],
  [10_000, 100],
  [1_000_000, 100],
  [100_000, 1024],
];
const IDLE: readonly (readonly ["clients" | "workers", number])[] = [
  ["clients", 2000],
  ["clients", 5000],
  ["workers", 2000],
];

interface Options {
  readonly reps: number;
  readonly seconds: number;
  readonly waitSeconds: number;
  readonly growths: readonly Growth[];
  readonly memory: boolean;
  readonly kinds: readonly BrokerKind[];
  readonly publish: boolean;
}

function readOptions(args: readonly string[]): Options | undefined {
  const given = parseArgs([...args], {
    boolean: ["help", "publish"],
    string: ["reps", "seconds", "series", "brokers", "wait"],
    default: { reps: "3", seconds: "3", wait: "0" },
    unknown: (name) => {
      throw new TypeError(`Cannot measure: ${name} isn't an option`);
    },
  });
  if (given.help) return undefined;
  const series = given.series?.split(",");
  const brokers = given.brokers?.split(",");
  return {
    reps: Number(given.reps),
    seconds: Number(given.seconds),
    waitSeconds: Number(given.wait),
    growths: GROWTHS.filter(({ name }) => series?.includes(name) ?? true),
    memory: series?.includes("memory") ?? true,
    kinds: KINDS.filter(({ name }) => brokers?.includes(name) ?? true),
    publish: given.publish,
  };
}

async function measurePoint(
  growth: Growth,
  { at, workload, warmSeconds }: Point,
  options: Options,
  observer: Observer,
): Promise<GrowthRow[]> {
  const runs = new Map<BrokerKind, Run[]>(options.kinds.map((kind) => [kind, []]));
  const pace = { warmSeconds, seconds: options.seconds, load: "raw" } as const;
  for (let i = 0; i < options.reps; i++) {
    for (const kind of options.kinds) {
      const once = () => measure(kind, workload, pace, observer);
      const run = await measureQuietly(observer, options.waitSeconds, once);
      runs.get(kind)!.push(run);
      const cost = (1e6 / run.perCpu).toPrecision(3);
      console.error(`${workload.name} #${i + 1} ${kind.name}: ${cost} CPU us a job`);
    }
  }
  return [...runs].map(([kind, all]) => rowOf(growth.name, at, kind.name, all));
}

function rowOf(series: string, at: number, broker: string, all: readonly Run[]): GrowthRow {
  const quiet = all.filter((run) => !isDisturbed(run));
  const runs = quiet.length > 0 ? quiet : all;
  const middle = (of: (run: Run) => number) => spreadOf(runs.map(of)).median;
  return {
    series,
    at,
    broker,
    runs: runs.length,
    cost: spreadOf(runs.map(({ perCpu }) => 1e6 / perCpu)),
    rate: middle(({ rps }) => rps),
    p99us: middle(({ p99us }) => p99us),
    peakBytes: middle(({ peakBytes }) => peakBytes),
    lost: Math.max(...runs.map(({ lost }) => lost)),
    otherCores: Math.max(...runs.map(({ otherCores }) => otherCores)),
  };
}

async function measureMemory({ kinds }: Options, observer: Observer): Promise<CostRow[]> {
  const rows: CostRow[] = [];
  const add = (row: CostRow) => {
    rows.push(row);
    console.error(`${row.count} ${row.what} ${row.broker}: ${Math.round(row.each)} B each`);
  };
  for (const [role, count] of IDLE) {
    for (const kind of kinds) {
      add({ ...await idleConnections(kind, role, count, observer), broker: kind.name });
    }
  }
  for (const [count, size] of WAITING) {
    for (const kind of kinds) {
      add({ ...await waitingJobs(kind, count, size, observer), broker: kind.name });
    }
  }
  return rows;
}

async function main(options: Options): Promise<void> {
  if (!await isInstalled("rload") || !await isInstalled("look")) {
    console.error("The load generators are missing: bench/install builds them");
    Deno.exitCode = 1;
    return;
  }
  const before = await loadAverage();
  await using observer = new Observer(LOAD_CORE);
  const rows: GrowthRow[] = [];
  for (const growth of options.growths) {
    for (const point of growth.points) {
      rows.push(...await measurePoint(growth, point, options, observer));
    }
    const mine = rows.filter(({ series }) => series === growth.name);
    console.log(`\n${growth.name}: ${growth.text}\n\n${growthTable(mine, growth.unit)}\n`);
  }
  const costs = options.memory ? await measureMemory(options, observer) : [];
  if (costs.length > 0) console.log(`${costTable(costs)}\n`);
  const versions = options.kinds.map(async (kind) => [kind.name, await kind.version() ?? ""]);
  const setting: Setting = {
    ...await describeMachine(),
    versions: Object.fromEntries(await Promise.all(versions)),
    command: `deno task bench:growth ${Deno.args.join(" ")}`.trim(),
    date: today(),
    load: `${before} before, ${await loadAverage()} after`,
  };
  console.log(describeSetting(setting));
  if (options.publish) await publishGrowth(setting, rows, costs);
  if (rows.some(({ lost }) => lost > 0)) Deno.exitCode = 1;
}

const options = readOptions(Deno.args);
if (options === undefined) console.log(HELP);
else await main(options);
