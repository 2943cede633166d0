/**
 * What a broker can be told, checked. A bad value is a TypeError or a RangeError that says what a
 * good one looks like.
 *
 * @module
 */
import { parseEndpoint } from "../protocol/io/endpoint.ts";
import type { Io } from "../protocol/io/io.ts";
import type { LogLine } from "./journal.ts";
import { CORE_SETTINGS, type CoreSettings } from "./core/settings.ts";
import { type LimitName, LIMITS, type Limits } from "./limits.ts";

/**
 * Options of a broker. Times in seconds, as the seeds name them.
 *
 * @example
 * ```ts
 * import type { BrokerOptions } from "./options.ts";
 *
 * const options: BrokerOptions = { frontend: "tcp://127.0.0.1:*", workerExpireSeconds: 5 };
 * ```
 */
export interface BrokerOptions {
  /** Where clients connect. Default `tcp://127.0.0.1:5555`. */
  frontend?: string;
  /** Where workers connect. Default `tcp://127.0.0.1:5556`. */
  backend?: string;
  /** Silence after which a worker that should ping leaves the table. Default 3. */
  workerExpireSeconds?: number;
  /** How often all backlogs are looked at, whatever happens. Default 1. */
  queueCheckSeconds?: number;
  /** Attempts at a job before it becomes a dead letter. Default 3. */
  maxAttempts?: number;
  /** How long one attempt may take; 0 for any time. Default 0. */
  runSeconds?: number;
  /** Jobs that may wait; 0 for no limit. Default 1,000,000. */
  backlogJobs?: number;
  /** Octets of jobs that may wait; 0 for no limit. Default 1 GiB. */
  backlogBytes?: number;
  /** How long `close()` lets jobs finish. Default 10. */
  drainSeconds?: number;
  /** Whether workers are told EXIT on shutdown, instead of coming back later. Default false. */
  exitWorkers?: boolean;
  /** Other limits, see `LIMITS`. */
  limits?: Partial<Limits>;
  /** How much is told, 0 to 5: see `LogLine.level`. Default 0. */
  debug?: number;
  /** Who is told what happens, a line at a time. Default: nobody. */
  onLog?: (line: LogLine) => void;
  /** Where the network, the clock and randomness come from: a twin in memory for tests. */
  io?: Io;
}

/** Numbers among the options, with what they may be. */
export const NUMBERS = {
  workerExpireSeconds: { value: 3, least: 0.01, most: 1_000_000 },
  queueCheckSeconds: { value: 1, least: 0.01, most: 3600 },
  maxAttempts: { value: 3, least: 1, most: 255 },
  runSeconds: { value: 0, least: 0, most: 1_000_000 },
  backlogJobs: { value: 1_000_000, least: 0, most: 2 ** 31 - 1 },
  backlogBytes: { value: 1024 ** 3, least: 0, most: 2 ** 50 },
  drainSeconds: { value: 10, least: 0, most: 1_000_000 },
  debug: { value: 0, least: 0, most: 5 },
} as const;

/** The name of an option that is a number. */
export type NumberOption = keyof typeof NUMBERS;

/** All options with a value each. */
export interface CheckedOptions {
  readonly frontend: string;
  readonly backend: string;
  readonly numbers: Readonly<Record<NumberOption, number>>;
  readonly exitWorkers: boolean;
  readonly limits: Limits;
}

const NAMES: ReadonlySet<string> = new Set([
  "frontend",
  "backend",
  "exitWorkers",
  "limits",
  "onLog",
  "io",
  ...Object.keys(NUMBERS),
]);

/** Checks options; throws for the first that is no good. */
export function checkOptions(options: BrokerOptions): CheckedOptions {
  for (const name of Object.keys(options)) {
    if (!NAMES.has(name)) throw new TypeError(`Cannot start: a broker has no option ${name}`);
  }
  const frontend = options.frontend ?? "tcp://127.0.0.1:5555";
  const backend = options.backend ?? "tcp://127.0.0.1:5556";
  parseEndpoint(frontend, "bind");
  parseEndpoint(backend, "bind");
  const numbers = {} as Record<NumberOption, number>;
  for (const name of Object.keys(NUMBERS) as NumberOption[]) {
    numbers[name] = checkNumber(name, options[name] ?? NUMBERS[name].value);
  }
  const { exitWorkers = false } = options;
  if (typeof exitWorkers !== "boolean") {
    throw new TypeError("Cannot start: exitWorkers is true or false");
  }
  return { frontend, backend, numbers, exitWorkers, limits: checkLimits(options.limits ?? {}) };
}

/** A number that an option may be; throws if it isn't one. */
export function checkNumber(name: NumberOption, value: unknown): number {
  const { least, most } = NUMBERS[name];
  return check(name, value, least, most, !name.endsWith("Seconds"));
}

/** All limits, with the defaults for those that aren't given. */
export function checkLimits(given: Partial<Limits>): Limits {
  const limits = {} as Record<LimitName, number>;
  for (const name of Object.keys(LIMITS) as LimitName[]) limits[name] = LIMITS[name].value;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(LIMITS, name)) {
      throw new TypeError(`Cannot start: there is no limit named ${name}`);
    }
    const { least, most } = LIMITS[name as LimitName];
    limits[name as LimitName] = check(name, value, least, most, !name.endsWith("Seconds"));
  }
  return limits;
}

function check(
  name: string,
  value: unknown,
  least: number,
  most: number,
  whole: boolean,
): number {
  const what = `${name} is a ${whole ? "whole " : ""}number, ${least} to ${most}`;
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw new TypeError(`Cannot start: ${what}`);
  }
  if (value < least || value > most || (whole && !Number.isInteger(value))) {
    throw new RangeError(`Cannot start: ${what}, not ${value}`);
  }
  return value;
}

/** What the core is told. */
export function coreSettings({ numbers, limits }: CheckedOptions): CoreSettings {
  return {
    ...CORE_SETTINGS,
    workerExpire: numbers.workerExpireSeconds * 1000,
    maxAttempts: numbers.maxAttempts,
    runLimit: numbers.runSeconds * 1000,
    backlogJobs: numbers.backlogJobs,
    backlogBytes: numbers.backlogBytes,
    runningBytes: limits.runningBytes,
    clientGrace: limits.clientGraceSeconds * 1000,
    forgottenAfter: limits.forgottenSeconds * 1000,
    deadLetters: limits.deadLetters,
    deadLetterBytes: limits.deadLetterBytes,
    finishedRequests: limits.finishedRequests,
    finishedTime: limits.finishedSeconds * 1000,
    finishedBytes: limits.finishedBytes,
    finishedReplyBytes: limits.finishedReplyBytes,
    services: limits.services,
    slots: limits.slots,
    workersOfConnection: limits.workersOfConnection,
    streamsOfClient: limits.streamsOfClient,
  };
}
