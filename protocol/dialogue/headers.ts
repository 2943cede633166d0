/**
 * The headers of a native job: one frame in the encoding of ZMTP metadata. The broker reads a few
 * of them; the rest travel untouched.
 *
 * @module
 */
import { ProtocolError } from "../errors.ts";
import { encodeMetadata, type Metadata, property, readMetadata } from "../zmtp/metadata.ts";
import { readDecimal } from "./decimal.ts";
import { octets } from "./words.ts";

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

const decoder = new TextDecoder("latin1");
const NONE: JobHeaders = { service: undefined, ttl: -1, timeout: -1, accept: false };

/** Reads headers from a frame's octets; undefined if they aren't legal. */
export function readHeaders(
  bytes: Uint8Array,
  start: number,
  end: number,
): JobHeaders | undefined {
  if (start === end) return NONE;
  let properties: Metadata;
  try {
    properties = readMetadata(bytes, start, end);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
  const service = property(properties, "service");
  const ttl = milliseconds(property(properties, "ttl"));
  const timeout = milliseconds(property(properties, "timeout"));
  if (service !== undefined && (service.length === 0 || service.length > 255)) return undefined;
  if (ttl === undefined || timeout === undefined) return undefined;
  return { service, ttl, timeout, accept: property(properties, "accept") !== undefined };
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
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let at = start; at < end;) {
    const nameEnd = at + 1 + bytes[at]!;
    const length = new DataView(bytes.buffer, bytes.byteOffset + nameEnd, 4).getUint32(0);
    const next = nameEnd + 4 + length;
    const name = decoder.decode(bytes.subarray(at + 1, nameEnd)).toLowerCase();
    const part = name === "timeout"
      ? encodeMetadata([["timeout", octets(String(left))]])
      : bytes.subarray(at, next);
    parts.push(part);
    size += part.length;
    at = next;
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function milliseconds(value: Uint8Array | undefined): number | undefined {
  if (value === undefined) return -1;
  const number = readDecimal(value, 0, value.length, LONGEST_MS);
  return number < 0 ? undefined : number;
}
