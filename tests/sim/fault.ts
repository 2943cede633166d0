/**
 * Faults as data: what goes wrong, with whom, when, and for how long. A fault is also a line of text
 * that a person can read, and that can be read back.
 *
 * @module
 */

/** What can go wrong. */
export const VERBS = [
  "kill",
  "close",
  "stop",
  "cut",
  "half-open",
  "slow",
  "stall",
  "refuse",
  "twin",
  "burst",
  "leave",
  "exit",
  "retry",
  "crash",
  "shutdown",
] as const;

/** One of them. */
export type Verb = typeof VERBS[number];

/** A fault. */
export interface Fault {
  /** Simulated time, in milliseconds. */
  readonly at: number;
  readonly verb: Verb;
  /** The process that it happens to. */
  readonly target: string;
  /** How long it lasts, in milliseconds. */
  readonly lasts: number;
  /** How much: of what, says the verb. */
  readonly amount: number;
}

/** What the verbs mean, as text for people. */
export const MEANINGS: Readonly<Record<Verb, string>> = {
  kill: "is killed and all its connections are reset; it starts again afterwards",
  close: "is killed, but what it wrote before still arrives; it starts again afterwards",
  stop: "stands still: no timer, no read; then it goes on, late",
  cut: "loses its connections",
  "half-open": "is cut off, and nobody is told",
  slow: "has its deliveries take so many ms more",
  stall: "reads nothing meanwhile",
  refuse: "has its new connections refused",
  twin: "is started a second time beside itself, under the same name",
  burst: "asks for so many jobs at once",
  leave: "ends in order, and starts again afterwards",
  exit: "is told EXIT by an operator, and starts again afterwards",
  retry: "has its dead letters tried again",
  crash: "is killed with all that it holds, and starts again",
  shutdown: "ends in order, and starts again",
};

/** A fault as a line. */
export function writeFault({ at, verb, target, lasts, amount }: Fault): string {
  const long = lasts > 0 ? ` for ${seconds(lasts)}` : "";
  const much = amount > 0 ? ` by ${amount}` : "";
  return `at ${seconds(at)} ${verb} ${target}${long}${much}`;
}

/** Reads such a line; undefined if it is none. */
export function readFault(line: string): Fault | undefined {
  const match = /^at ([\d.]+)s (\S+) (\S+)(?: for ([\d.]+)s)?(?: by (\d+))?$/.exec(line);
  if (match === null) return undefined;
  const verb = VERBS.find((it) => it === match[2]);
  if (verb === undefined) return undefined;
  return {
    at: Math.round(Number(match[1]) * 1000),
    verb,
    target: match[3]!,
    lasts: Math.round(Number(match[4] ?? 0) * 1000),
    amount: Number(match[5] ?? 0),
  };
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000}s`;
}
