/**
 * Endpoints: the text that users write, such as `tcp://127.0.0.1:5555`, and the address that the
 * network knows. Pure; no name is looked up here.
 *
 * @module
 */
import { ArgumentError } from "../errors.ts";
import type { IoAddress } from "./io.ts";

/** The longest endpoint taken: a host name of 253 octets fits with room to spare. */
const ENDPOINT_CHARS = 512;
const TCP = "tcp://";
/** Transports that ZeroMQ knows and this one doesn't speak. */
const OTHER_TRANSPORTS = [
  "ipc",
  "inproc",
  "pgm",
  "epgm",
  "udp",
  "ws",
  "wss",
  "vmci",
  "tipc",
  "norm",
];

/** What an endpoint is for: only `bind` may leave the host or the port open. */
export type EndpointUse = "bind" | "connect";

/**
 * Reads an endpoint. Binding takes `*` as any interface and `*` or `0` as any free port.
 *
 * @example
 * ```ts
 * import { parseEndpoint } from "./endpoint.ts";
 *
 * const { hostname, port } = parseEndpoint("tcp://*:5555", "bind");
 * if (hostname !== "0.0.0.0" || port !== 5555) throw new Error("not read");
 * ```
 */
export function parseEndpoint(text: string, use: EndpointUse): IoAddress {
  if (typeof text !== "string") bad(use, "the endpoint is not a string");
  if (text.length > ENDPOINT_CHARS) {
    bad(use, `the endpoint is longer than ${ENDPOINT_CHARS} characters`);
  }
  if (!text.startsWith(TCP)) badScheme(text, use);
  // The port follows the last colon; colons before it are those of an IPv6 address.
  const colon = text.lastIndexOf(":");
  if (colon < TCP.length || text.endsWith("]")) {
    bad(use, `${quote(text)} has no port`);
  }
  return {
    hostname: readHost(text, text.slice(TCP.length, colon), use),
    port: readPort(text, text.slice(colon + 1), use),
  };
}

/**
 * Writes an address as an endpoint, an IPv6 address in brackets.
 *
 * @example
 * ```ts
 * import { formatEndpoint } from "./endpoint.ts";
 *
 * const text = formatEndpoint({ hostname: "::1", port: 5555 });
 * if (text !== "tcp://[::1]:5555") throw new Error(text);
 * ```
 */
export function formatEndpoint(address: IoAddress): string {
  const { hostname, port } = address;
  return hostname.includes(":") ? `${TCP}[${hostname}]:${port}` : `${TCP}${hostname}:${port}`;
}

function readHost(text: string, host: string, use: EndpointUse): string {
  if (host === "") bad(use, `${quote(text)} has no host`);
  if (host === "*") {
    if (use === "bind") return "0.0.0.0";
    bad(use, `${quote(text)} names no host to connect to`);
  }
  if (host.startsWith("[") && host.endsWith("]")) {
    const inner = host.slice(1, -1);
    if (isIpv6(inner)) return inner;
    bad(use, `${quote(text)} has no IPv6 address between its brackets`);
  }
  if (host.includes(":")) {
    bad(use, `${quote(text)} has an IPv6 address without brackets`);
  }
  if (!isHostName(host)) bad(use, `${quote(text)} has a bad host name`);
  return host;
}

function readPort(text: string, port: string, use: EndpointUse): number {
  if (port === "") bad(use, `${quote(text)} has no port`);
  if (port === "*" || port === "0") {
    if (use === "bind") return 0;
    bad(use, `${quote(text)} names no port to connect to`);
  }
  let value = 0;
  for (let i = 0; i < port.length; i++) {
    const digit = port.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) {
      bad(use, `${quote(text)} has a port that is not a decimal number`);
    }
    value = value * 10 + digit;
  }
  if (value < 1 || value > 65535) {
    bad(use, `${quote(text)} has a port outside 1 to 65535`);
  }
  return value;
}

/** Letters, digits, hyphens, underscores and dots; no dot at the start, none doubled. */
function isHostName(host: string): boolean {
  if (host.length > 253 || host.startsWith(".") || host.startsWith("-")) {
    return false;
  }
  if (host.includes("..")) return false;
  for (let i = 0; i < host.length; i++) {
    const c = host.charCodeAt(i);
    if (!isDigit(c) && !isLetter(c) && c !== 45 && c !== 46 && c !== 95) {
      return false;
    }
  }
  return true;
}

/** Whether it looks like an IPv6 address: hex digits, at least two colons, dots of an IPv4 tail. */
function isIpv6(host: string): boolean {
  let colons = 0;
  for (let i = 0; i < host.length; i++) {
    const c = host.charCodeAt(i);
    if (c === 58) colons++;
    else if (!isDigit(c) && !isHexLetter(c) && c !== 46) return false;
  }
  return colons >= 2 && colons <= 8;
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

function isLetter(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90);
}

function isHexLetter(c: number): boolean {
  return (c >= 97 && c <= 102) || (c >= 65 && c <= 70);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);
}

function badScheme(text: string, use: EndpointUse): never {
  const end = text.indexOf("://");
  const scheme = end < 0 ? "" : text.slice(0, end);
  if (OTHER_TRANSPORTS.includes(scheme)) {
    throw new ArgumentError(
      "EPROTONOSUPPORT",
      `Cannot ${use}: the transport ${scheme} is not supported, only tcp is; ` +
        "a good endpoint looks like tcp://127.0.0.1:5555",
    );
  }
  bad(use, `${quote(text)} does not start with tcp://`);
}

function bad(use: EndpointUse, state: string): never {
  throw new ArgumentError(
    "EINVAL",
    `Cannot ${use}: ${state}; a good one looks like tcp://127.0.0.1:5555`,
  );
}
