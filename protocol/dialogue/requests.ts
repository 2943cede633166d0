/**
 * What clients and Rota's own workers write in the native dialogue, as frames to send. The broker
 * doesn't use this: it passes on what came.
 *
 * @module
 */
import { encodeMetadata } from "../zmtp/metadata.ts";
import { NO_BYTES } from "../zmtp/memory.ts";
import { HEADERS_BYTES } from "./headers.ts";
import { CANCEL, CREDIT, EXEC, octets, SIGNATURE, STREAM, TRACKEXEC } from "./words.ts";

/** What a client asks for: no reply, one, or one in chunks. */
export type RequestKind = "EXEC" | "TRACKEXEC" | "STREAM";

/** The length of a header's name is one octet on the wire. */
const NAME_BYTES = 255;
/** What a broker reads, less what a timeout may take. */
const MOST_BYTES = HEADERS_BYTES - 64;

const KINDS: Readonly<Record<RequestKind, Uint8Array>> = { EXEC, TRACKEXEC, STREAM };

/**
 * Headers as octets: names as they are given, values as text. Throws for a name that has no octet or
 * more than its length can tell, and for more than a broker reads.
 */
export function encodeHeaders(headers: Iterable<readonly [string, string]>): Uint8Array {
  const properties: [string, Uint8Array][] = [];
  for (const [name, value] of headers) {
    const length = octets(name).length;
    if (length < 1 || length > NAME_BYTES) {
      throw new TypeError(
        `Cannot send headers: a name has 1 to ${NAME_BYTES} octets, not ${length}`,
      );
    }
    properties.push([name, octets(value)]);
  }
  if (properties.length === 0) return NO_BYTES;
  const bytes = encodeMetadata(properties);
  if (bytes.length > MOST_BYTES) {
    throw new RangeError(`Cannot send headers: they have more than ${MOST_BYTES} octets`);
  }
  return bytes;
}

/** Headers with the time that the client waits behind them. */
export function addTimeout(headers: Uint8Array, milliseconds: number): Uint8Array {
  const timeout = encodeMetadata([["timeout", octets(String(milliseconds))]]);
  if (headers.length === 0) return timeout;
  const all = new Uint8Array(headers.length + timeout.length);
  all.set(headers);
  all.set(timeout, headers.length);
  return all;
}

/** A job, behind the delimiter that a DEALER adds. */
export function requestFrames(
  kind: RequestKind,
  id: Uint8Array,
  command: Uint8Array,
  headers: Uint8Array,
  payload: readonly Uint8Array[],
): Uint8Array[] {
  return [NO_BYTES, SIGNATURE, KINDS[kind], id, command, headers, ...payload];
}

/** The client wants a job no more. */
export function cancelFrames(id: Uint8Array): Uint8Array[] {
  return [NO_BYTES, SIGNATURE, CANCEL, id];
}

/** So many more chunks may come. */
export function creditFrames(id: Uint8Array, count: number): Uint8Array[] {
  return [NO_BYTES, SIGNATURE, CREDIT, id, octets(String(count))];
}
