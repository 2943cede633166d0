/**
 * What a client and its calls can be told, checked. A bad value is a TypeError or a RangeError that
 * says what a good one looks like.
 *
 * @module
 */
import { encodeHeaders } from "../protocol/dialogue/requests.ts";
import { octets } from "../protocol/dialogue/words.ts";
import { parseEndpoint } from "../protocol/io/endpoint.ts";
import type { Io } from "../protocol/io/io.ts";
import type { CallError } from "./errors.ts";

/**
 * Options of a client.
 *
 * @example
 * ```ts
 * import type { ClientOptions } from "./options.ts";
 *
 * const options: ClientOptions = { broker: ["tcp://10.0.0.1:5555", "tcp://10.0.0.2:5555"] };
 * if (options.broker?.length !== 2) throw new Error("changed");
 * ```
 */
export interface ClientOptions {
  /** Where the broker's frontend is; several are used in turn. Default `tcp://127.0.0.1:5555`. */
  broker?: string | readonly string[];
  /** How long calls wait unless they say otherwise, in ms. Default: for ever, as `fetch` does. */
  timeout?: number;
  /**
   * Is told of each job that the broker refused (BUSY, SHUTDOWN and the like) after its `send()` had
   * resolved, since nobody waited for ACCEPTED. It must not throw.
   */
  onRefused?: (error: CallError, command: string) => void;
  /** Is told what happens. It must not throw. */
  onLog?: (line: ClientLog) => void;
  /** Where the network, the clock and randomness come from: a twin in memory for tests. */
  io?: Io;
}

/**
 * One line of what happens.
 *
 * @example
 * ```ts
 * import type { ClientLog } from "./options.ts";
 *
 * const line: ClientLog = { level: 1, event: "connected", details: { broker: "tcp://10.0.0.1:5555" } };
 * if (line.level !== 1) throw new Error("changed");
 * ```
 */
export interface ClientLog {
  /** 0 what must be told, 1 brokers that come and go, 2 failed attempts to connect. */
  readonly level: number;
  /** What happened, in a few words that stay the same. */
  readonly event: string;
  /** Details by name; what others chose is in here as it is. */
  readonly details: Readonly<Record<string, string | number>>;
}

/**
 * Options of one call.
 *
 * @example
 * ```ts
 * import type { CallOptions } from "./options.ts";
 *
 * const options: CallOptions = { timeout: 5000, service: "images" };
 * if (options.timeout !== 5000) throw new Error("changed");
 * ```
 */
export interface CallOptions {
  /**
   * How long to wait for the answer in ms, the time without a broker included; of a stream, for its
   * end. Then the call fails with a `TimeoutError` and the job is cancelled. Broker and worker know
   * it: a job whose client has given up isn't begun. Default: the client's.
   */
  timeout?: number;
  /** How long the job may wait at the broker before it starts, in ms; then it is EXPIRED. */
  ttl?: number;
  /** Cancels the call, which fails with the signal's reason; the broker and the worker are told. */
  signal?: AbortSignal;
  /** The service that must run it. Default: the broker's default service. */
  service?: string;
  /** Headers of your own, which travel to the worker. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Options of `send`.
 *
 * @example
 * ```ts
 * import type { SendOptions } from "./options.ts";
 *
 * const options: SendOptions = { accepted: true };
 * if (!options.accepted) throw new Error("changed");
 * ```
 */
export interface SendOptions extends CallOptions {
  /**
   * Whether to wait until the broker says that it has the job. Only then is a refusal an error of
   * `send()`, and only then is the job sent again if the connection is lost. Default false.
   */
  accepted?: boolean;
}

/**
 * Options of `stream`.
 *
 * @example
 * ```ts
 * import type { StreamOptions } from "./options.ts";
 *
 * const options: StreamOptions = { window: 4 };
 * if (options.window !== 4) throw new Error("changed");
 * ```
 */
export interface StreamOptions extends CallOptions {
  /** Chunks that may be under way or unread, 1 to 1,000,000. Default 16. */
  window?: number;
}

/** Names that are the broker's own. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["service", "ttl", "timeout", "accept"]);
/** The longest time that headers can tell, in ms; more is for ever. */
const LONGEST_MS = 1e9;
/** Chunks of a stream under way, unless told otherwise: enough to hide the way there and back. */
const WINDOW = 16;
const MOST_WINDOW = 1_000_000;

/** The endpoints of a client; throws for one that is no good. */
export function checkBrokers({ broker = "tcp://127.0.0.1:5555" }: ClientOptions): string[] {
  const brokers = typeof broker === "string" ? [broker] : [...broker];
  if (brokers.length === 0) throw new TypeError("Cannot connect: there is no broker to connect to");
  for (const endpoint of brokers) parseEndpoint(endpoint, "connect");
  return brokers;
}

/** A time in ms; `fallback` if it isn't given. */
export function checkTime(name: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value >= 0) return value > LONGEST_MS ? Infinity : value;
  throw new RangeError(`Cannot call: ${name} is a number of milliseconds from 0 on`);
}

/** How many chunks may be under way. */
export function checkWindow({ window = WINDOW }: StreamOptions): number {
  if (Number.isInteger(window) && window >= 1 && window <= MOST_WINDOW) return window;
  throw new RangeError(`Cannot stream: window is a whole number from 1 to ${MOST_WINDOW}`);
}

/** The octets of a name that the broker reads. */
export function checkName(what: string, name: unknown): Uint8Array {
  const bytes = typeof name === "string" ? octets(name) : undefined;
  if (bytes !== undefined && bytes.length >= 1 && bytes.length <= 255) return bytes;
  throw new TypeError(`Cannot call: the name of a ${what} is text of 1 to 255 octets`);
}

/** The headers that options ask for, as octets. */
export function headersOf(
  { headers = {}, service, ttl }: CallOptions,
  accept: boolean,
): Uint8Array {
  const all: [string, string][] = [];
  if (service !== undefined) {
    checkName("service", service);
    all.push(["service", service]);
  }
  const start = checkTime("ttl", ttl, Infinity);
  if (start < Infinity) all.push(["ttl", String(Math.ceil(start))]);
  if (accept) all.push(["accept", "1"]);
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.has(name.toLowerCase())) {
      throw new TypeError(`Cannot call: the header ${name} is the broker's own; use the option`);
    }
    if (typeof value !== "string") {
      throw new TypeError(`Cannot call: the header ${name} is a text, not ${typeof value}`);
    }
    all.push([name, value]);
  }
  return encodeHeaders(all);
}
