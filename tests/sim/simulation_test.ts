/**
 * The whole stack in simulated time, with faults: two hours over twenty seeds, and that a seed gives
 * the same trace, to the byte, always. Longer: `deno task sim --seeds 1..300 --hours 500`.
 *
 * @module
 */
// deno-lint-ignore-file no-console -- the table of seeds is what this run is for
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { lineOf, sum, tableOf } from "./report.ts";
import { type Outcome, simulate } from "./simulation.ts";

const SEEDS = 20;
const MINUTES = 6;

/** What each of two hours must at least have shown: a checker that never looks proves nothing. */
const LEAST_LOOKS = 10;

Deno.test(`two simulated hours over ${SEEDS} seeds keep every promise`, async () => {
  const outcomes: Outcome[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const start = performance.now();
    const outcome = await simulate({ seed, milliseconds: MINUTES * 60_000 });
    console.log(lineOf(outcome, performance.now() - start));
    assertEquals(outcome.finding, undefined, `deno task sim --seed ${seed} --minutes ${MINUTES}`);
    outcomes.push(outcome);
  }
  const looks = sum(outcomes.map((outcome) => outcome.looks));
  console.log(tableOf(looks));
  for (const [checker, count] of looks) assert(count >= LEAST_LOOKS || ONCE.has(checker), checker);
});

/** Checkers that look once or twice a run. */
const ONCE: ReadonlySet<string> = new Set([
  "every call ends",
  "with nobody asking, everything drains",
  "everybody can leave",
  "after everybody left, every table is empty",
  "a broker that ended leaves nothing behind",
  "no connection is left",
  "the broker ends in time",
]);

Deno.test("the same seed gives the same trace, to the byte", async () => {
  const options = { seed: 7, milliseconds: 120_000 };
  const [first, second] = [await simulate(options), await simulate(options)];
  assertEquals(first.hash, second.hash);
  assertEquals(first.notes, second.notes);
  assertEquals([first.octets, first.simulated], [second.octets, second.simulated]);
  const other = await simulate({ ...options, seed: 8 });
  assertNotEquals(first.hash, other.hash);
});
