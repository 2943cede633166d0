/**
 * What a client and its calls can be told, checked.
 *
 * @module
 */
import { parseEndpoint } from "../protocol/io/endpoint.ts";
import type { Io } from "../protocol/io/io.ts";

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
  /** How long calls wait unless they say otherwise, in ms. Default: for ever. */
  timeout?: number;
  /** Where the network, the clock and randomness come from: a twin in memory for tests. */
  io?: Io;
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
  /** How long to wait for the reply, in ms. Default: the client's. */
  timeout?: number;
  /** How long the job may wait before it starts, in ms. */
  ttl?: number;
  /** Cancels the call; the broker and the worker are told. */
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
  /** Resolve once the broker says that it has the job. */
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
  /** Chunks that may be under way or unread. Default 16. */
  window?: number;
}

/** Names that are the broker's own. */
const OWN_HEADERS = new Set(["service", "ttl", "timeout", "accept"]);

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
  if (typeof value === "number" && value >= 0) return value > 1e9 ? Infinity : value;
  throw new RangeError(`Cannot call: ${name} is a number of milliseconds from 0 on`);
}

/** The headers that options ask for. */
export function headersOf({ headers = {}, service, ttl }: CallOptions): [string, string][] {
  const all: [string, string][] = [];
  if (service !== undefined) {
    const length = typeof service === "string" ? new TextEncoder().encode(service).length : 0;
    if (length < 1 || length > 255) {
      throw new TypeError("Cannot call: a service's name is text of 1 to 255 octets");
    }
    all.push(["service", service]);
  }
  const start = checkTime("ttl", ttl, Infinity);
  if (start < Infinity) all.push(["ttl", String(Math.ceil(start))]);
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.has(name.toLowerCase())) {
      throw new TypeError(`Cannot call: the header ${name} is the broker's own; use the option`);
    }
    if (name.length < 1 || name.length > 255 || typeof value !== "string") {
      throw new TypeError("Cannot call: a header has a name of 1 to 255 letters and a text");
    }
    all.push([name, value]);
  }
  return all;
}
