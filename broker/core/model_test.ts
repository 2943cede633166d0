/**
 * The whole pure broker against a naive model of it, step by step, over random runs: whatever clients,
 * workers, the operator and the clock do, both say, do and count the same, and every table of the
 * real one is as it must be. See `tests/model/`. The test command plays the runs of one seed, so that
 * the same code gives the same outcome; a longer one draws its own:
 *
 *     deno test broker/core/model_test.ts -- --runs=500000
 *
 * @module
 */
import { AssertionError } from "@std/assert";
import fc from "fast-check";
import { EXPECTED } from "../../tests/model/expected.ts";
import type { ModelSettings } from "../../tests/model/naive_records.ts";
import { Steps } from "../../tests/model/steps.ts";
import { Transitions } from "../../tests/model/transitions.ts";
import { Twins } from "../../tests/model/twins.ts";

/** Two million steps unless told otherwise. */
const RUNS = numberOf("runs") ?? 10_000;
const STEPS = 200;
const SEED = numberOf("seed") ?? (numberOf("runs") === undefined ? 20_261_118 : undefined);

/** Small limits, so that they are reached. */
const SETTINGS: ModelSettings = {
  workerExpire: 3000,
  maxAttempts: 2,
  runLimit: 0,
  backlogJobs: 6,
  clientGrace: 5000,
  forgottenAfter: 1000,
  deadLetters: 4,
  finishedRequests: 8,
  finishedTime: 20_000,
  finishedReplyBytes: 120,
  streamsOfClient: 2,
  workersOfConnection: 3,
  services: 3,
};

/** Plays one run; whoever listens is told what happens. */
function play(limited: boolean, numbers: readonly number[], listener: Listener): void {
  const twins = new Twins({ ...SETTINGS, runLimit: limited ? 4000 : 0 });
  twins.real.onEvent = twins.onEvent = listener.onEvent;
  twins.log = listener.onLine;
  const steps = new Steps(twins);
  for (const number of numbers) {
    const name = steps.do(number);
    listener.onEvent?.(`step: ${name}`);
  }
  twins.end();
}

interface Listener {
  readonly onEvent?: (event: string) => void;
  readonly onLine?: (line: string) => void;
}

/** Whether a run fails. */
function fails(limited: boolean, numbers: readonly number[]): boolean {
  try {
    play(limited, numbers, {});
    return false;
  } catch {
    return true;
  }
}

/** Leaves out one step after the other, as long as the run fails without it. */
function shortest(limited: boolean, numbers: readonly number[]): number[] {
  const kept = [...numbers];
  for (let before = -1; before !== kept.length;) {
    before = kept.length;
    for (let i = kept.length - 1; i >= 0; i--) {
      if (fails(limited, kept.toSpliced(i, 1))) kept.splice(i, 1);
    }
  }
  return kept;
}

/** A run that failed, told from its beginning. */
function tell(limited: boolean, numbers: readonly number[]): string {
  const lines: string[] = [];
  try {
    play(limited, shortest(limited, numbers), { onLine: (line) => lines.push(line) });
  } catch (error) {
    lines.push(String(error));
  }
  return lines.join("\n");
}

Deno.test("Core does what a naive model of the protocol does", () => {
  const transitions = new Transitions();
  const onEvent = (event: string) => transitions.count(event);
  const step = fc.noBias(fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  const run = fc.tuple(fc.boolean(), fc.array(step, { minLength: STEPS, maxLength: STEPS }));
  const { failed, counterexample, seed } = fc.check(
    fc.property(run, ([limited, numbers]) => play(limited, numbers, { onEvent })),
    { numRuns: RUNS, endOnFailure: true, ...seedOf(SEED) },
  );
  if (failed) throw new AssertionError(`seed ${seed}\n${tell(...counterexample![0])}`);
  transitions.print();
  transitions.check(EXPECTED);
});

/** The number behind an option of the command line. */
function numberOf(option: string): number | undefined {
  const text = Deno.args.find((argument) => argument.startsWith(`--${option}=`))?.split("=")[1];
  return text === undefined ? undefined : Number(text);
}

function seedOf(seed: number | undefined): { seed?: number } {
  return seed === undefined ? {} : { seed };
}
