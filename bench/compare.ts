// deno-lint-ignore-file no-console
/**
 * Rota and zeromq.js side by side in one run: the same loops, two processes each, in turn, several
 * rounds, medians. `deno task bench:compare --help` says what can be asked for.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { ZEROMQ } from "../tests/interop/install.ts";
import { Bystander } from "./compare/bystander.ts";
import { type Measurement, Side, type SideName, SIDES } from "./compare/side.ts";
import { spreadOf } from "./kit/spread.ts";
import { formatCount, formatTable } from "./kit/table.ts";
import { type Workload, WORKLOADS } from "./compare/work.ts";
import { measureQuietly } from "./peers/quiet.ts";

const HELP = `Rota and zeromq.js (in Node) side by side.

Usage: deno task bench:compare [options]

  --rounds=5     how often each workload is measured on each side
  --seconds=1.5  how long each measurement takes
  --wait=0       seconds that each measurement may wait for the machine to be quiet
  --pin          each process on a core of its own (needs taskset)
  --only=TEXT    only workloads whose name holds this text
  --sides=A,B    only these sides: ${SIDES.join(", ")}
  --help         print this
`;

/** Measured and thrown away before each measurement, so that the compilers are done. */
const WARM_UP_SECONDS = 1;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly waitSeconds: number;
  readonly pinned: boolean;
  readonly workloads: readonly Workload[];
  readonly sides: readonly SideName[];
}

/** All measurements of one workload on one side. */
type Results = Map<Workload, Map<SideName, Measurement[]>>;

function readOptions(args: readonly string[]): Options | undefined {
  const { help, rounds, seconds, wait, pin, only, sides } = parseArgs([...args], {
    boolean: ["help", "pin"],
    string: ["rounds", "seconds", "wait", "only", "sides"],
    default: { rounds: "5", seconds: "1.5", wait: "0", only: "", sides: SIDES.join(",") },
  });
  if (help) return undefined;
  const wanted = sides.toLowerCase().split(",");
  const options: Options = {
    rounds: Number(rounds),
    seconds: Number(seconds),
    waitSeconds: Number(wait),
    pinned: pin,
    workloads: WORKLOADS.filter(({ name }) => name.includes(only)),
    sides: SIDES.filter((side) => wanted.includes(side.toLowerCase())),
  };
  const isSane = options.rounds >= 1 && options.seconds > 0 && options.workloads.length > 0 &&
    options.sides.length > 0;
  if (isSane) return options;
  console.error("Cannot measure: that leaves nothing to do\n");
  Deno.exitCode = 2;
  return undefined;
}

/** What the numbers hold for. */
async function describeSetting({ rounds, seconds, pinned }: Options): Promise<string> {
  const { stdout } = await new Deno.Command("node", { args: ["--version"] }).output();
  const node = new TextDecoder().decode(stdout).trim();
  const cores = navigator.hardwareConcurrency;
  return `Deno ${Deno.version.deno}, ${ZEROMQ} on Node ${node}, ${Deno.build.os} with ${cores} cores, ` +
    `${pinned ? "pinned" : "not pinned"}: medians of ${rounds} times ${seconds} s\n`;
}

/** One round: new processes for every side, then each workload on each side in turn. */
async function runRound(options: Options, round: number, results: Results): Promise<void> {
  const { pinned, seconds, waitSeconds, workloads } = options;
  const bystander = new Bystander();
  await using stack = new AsyncDisposableStack();
  const sides = new Map<SideName, Side>();
  for (const name of options.sides) {
    sides.set(name, stack.use(await Side.start(name, { pinned })));
  }
  // Each round starts with another side, so that none always runs in the other's wake.
  const names = options.sides.map((_, i) => options.sides[(i + round) % options.sides.length]!);
  for (const workload of workloads) {
    for (const name of names) {
      const side = sides.get(name)!;
      await side.measure(workload, WARM_UP_SECONDS);
      const once = () => side.measure(workload, seconds);
      const measured = await measureQuietly(bystander, waitSeconds, once);
      results.get(workload)!.get(name)!.push(measured);
    }
  }
}

function report({ workloads, sides }: Options, results: Results): string {
  const rows = [
    ["workload", "side", "messages/s", "least", "most", "ratio", "MB/s", "CPU s/million", "ratio"],
  ];
  for (const workload of workloads) {
    const measured = results.get(workload)!;
    const middle = (name: SideName, of: (it: Measurement) => number) =>
      spreadOf((measured.get(name) ?? []).map(of));
    const other = sides.includes("zeromq.js") ? "zeromq.js" : sides[0]!;
    for (const name of sides) {
      const rate = middle(name, perSecond);
      const cost = middle(name, cpuPerMillion);
      rows.push([
        name === sides[0] ? workload.name : "",
        name,
        formatCount(rate.median),
        formatCount(rate.least),
        formatCount(rate.most),
        (rate.median / middle(other, perSecond).median).toFixed(2),
        (rate.median * workload.size / 1e6).toFixed(1),
        cost.median.toFixed(2),
        (cost.median / middle(other, cpuPerMillion).median).toFixed(2),
      ]);
    }
  }
  return formatTable(rows, 2);
}

/** The cores that others used during the measurement that was disturbed most. */
function mostOthers(results: Results): string {
  const all = [...results.values()].flatMap((sides) => [...sides.values()].flat());
  return Math.max(...all.map(({ otherCores }) => otherCores)).toFixed(2);
}

function perSecond({ messages, seconds }: Measurement): number {
  return messages / seconds;
}

function cpuPerMillion({ messages, cpu }: Measurement): number {
  return cpu / messages * 1e6;
}

const options = readOptions(Deno.args);
if (options === undefined) {
  console.log(HELP);
} else {
  const results: Results = new Map(
    options.workloads.map((each) => [each, new Map(options.sides.map((name) => [name, []]))]),
  );
  for (let round = 0; round < options.rounds; round++) {
    await runRound(options, round, results);
    console.error(`round ${round + 1} of ${options.rounds} done`);
  }
  console.log(await describeSetting(options));
  console.log(report(options, results));
  console.log(
    `\nAnything else on the machine used at most ${mostOthers(results)} cores meanwhile.`,
  );
}
