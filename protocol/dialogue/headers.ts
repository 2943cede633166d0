/**
 * The headers of a native job: one frame in the encoding of ZMTP metadata. The broker reads a few
 * of them; the rest travel untouched.
 *
 * @module
 */
import { encodeMetadata } from "../zmtp/metadata.ts";
import { readDecimal } from "./decimal.ts";
import { octets } from "./words.ts";

/** Octets of a job's headers: room for any trace, while all of them are soon looked through. */
export const HEADERS_BYTES = 65_536;
/** The longest time that a header may ask for, in ms: about 11 days. */
export const LONGEST_MS = 1e9;

/** What the broker wants to know of a job. */
export interface JobHeaders {
  /** The service's name as octets; undefined for the default one. */
  readonly service: Uint8Array | undefined;
  /** Milliseconds within which the job must start; -1 for no limit. */
  readonly ttl: number;
  /** Milliseconds that the client waits, from arrival; -1 for no limit. */
  readonly timeout: number;
  /** Whether ACCEPTED is asked for. */
  readonly accept: boolean;
}

const NONE: JobHeaders = { service: undefined, ttl: -1, timeout: -1, accept: false };

const [SERVICE, TTL, TIMEOUT, ACCEPT] = [
  octets("service"),
  octets("ttl"),
  octets("timeout"),
  octets("accept"),
];

/** Reads headers from a frame's octets; undefined if they aren't legal. The last of a name counts. */
export function readHeaders(
  bytes: Uint8Array,
  start: number,
  end: number,
): JobHeaders | undefined {
  if (start === end) return NONE;
  if (end - start > HEADERS_BYTES) return undefined;
  let service: Uint8Array | undefined;
  let [ttl, timeout] = [-1, -1];
  let accept = false;
  for (let at = start; at < end;) {
    const next = propertyEnd(bytes, at, end);
    if (next < 0) return undefined;
    const value = at + 1 + bytes[at]! + LENGTH_BYTES;
    if (isNamed(bytes, at, SERVICE)) service = bytes.slice(value, next);
    else if (isNamed(bytes, at, TTL)) ttl = milliseconds(bytes, value, next);
    else if (isNamed(bytes, at, TIMEOUT)) timeout = milliseconds(bytes, value, next);
    else if (isNamed(bytes, at, ACCEPT)) accept = true;
    at = next;
  }
  if (service !== undefined && (service.length === 0 || service.length > 255)) return undefined;
  return ttl === ILLEGAL || timeout === ILLEGAL ? undefined : { service, ttl, timeout, accept };
}

/**
 * The same headers with `timeout` set to what is left of it; every other property stays as it came,
 * to the octet. Takes only headers that `readHeaders` found legal.
 */
export function withTimeout(
  bytes: Uint8Array,
  start: number,
  end: number,
  left: number,
): Uint8Array {
  const changed = encodeMetadata([["timeout", octets(String(left))]]);
  const parts: Uint8Array[] = [];
  let kept = start;
  let size = end - start;
  for (let at = start; at < end;) {
    const next = propertyEnd(bytes, at, end);
    if (next < 0) throw new Error("Cannot change headers: they aren't legal");
    if (isNamed(bytes, at, TIMEOUT)) {
      parts.push(bytes.subarray(kept, at), changed);
      size += changed.length - (next - at);
      kept = next;
    }
    at = next;
  }
  parts.push(bytes.subarray(kept, end));
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A time that isn't a legal number. */
const ILLEGAL = -2;
/** Octets that tell the length of a value. */
const LENGTH_BYTES = 4;

function milliseconds(bytes: Uint8Array, start: number, end: number): number {
  const number = readDecimal(bytes, start, end, LONGEST_MS);
  return number < 0 ? ILLEGAL : number;
}

/** Where the property at `at` ends; -1 if it has no name or is longer than what holds it. */
function propertyEnd(bytes: Uint8Array, at: number, end: number): number {
  const length = bytes[at]!;
  const value = at + 1 + length + LENGTH_BYTES;
  if (length === 0 || value > end) return -1;
  const next = value + bytes[value - 4]! * 2 ** 24 + (bytes[value - 3]! << 16) +
    (bytes[value - 2]! << 8) + bytes[value - 1]!;
  return next > end ? -1 : next;
}

/** Whether the property at `at` has that name, in whatever case; the name is in small letters. */
function isNamed(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  if (bytes[at] !== name.length) return false;
  for (let i = 0; i < name.length; i++) {
    if ((bytes[at + 1 + i]! | 0x20) !== name[i]) return false;
  }
  return true;
}
