/**
 * What a worker can be told, checked. A bad value is a TypeError or a RangeError that says what a
 * good one looks like.
 *
 * @module
 */
import { parseEndpoint } from "../protocol/io/endpoint.ts";
import type { Io } from "../protocol/io/io.ts";
import { checkHandlers, type Handler, type Handlers, NAME_BYTES } from "./handlers.ts";

/**
 * Options of a worker. Times in seconds.
 *
 * @example
 * ```ts
 * import type { WorkerOptions } from "./options.ts";
 *
 * const options: WorkerOptions = { handlers: { hello: (job) => `hello ${job.text()}` }, slots: 4 };
 * if (options.slots !== 4) throw new Error("changed");
 * ```
 */
export interface WorkerOptions {
  /** Where the broker's backend is. Default `tcp://127.0.0.1:5556`. */
  broker?: string;
  /** Handlers by command name; with `threads`, the URL of a module that exports them. */
  handlers?: Handlers | URL | string;
  /** Takes opaque jobs and commands that no handler is named after. */
  defaultHandler?: Handler;
  /** Jobs at a time. Default 10; a READY worker has 1. */
  slots?: number;
  /** Services that it serves. Default: the broker's default service. */
  services?: readonly string[];
  /**
   * Its name in the broker's table, 1 to 255 octets. Default: a random one. Of a READY worker it is
   * the identity of its connection: another one with that name takes its place.
   */
  address?: string;
  /** Threads that run the handlers, so that heavy work doesn't stop the heartbeat. Default 0. */
  threads?: number;
  /**
   * `register` for slots of its own, `ready` for the plain worker with one slot. The dialogue of the
   * latter has no form for an error: the frames ERROR, code and message are a result like any other.
   */
  dialect?: "register" | "ready";
  /** Whether it waits to be told before it registers. Default false. */
  manual?: boolean;
  /** Between heartbeats; shorter if the broker's patience is. Default 1. */
  heartbeatSeconds?: number;
  /** One period of silence of the broker. Default 1. */
  brokerTimeoutSeconds?: number;
  /** So many such periods in a row, and the broker is taken for gone. Default 3. */
  timeouts?: number;
  /** How long `close()` lets jobs finish. Default 10. */
  drainSeconds?: number;
  /** Gives up waiting for the first registration. */
  signal?: AbortSignal;
  /** How much is told, 0 to 5: see `WorkerLog.level`. Default 0. */
  debug?: number;
  /** Who is told what happens, a line at a time. Default: nobody. */
  onLog?: (line: WorkerLog) => void;
  /** Where the network, the clock and randomness come from: a twin in memory for tests. */
  io?: Io;
}

/**
 * One line of what happens.
 *
 * @example
 * ```ts
 * import type { WorkerLog } from "./options.ts";
 *
 * const line: WorkerLog = { level: 1, event: "registered", details: { address: "w1" } };
 * if (line.level !== 1) throw new Error("changed");
 * ```
 */
export interface WorkerLog {
  /**
   * 0 errors and warnings, 1 comings, goings and jobs, 2 heartbeats, 3 sizes, 4 decisions, 5 frames.
   */
  readonly level: number;
  /** What happened, in a few words that stay the same. */
  readonly event: string;
  /** Details by name. What others chose is in here as it is: escape before printing. */
  readonly details: Readonly<Record<string, string | number>>;
}

/** Numbers among the options, with what they may be. */
export const NUMBERS = {
  slots: { value: 10, least: 1, most: 65_535 },
  threads: { value: 0, least: 0, most: 1024 },
  heartbeatSeconds: { value: 1, least: 0.001, most: 1_000_000 },
  brokerTimeoutSeconds: { value: 1, least: 0.001, most: 1_000_000 },
  timeouts: { value: 3, least: 1, most: 1000 },
  drainSeconds: { value: 10, least: 0, most: 1_000_000 },
  debug: { value: 0, least: 0, most: 5 },
} as const;

/** The name of an option that is a number. */
export type NumberOption = keyof typeof NUMBERS;

/** All options with a value each. Times in milliseconds. */
export interface CheckedWorkerOptions {
  readonly broker: string;
  readonly handlers: Handlers;
  readonly defaultHandler: Handler | undefined;
  /** The module of the handlers, if they run in threads. */
  readonly module: string | undefined;
  readonly slots: number;
  readonly services: readonly string[];
  readonly address: string | undefined;
  readonly threads: number;
  readonly dialect: "register" | "ready";
  readonly manual: boolean;
  readonly heartbeat: number;
  readonly brokerTimeout: number;
  readonly timeouts: number;
  readonly drain: number;
  readonly debug: number;
}

const NAMES: ReadonlySet<string> = new Set([
  "broker",
  "handlers",
  "defaultHandler",
  "services",
  "address",
  "dialect",
  "manual",
  "signal",
  "onLog",
  "io",
  ...Object.keys(NUMBERS),
]);

/** Checks options; throws for the first that is no good. */
export function checkWorkerOptions(options: WorkerOptions): CheckedWorkerOptions {
  for (const name of Object.keys(options)) {
    if (!NAMES.has(name)) throw new TypeError(`Cannot start: a worker has no option ${name}`);
  }
  const { broker = "tcp://127.0.0.1:5556", dialect = "register", address } = options;
  parseEndpoint(broker, "connect");
  if (dialect !== "register" && dialect !== "ready") {
    throw new TypeError("Cannot start: dialect is register or ready");
  }
  const numbers = {} as Record<NumberOption, number>;
  for (const name of Object.keys(NUMBERS) as NumberOption[]) {
    numbers[name] = checkNumber(name, options[name] ?? NUMBERS[name].value);
  }
  const services = checkServices(options.services ?? []);
  if (dialect === "ready") checkReady(options, services);
  if (address !== undefined) checkName("address", address);
  return {
    broker,
    dialect,
    services,
    address,
    ...handlersOf(options, numbers.threads),
    manual: checkSwitch("manual", options.manual ?? false),
    slots: dialect === "ready" ? 1 : numbers.slots,
    threads: numbers.threads,
    heartbeat: numbers.heartbeatSeconds * 1000,
    brokerTimeout: numbers.brokerTimeoutSeconds * 1000,
    timeouts: numbers.timeouts,
    drain: numbers.drainSeconds * 1000,
    debug: numbers.debug,
  };
}

/** The ping-pong dialogue has neither slots nor services. */
function checkReady({ slots = 1, address = "" }: WorkerOptions, services: readonly string[]): void {
  if (slots !== 1) {
    throw new RangeError("Cannot start: a READY worker has one slot; use the dialect register");
  }
  if (services.length > 0) {
    throw new TypeError("Cannot start: a READY worker names no services; use the dialect register");
  }
  if (address.startsWith("\0")) {
    throw new TypeError(
      "Cannot start: the address of a READY worker doesn't begin with an octet 0",
    );
  }
}

function handlersOf(
  { handlers, defaultHandler }: WorkerOptions,
  threads: number,
): Pick<CheckedWorkerOptions, "handlers" | "defaultHandler" | "module"> {
  if (defaultHandler !== undefined && typeof defaultHandler !== "function") {
    throw new TypeError("Cannot start: defaultHandler is a function");
  }
  const isModule = typeof handlers === "string" || handlers instanceof URL;
  if (threads === 0) {
    if (isModule) {
      throw new TypeError("Cannot start: a module of handlers needs threads; import it instead");
    }
    return { handlers: checkHandlers(handlers ?? {}), defaultHandler, module: undefined };
  }
  if (!isModule) {
    throw new TypeError(
      "Cannot start: functions can't cross to threads; give handlers as the URL of a module",
    );
  }
  if (defaultHandler !== undefined) {
    throw new TypeError(
      "Cannot start: with threads the module's export named defaultHandler is the default handler",
    );
  }
  return { handlers: {}, defaultHandler: undefined, module: checkModule(handlers) };
}

/** A thread has another idea of what a relative path is relative to. */
function checkModule(module: URL | string): string {
  if (URL.canParse(String(module))) return String(module);
  throw new TypeError(
    'Cannot start: handlers is a whole URL; use new URL("./handlers.ts", import.meta.url)',
  );
}

function checkServices(services: unknown): readonly string[] {
  if (!Array.isArray(services)) throw new TypeError("Cannot start: services is an array of names");
  for (const service of services) checkName("service", service);
  return [...new Set(services)];
}

function checkName(what: string, name: unknown): void {
  const length = typeof name === "string" ? new TextEncoder().encode(name).length : 0;
  if (length >= 1 && length <= NAME_BYTES) return;
  throw new TypeError(`Cannot start: the ${what} is text of 1 to ${NAME_BYTES} octets`);
}

function checkSwitch(name: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError(`Cannot start: ${name} is true or false`);
}

function checkNumber(name: NumberOption, value: unknown): number {
  const { least, most } = NUMBERS[name];
  const whole = !name.endsWith("Seconds");
  const what = `${name} is a ${whole ? "whole " : ""}number, ${least} to ${most}`;
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw new TypeError(`Cannot start: ${what}`);
  }
  if (value < least || value > most || (whole && !Number.isInteger(value))) {
    throw new RangeError(`Cannot start: ${what}, not ${value}`);
  }
  return value;
}
