/**
 * The options of sockets: names and meanings of zeromq.js 6, checked when they are set.
 *
 * @module
 */
import { ArgumentError, SocketError } from "../errors.ts";
import type { Io } from "../io/io.ts";
import { IDENTITY_BYTES } from "../zmtp/limits.ts";
import type { SocketType } from "../zmtp/socket_type.ts";

/**
 * Options of every socket. Times in milliseconds; -1 means for ever, 0 as each one says.
 *
 * @example
 * ```ts
 * import { Dealer, type SocketOptions } from "../mod.ts";
 *
 * const patient: SocketOptions = { receiveTimeout: 5000, heartbeatInterval: 1000 };
 * await using dealer = new Dealer(patient);
 * if (dealer.receiveTimeout !== 5000) throw new Error("not set");
 * ```
 */
export interface SocketOptions {
  /** Our identity, 1 to 255 octets, not starting with 0. */
  routingId?: string | Uint8Array | null;
  /** Messages that may wait for one peer; 0 for no limit. Default 1000. */
  sendHighWaterMark?: number;
  /** Messages of one peer that may wait to be received; 0 for no limit. Default 1000. */
  receiveHighWaterMark?: number;
  /** How long `send` waits for room; 0 fails at once. Default -1. */
  sendTimeout?: number;
  /** How long `receive` waits; 0 fails at once. Default -1. */
  receiveTimeout?: number;
  /** How long what waits is still sent after `close`; 0 drops it. Default -1. */
  linger?: number;
  /** Use only endpoints that are connected right now. */
  immediate?: boolean;
  /** Send an empty message on each new connection. */
  probeRouter?: boolean;
  /** Time between heartbeats; 0 for none. Default 0. */
  heartbeatInterval?: number;
  /** What we ask the peer to take as our death, at most 65,500; 0 for nothing. Default 0. */
  heartbeatTimeToLive?: number;
  /** Silence after a heartbeat that ends a connection; -1 for as long as the interval, 0 for never. */
  heartbeatTimeout?: number;
  /** How long a handshake may take; 0 for ever. Default 30,000. */
  handshakeInterval?: number;
  /** Octets in one frame; -1 for no limit of its own. Default -1. */
  maxMessageSize?: number;
  /** Wait before connecting again; -1 for never. Default 100. */
  reconnectInterval?: number;
  /** If above 0 the wait doubles up to this. Default 0. */
  reconnectMaxInterval?: number;
  /** How long connecting may take; 0 leaves it to the system. Default 0. */
  connectTimeout?: number;
  /** Connections that may wait to be accepted. Default 511. */
  backlog?: number;
  /** IPv6 endpoints always work; false is refused. */
  ipv6?: boolean;
  /** 1 has the system probe idle connections, 0 doesn't; -1 is the system's own setting. Default -1. */
  tcpKeepalive?: number;
  /** The system's own setting: only -1 is taken, here and in the four below. */
  tcpKeepaliveCount?: number;
  /** The system's own setting. */
  tcpKeepaliveIdle?: number;
  /** The system's own setting. */
  tcpKeepaliveInterval?: number;
  /** The system's own setting. */
  receiveBufferSize?: number;
  /** The system's own setting. */
  sendBufferSize?: number;
  /** Where the network, the clock and randomness come from: a twin in memory for tests. */
  io?: Io;
}

/**
 * Options of a Router.
 *
 * @example
 * ```ts
 * import { Router, type RouterOptions } from "../mod.ts";
 *
 * const strict: RouterOptions = { mandatory: true };
 * await using router = new Router(strict);
 * const code = await router.send(["nobody", "hello"]).catch((error) => error.code);
 * if (code !== "EHOSTUNREACH") throw new Error("who took it?");
 * ```
 */
export interface RouterOptions extends SocketOptions {
  /** Fail with EHOSTUNREACH instead of dropping what goes to nobody. */
  mandatory?: boolean;
  /** A newcomer with an identity in use takes it over instead of being refused. */
  handover?: boolean;
}

/**
 * Options of a Request.
 *
 * @example
 * ```ts
 * import { Request as RequestSocket, type RequestOptions } from "../mod.ts";
 *
 * // Asks again without waiting for the last answer, and takes no late answer for a new one.
 * const impatient: RequestOptions = { correlate: true, relaxed: true };
 * await using request = new RequestSocket(impatient);
 * if (!request.correlate) throw new Error("not set");
 * ```
 */
export interface RequestOptions extends SocketOptions {
  /** Number each request, and take only the reply with its number. */
  correlate?: boolean;
  /** A new request may be sent before the reply to the last one came. */
  relaxed?: boolean;
}

/** All options with a value each. */
export interface OptionValues {
  routingId: Uint8Array | null;
  sendHighWaterMark: number;
  receiveHighWaterMark: number;
  sendTimeout: number;
  receiveTimeout: number;
  linger: number;
  immediate: boolean;
  probeRouter: boolean;
  heartbeatInterval: number;
  heartbeatTimeToLive: number;
  heartbeatTimeout: number;
  handshakeInterval: number;
  maxMessageSize: number;
  reconnectInterval: number;
  reconnectMaxInterval: number;
  connectTimeout: number;
  backlog: number;
  tcpKeepalive: number;
  mandatory: boolean;
  handover: boolean;
  correlate: boolean;
  relaxed: boolean;
}

/** What holds unless told otherwise. */
export function defaultOptions(): OptionValues {
  return {
    routingId: null,
    sendHighWaterMark: 1000,
    receiveHighWaterMark: 1000,
    sendTimeout: -1,
    receiveTimeout: -1,
    linger: -1,
    immediate: false,
    probeRouter: false,
    heartbeatInterval: 0,
    heartbeatTimeToLive: 0,
    heartbeatTimeout: -1,
    handshakeInterval: 30_000,
    maxMessageSize: -1,
    reconnectInterval: 100,
    reconnectMaxInterval: 0,
    connectTimeout: 0,
    backlog: 511,
    tcpKeepalive: -1,
    mandatory: false,
    handover: false,
    correlate: false,
    relaxed: false,
  };
}

/** Options of zeromq.js that Deno's network can't set, with the one value that each has. */
export const FIXED_OPTIONS = {
  ipv6: true,
  tcpKeepaliveCount: -1,
  tcpKeepaliveIdle: -1,
  tcpKeepaliveInterval: -1,
  receiveBufferSize: -1,
  sendBufferSize: -1,
} as const;

/** Takes the one value that such an option has; says plainly that it can't have another. */
export function checkFixed(name: keyof typeof FIXED_OPTIONS, value: unknown): void {
  if (value === FIXED_OPTIONS[name]) return;
  throw new SocketError("EINVAL", `Cannot set ${name}: Deno's network has no such option`);
}

/** Options that not every type of socket has. */
const OWNERS: { readonly [K in keyof OptionValues]?: readonly SocketType[] } = {
  mandatory: ["ROUTER"],
  handover: ["ROUTER"],
  correlate: ["REQ"],
  relaxed: ["REQ"],
  probeRouter: ["ROUTER", "DEALER", "REQ"],
};

/** Whether sockets of that type have that option. */
export function hasOption(type: SocketType, name: keyof OptionValues): boolean {
  if (!Object.hasOwn(defaultOptions(), name)) return false;
  return OWNERS[name]?.includes(type) ?? true;
}

const LARGEST = 2 ** 31 - 1;
const GREATEST: { readonly [K in keyof OptionValues]?: number } = {
  heartbeatTimeToLive: 6_553_599,
  tcpKeepalive: 1,
};
const FROM_MINUS_ONE = new Set([
  "sendTimeout",
  "receiveTimeout",
  "linger",
  "heartbeatTimeout",
  "maxMessageSize",
  "reconnectInterval",
  "tcpKeepalive",
]);

/** The value of an option, checked; throws a TypeError with code EINVAL that says what is legal. */
export function checkOption(
  name: keyof OptionValues,
  value: unknown,
): OptionValues[typeof name] {
  if (name === "routingId") return checkRoutingId(value);
  if (typeof defaultOptions()[name] === "boolean") {
    if (typeof value === "boolean") return value;
    throw new ArgumentError(
      "EINVAL",
      `Cannot set ${name}: it is true or false`,
    );
  }
  const least = FROM_MINUS_ONE.has(name) ? -1 : 0;
  const most = GREATEST[name] ?? LARGEST;
  if (
    typeof value === "number" && Number.isInteger(value) && value >= least &&
    value <= most
  ) {
    return value;
  }
  throw new ArgumentError(
    "EINVAL",
    `Cannot set ${name}: it is a whole number, ${least} to ${most}`,
  );
}

/** An identity of ours as octets; null for none. */
export function checkRoutingId(value: unknown): Uint8Array | null {
  if (value === null || value === undefined) return null;
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  if (bytes instanceof Uint8Array) {
    const legal = bytes.length <= IDENTITY_BYTES && bytes[0] !== 0;
    if (legal) return bytes.length === 0 ? null : bytes.slice();
  }
  throw new ArgumentError(
    "EINVAL",
    "Cannot set routingId: it is text or octets, 1 to 255 of them, the first one not 0",
  );
}
