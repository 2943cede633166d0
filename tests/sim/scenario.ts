/**
 * A simulation as a text that a person can read, keep and play again: the seed, how long, and what
 * goes wrong, a line each. A line that begins with # is a remark.
 *
 * @module
 */
import { type Fault, MEANINGS, readFault, writeFault } from "./fault.ts";
import type { Finding } from "./findings.ts";

/** What is to be played. */
export interface Scenario {
  readonly seed: number;
  /** How long faults happen, in simulated milliseconds. */
  readonly milliseconds: number;
  readonly faults: readonly Fault[];
}

/** A scenario as text, with what was found and what led to it as remarks. */
export function writeScenario(
  { seed, milliseconds, faults }: Scenario,
  finding: Finding | undefined,
  notes: readonly string[],
): string {
  const verbs = [...new Set(faults.map(({ verb }) => verb))];
  const lines = [
    ...remarks(finding === undefined ? "Nothing was found." : `Found by: ${finding.checker}`),
    ...remarks(finding === undefined ? "" : `at ${finding.at / 1000}s: ${finding.detail}`),
    "",
    `seed ${seed}`,
    `minutes ${milliseconds / 60_000}`,
    "",
    ...verbs.map((verb) => `# ${verb}: who is named ${MEANINGS[verb]}`),
    ...faults.map(writeFault),
    "",
    ...remarks(notes.length === 0 ? "" : "What happened last:"),
    ...notes.flatMap(remarks),
  ];
  return lines.join("\n").trimEnd() + "\n";
}

/** Reads such a text; throws for a line that it doesn't understand. */
export function readScenario(text: string): Scenario {
  let [seed, milliseconds] = [1, 0];
  const faults: Fault[] = [];
  for (const line of text.split("\n").map((it) => it.trimEnd())) {
    if (line === "" || line.startsWith("#")) continue;
    const [, word, number] = /^(seed|minutes) ([\d.]+)$/.exec(line) ?? [];
    const fault = readFault(line);
    if (word === "seed") seed = Number(number);
    else if (word === "minutes") milliseconds = Math.round(Number(number) * 60_000);
    else if (fault !== undefined) faults.push(fault);
    else throw new SyntaxError(`Cannot play: ${line}`);
  }
  return { seed, milliseconds, faults };
}

function remarks(text: string): string[] {
  return text === "" ? [] : text.split("\n").map((line) => `# ${line}`);
}
