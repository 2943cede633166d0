// Simulates the whole stack with faults:
//
//     deno task sim --seed 7 --hours 1
//     deno task sim --seeds 1..300 --hours 500
//     deno task sim --scenario tests/sim/found/seed-7.txt --verbose
//
// The same seed gives the same trace, to the byte. With many seeds the hours are shared among them.
// deno-lint-ignore-file no-console -- a program that reports
import { parseArgs } from "@std/cli/parse-args";
import { lineOf, sum, tableOf } from "./report.ts";
import { readScenario, writeScenario } from "./scenario.ts";
import { shrink } from "./shrink.ts";
import { type Outcome, simulate, type SimulationOptions } from "./simulation.ts";

const FOUND = "tests/sim/found";

const args = parseArgs(Deno.args, {
  string: ["seed", "seeds", "hours", "minutes", "scenario"],
  boolean: ["verbose", "help"],
});

/** Plays one simulation and tells what came of it. */
async function tell(options: SimulationOptions): Promise<Outcome> {
  const onNote = args.verbose ? { onNote: (note: string) => console.log(note) } : {};
  const start = performance.now();
  const outcome = await simulate({ ...options, ...onNote });
  console.log(lineOf(outcome, performance.now() - start));
  return outcome;
}

/** A seed that found something: the shortest way there, told and written down. */
async function explain(outcome: Outcome, milliseconds: number): Promise<void> {
  const { seed, finding } = outcome;
  console.log(`\nseed ${seed}, ${finding!.checker}:\n  ${finding!.detail}`);
  console.log("looking for the fewest faults that still do that ...");
  const early = outcome.faults.filter(({ at }) => at <= finding!.at);
  const play = (faults: Outcome["faults"]) => simulate({ seed, milliseconds, faults });
  const faults = await shrink(early, async (some) => {
    return (await play(some)).finding?.checker === finding!.checker;
  });
  const last = await play(faults);
  const text = writeScenario({ seed, milliseconds, faults }, last.finding, last.notes.slice(-60));
  const file = `${FOUND}/seed-${seed}.txt`;
  console.log(`\n${text}`);
  await Deno.mkdir(FOUND, { recursive: true });
  await Deno.writeTextFile(file, text);
  console.log(`written to ${file}; play it with: deno task sim --scenario ${file} --verbose`);
}

/** The seeds that were asked for: 7, or 1..300. */
function seedsOf(): number[] {
  const [from, to = from] = (args.seeds ?? args.seed ?? "1").split("..").map(Number);
  if (from === undefined || to === undefined || !(from <= to)) {
    throw new TypeError("--seeds is such as 1..300");
  }
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

async function main(): Promise<number> {
  if (args.help) {
    console.log("deno task sim [--seed N | --seeds A..B] [--hours H | --minutes M] [--verbose]");
    console.log("deno task sim --scenario FILE [--verbose]");
    return 0;
  }
  if (args.scenario !== undefined) {
    const outcome = await tell(readScenario(await Deno.readTextFile(args.scenario)));
    console.log(outcome.finding ?? "nothing was found");
    return outcome.finding === undefined ? 0 : 1;
  }
  const seeds = seedsOf();
  const hours = Number(args.hours ?? Number(args.minutes ?? 6 * seeds.length) / 60);
  const milliseconds = Math.round(hours * 3_600_000 / seeds.length);
  const outcomes: Outcome[] = [];
  for (const seed of seeds) {
    const outcome = await tell({ seed, milliseconds });
    outcomes.push(outcome);
    if (outcome.finding !== undefined) {
      await explain(outcome, milliseconds);
      return 1;
    }
  }
  console.log(`\nhow calls ended\n${tableOf(sum(outcomes.map(({ ends }) => ends)))}`);
  console.log(
    `\nhow often each checker looked\n${tableOf(sum(outcomes.map(({ looks }) => looks)))}`,
  );
  return 0;
}

Deno.exit(await main());
