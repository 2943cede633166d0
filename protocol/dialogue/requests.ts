/**
 * What clients and Rota's own workers write in the native dialogue, as frames to send. The broker
 * doesn't use this: it passes on what came.
 *
 * @module
 */
import { encodeMetadata } from "../zmtp/metadata.ts";
import { NO_BYTES } from "../zmtp/memory.ts";
import { CANCEL, CREDIT, EXEC, octets, SIGNATURE, STREAM, TRACKEXEC } from "./words.ts";

/** What a client asks for: no reply, one, or one in chunks. */
export type RequestKind = "EXEC" | "TRACKEXEC" | "STREAM";

const KINDS: Readonly<Record<RequestKind, Uint8Array>> = { EXEC, TRACKEXEC, STREAM };

/** Headers as octets: names as they are given, values as text. */
export function encodeHeaders(headers: Iterable<readonly [string, string]>): Uint8Array {
  const properties: [string, Uint8Array][] = [];
  for (const [name, value] of headers) properties.push([name, octets(value)]);
  return properties.length === 0 ? NO_BYTES : encodeMetadata(properties);
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
