/**
 * What goes wrong in the simulation of a seed: a list of faults that depends on nothing but the seed,
 * so that a part of it can be played alone.
 *
 * @module
 */
import { Dice } from "./dice.ts";
import type { Fault, Verb } from "./fault.ts";
import type { Character } from "./members.ts";

/** Nothing goes wrong before everybody had the time to start. */
const FIRST_MS = 5000;
/** Between two faults, on average. */
const BETWEEN_MS = 7000;

/** How often each verb comes, and how long it lasts: milliseconds, from and to. */
const VERBS: readonly (readonly [weight: number, verb: Verb, least: number, most: number])[] = [
  [14, "kill", 200, 12_000],
  [10, "close", 200, 12_000],
  [14, "stop", 300, 20_000],
  [12, "cut", 0, 0],
];

/** The faults of a seed within so much time. */
export function planOf(seed: number, cast: readonly Character[], milliseconds: number): Fault[] {
  const dice = new Dice(seed, "plan");
  const faults: Fault[] = [];
  const table = VERBS.map((row) => [row[0], row] as const);
  for (let at = FIRST_MS; at < milliseconds; at += dice.wait(BETWEEN_MS)) {
    const [, verb, least, most] = dice.weigh(table);
    const target = dice.pick(cast).name;
    faults.push({
      at: Math.round(at),
      verb,
      target,
      lasts: Math.round(dice.between(least, most)),
      amount: 0,
    });
  }
  return faults;
}
