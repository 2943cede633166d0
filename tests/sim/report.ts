/**
 * What a simulation came to, in words: a line for each seed, sums over all of them, and what to do
 * about a seed that found something.
 *
 * @module
 */
import type { Outcome } from "./simulation.ts";

/** One line for a seed. */
export function lineOf(outcome: Outcome, milliseconds: number): string {
  const { seed, hash, simulated, submissions, runs, faults, checks, finding } = outcome;
  const verdict = finding === undefined ? "fine" : `FOUND ${finding.checker}`;
  return [
    `seed ${seed}`.padEnd(10),
    `trace ${hash}`,
    `${(simulated / 60_000).toFixed(1)} min`.padStart(10),
    `${submissions} jobs`.padStart(11),
    `${runs} runs`.padStart(11),
    `${faults.length} faults`.padStart(11),
    `${checks} checks`.padStart(14),
    `${Math.round(milliseconds)} ms`.padStart(9),
    ` ${verdict}`,
  ].join(" ");
}

/** Sums of many maps of numbers, the largest first. */
export function sum(maps: Iterable<ReadonlyMap<string, number>>): [string, number][] {
  const all = new Map<string, number>();
  for (const map of maps) {
    for (const [key, count] of map) all.set(key, (all.get(key) ?? 0) + count);
  }
  return [...all].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** A list of names and numbers, one a line. */
export function tableOf(rows: readonly (readonly [string, number])[]): string {
  return rows.map(([name, count]) => `${String(count).padStart(10)}  ${name}`).join("\n");
}
