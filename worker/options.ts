/**
 * What a worker can be told, checked. A bad value is a TypeError or a RangeError that says what a
 * good one looks like.
 *
 * @module
 */
import { parseEndpoint } from "../protocol/io/endpoint.ts";
import type { Io } from "../protocol/io/io.ts";
import { checkHandlers, type Handler, type Handlers } from "./handlers.ts";

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
  /** Jobs at a time. Default 10. */
  slots?: number;
  /** Services that it serves. Default: the broker's default service. */
  services?: readonly string[];
  /** Its name in the broker's table, 1 to 255 octets. Default: a random one. */
  address?: string;
  /** Threads that run the handlers, so that heavy work doesn't stop the heartbeat. Default 0. */
  threads?: number;
  /** `register` for slots of its own, `ready` for the plain worker with one slot. */
  dialect?: "register" | "ready";
  /** Whether it waits to be told before it registers. Default false. */
  manual?: boolean;
  /** Between heartbeats. Default 1. */
  heartbeatSeconds?: number;
  /** One period of silence of the broker. Default 1. */
  brokerTimeoutSeconds?: number;
  /** So many such periods in a row, and the broker is taken for gone. Default 3. */
  timeouts?: number;
  /** How long `close()` lets jobs finish. Default 10. */
  drainSeconds?: number;
  /** Gives up waiting for the first registration. */
  signal?: AbortSignal;
  /** Who is told what happens. */
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
  /** 0 errors and warnings, 1 comings, goings and jobs, 2 heartbeats. */
  readonly level: number;
  /** What happened, in a few words that stay the same. */
  readonly event: string;
  /** Details by name; what others chose is in here as it is. */
  readonly details: Readonly<Record<string, string | number>>;
}

/** All options with a value each. */
export interface CheckedWorkerOptions {
  readonly broker: string;
  readonly handlers: Handlers;
  /** The module of the handlers, if they run in threads. */
  readonly module: string | undefined;
  readonly slots: number;
  readonly services: readonly string[];
  readonly address: string | undefined;
  readonly threads: number;
  readonly dialect: "register" | "ready";
  readonly heartbeat: number;
  readonly brokerTimeout: number;
  readonly timeouts: number;
  readonly drain: number;
}

/** Checks options; throws for the first that is no good. */
export function checkWorkerOptions(options: WorkerOptions): CheckedWorkerOptions {
  const { broker = "tcp://127.0.0.1:5556", dialect = "register", services = [] } = options;
  parseEndpoint(broker, "connect");
  if (dialect !== "register" && dialect !== "ready") {
    throw new TypeError("Cannot start: dialect is register or ready");
  }
  const slots = whole("slots", options.slots ?? (dialect === "ready" ? 1 : 10), 1, 65_535);
  if (dialect === "ready" && slots !== 1) {
    throw new RangeError("Cannot start: a READY worker has one slot; use the dialect register");
  }
  for (const service of services) checkName("a service", service);
  if (options.address !== undefined) checkName("an address", options.address);
  const threads = whole("threads", options.threads ?? 0, 0, 1024);
  const { handlers, module } = handlersOf(options, threads);
  return {
    broker,
    handlers,
    module,
    slots,
    services,
    address: options.address,
    threads,
    dialect,
    heartbeat: seconds("heartbeatSeconds", options.heartbeatSeconds ?? 1),
    brokerTimeout: seconds("brokerTimeoutSeconds", options.brokerTimeoutSeconds ?? 1),
    timeouts: whole("timeouts", options.timeouts ?? 3, 1, 1000),
    drain: seconds("drainSeconds", options.drainSeconds ?? 10),
  };
}

function handlersOf(
  { handlers = {}, defaultHandler }: WorkerOptions,
  threads: number,
): { handlers: Handlers; module: string | undefined } {
  const isModule = typeof handlers === "string" || handlers instanceof URL;
  if (threads === 0) {
    if (isModule) {
      throw new TypeError("Cannot start: a module of handlers needs threads; import it instead");
    }
    return { handlers: checkHandlers(handlers), module: undefined };
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
  return { handlers: {}, module: String(handlers) };
}

function checkName(what: string, name: unknown): void {
  const length = typeof name === "string" ? new TextEncoder().encode(name).length : 0;
  if (length < 1 || length > 255) {
    throw new TypeError(`Cannot start: ${what} is text of 1 to 255 octets`);
  }
}

function whole(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) {
    return value;
  }
  throw new RangeError(`Cannot start: ${name} is a whole number, ${least} to ${most}`);
}

function seconds(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= 1e6) return value * 1000;
  throw new RangeError(`Cannot start: ${name} is a number of seconds, 0 to 1000000`);
}
