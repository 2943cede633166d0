// deno-lint-ignore-file no-console
/**
 * Fails if core or codec have become slower by more than 30 %: against a naive reference in the same
 * run, never by the clock alone, and by counts. What is expected stands in guard.json;
 * `deno task bench:guard --print` prints what is measured in the same form.
 *
 * @module
 */
import expected from "./guard.json" with { type: "json" };
import { CASES, COUNTS } from "./guard/cases.ts";
import { type Expected, faultsOf, isRatioFine } from "./guard/judge.ts";
import { Race } from "./guard/race.ts";
import { formatTable } from "./kit/table.ts";

/** Slices of each side in one round, and how many rounds a case that looks slow is given. */
const SLICES = 80;
const ROUNDS = 5;

/** All ratios. A case that looks slow is run on: what disturbed it may pass. */
function measureRatios(wanted: Expected["ratios"]): Record<string, number> {
  return Object.fromEntries(CASES.map(({ name, rota, naive }) => {
    const race = new Race(rota, naive);
    let ratio = race.run(SLICES);
    for (let i = 1; i < ROUNDS && !isRatioFine(ratio, wanted[name] ?? 0); i++) {
      ratio = race.run(SLICES);
    }
    return [name, ratio];
  }));
}

function measure(wanted: Expected): Expected {
  return {
    ratios: measureRatios(wanted.ratios),
    counts: Object.fromEntries(COUNTS.map(({ name, count }) => [name, count()])),
  };
}

function report(measured: Expected, wanted: Expected): string {
  const rows = (kind: "ratios" | "counts") =>
    Object.entries(measured[kind]).map(([name, value]) => [
      name,
      value.toFixed(1),
      `${wanted[kind][name] ?? ""}`,
    ]);
  const ratios = [["times as fast as the naive reference", "now", "expected"], ...rows("ratios")];
  const counts = [["counts", "now", "expected"], ...rows("counts")];
  return `${formatTable(ratios, 1)}\n\n${formatTable(counts, 1)}`;
}

/** The numbers as guard.json holds them. */
function printable(measured: Expected): string {
  const tidy = (_key: string, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(3)) : value;
  return JSON.stringify(measured, tidy, 2);
}

const wanted: Expected = expected;
const measured = measure(wanted);
if (Deno.args.includes("--print")) {
  console.log(printable(measured));
} else {
  const faults = faultsOf(measured, wanted);
  console.log(report(measured, wanted));
  for (const fault of faults) console.error(`\nslower than it was: ${fault}`);
  if (faults.length > 0) Deno.exit(1);
}
