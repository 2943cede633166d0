// A million seeded streams, whole and broken, against a naive reading of the same octets.
// deno-lint-ignore-file no-console -- the table of outcomes is what this run is for
import { assert, assertEquals } from "@std/assert";
import { fuzz, PEAK_BYTES } from "./fuzz.ts";
import { Random } from "./random.ts";

const CASES = 1_000_000;
const SEED = 20_240_229;
/** Less often than this, in a million cases, an outcome counts as not tested. */
const LEAST = 500;

Deno.test("Random gives the same numbers for the same seed", () => {
  const [one, two] = [new Random(7), new Random(7)];
  for (let i = 0; i < 100; i++) assertEquals(one.bits(), two.bits());
});

Deno.test("a million streams, most of them broken, end as the naive reference says", () => {
  console.log(`seed ${SEED}, ${CASES} cases`);
  const { mutated, outcomes, peak } = fuzz(SEED, CASES);
  console.log(`mutations of valid streams ${mutated}, peak ${peak} octets of the budget`);
  for (const [outcome, count] of outcomes) {
    console.log(`${outcome.padEnd(24)} ${String(count).padStart(8)}`);
  }
  assert(mutated >= CASES / 2, "fewer than half are mutations");
  assert(peak <= PEAK_BYTES);
  for (const [outcome, count] of outcomes) {
    // A heartbeat that stays away is found by a clock, never by octets.
    if (outcome === "heartbeat") assertEquals(count, 0);
    else assert(count >= LEAST, `${outcome} came only ${count} times`);
  }
});
