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
const BETWEEN_MS = 6000;

/** Whom a fault may happen to. */
type Whom = "anybody" | "client" | "worker" | "named" | "broker" | "port";

/** How often a fault comes, to whom, how long it lasts in ms, and by how much, each from and to. */
interface Kind {
  readonly weight: number;
  readonly verb: Verb;
  readonly whom: Whom;
  readonly lasts?: readonly [number, number];
  readonly amount?: readonly [number, number];
}

const KINDS: readonly Kind[] = [
  { weight: 14, verb: "kill", whom: "anybody", lasts: [200, 12_000] },
  { weight: 10, verb: "close", whom: "anybody", lasts: [200, 12_000] },
  { weight: 12, verb: "stop", whom: "anybody", lasts: [300, 20_000] },
  { weight: 12, verb: "cut", whom: "anybody" },
  { weight: 6, verb: "half-open", whom: "anybody" },
  { weight: 6, verb: "slow", whom: "anybody", lasts: [500, 10_000], amount: [20, 2500] },
  { weight: 6, verb: "stall", whom: "anybody", lasts: [1000, 25_000] },
  { weight: 3, verb: "refuse", whom: "port", lasts: [500, 8000] },
  { weight: 6, verb: "twin", whom: "named", lasts: [500, 8000] },
  { weight: 5, verb: "burst", whom: "client", amount: [5, 60] },
  { weight: 4, verb: "leave", whom: "anybody", lasts: [200, 5000] },
  { weight: 3, verb: "exit", whom: "worker" },
  { weight: 3, verb: "retry", whom: "broker" },
  { weight: 3, verb: "crash", whom: "broker", lasts: [100, 8000] },
  { weight: 3, verb: "shutdown", whom: "broker", lasts: [100, 8000] },
  { weight: 3, verb: "stop", whom: "broker", lasts: [300, 15_000] },
];

/** The faults of a seed within so much time. */
export function planOf(seed: number, cast: readonly Character[], milliseconds: number): Fault[] {
  const dice = new Dice(seed, "plan");
  const faults: Fault[] = [];
  const table = KINDS.map((kind) => [kind.weight, kind] as const);
  for (let at = FIRST_MS; at < milliseconds; at += dice.wait(BETWEEN_MS)) {
    const { verb, whom, lasts = [0, 0], amount = [0, 0] } = dice.weigh(table);
    const targets = targetsOf(whom, cast);
    if (targets.length === 0) continue;
    faults.push({
      at: Math.round(at),
      verb,
      target: dice.pick(targets),
      lasts: Math.round(dice.between(...lasts)),
      amount: Math.round(dice.between(...amount)),
    });
  }
  return faults;
}

function targetsOf(whom: Whom, cast: readonly Character[]): string[] {
  if (whom === "broker") return ["broker"];
  if (whom === "port") return ["frontend", "backend"];
  const fits = ({ side, named }: Character) =>
    whom === "anybody" || side === whom || (whom === "named" && named);
  return cast.filter(fits).map(({ name }) => name);
}
