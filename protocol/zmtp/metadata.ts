/**
 * Metadata: the properties of a handshake (RFC 37, "Metadata"). Names compare without case; a
 * repeated one counts as it came last; an unknown one is kept for whoever asks.
 *
 * @module
 */
import { ProtocolError } from "../errors.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

/** Properties by lower-case name. A Map, so that a name such as `__proto__` is only a name. */
export type Metadata = Map<string, Uint8Array>;

/** Encodes properties with their names exactly as given. */
export function encodeMetadata(
  properties: Iterable<readonly [string, Uint8Array]>,
): Uint8Array {
  const parts: [Uint8Array, Uint8Array][] = [];
  let size = 0;
  for (const [name, value] of properties) {
    const bytes = encoder.encode(name);
    parts.push([bytes, value]);
    size += 5 + bytes.length + value.length;
  }
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  let at = 0;
  for (const [name, value] of parts) {
    out[at] = name.length;
    out.set(name, at + 1);
    at += 1 + name.length;
    view.setUint32(at, value.length);
    out.set(value, at + 4);
    at += 4 + value.length;
  }
  return out;
}

/** Reads properties, copying their values; throws the peer's fault if they don't fill the frame. */
export function readMetadata(
  bytes: Uint8Array,
  start: number,
  end: number,
): Metadata {
  const properties: Metadata = new Map();
  let at = start;
  while (at < end) {
    const nameLength = bytes[at]!;
    if (nameLength === 0) {
      throw new ProtocolError("metadata", "a property has no name");
    }
    const valueAt = at + 1 + nameLength + 4;
    if (valueAt > end) {
      throw new ProtocolError(
        "metadata",
        "a property is longer than its frame",
      );
    }
    const name = decoder.decode(bytes.subarray(at + 1, at + 1 + nameLength))
      .toLowerCase();
    const length = (bytes[valueAt - 4]! * 2 ** 24) +
      (bytes[valueAt - 3]! << 16) +
      (bytes[valueAt - 2]! << 8) + bytes[valueAt - 1]!;
    if (length > end - valueAt) {
      throw new ProtocolError(
        "metadata",
        "a property is longer than its frame",
      );
    }
    // The letter in front keeps a peer's decimal strings from colliding in the engine's hash.
    properties.set("p" + name, bytes.slice(valueAt, valueAt + length));
    at = valueAt + length;
  }
  return properties;
}

/** The value of a property whatever the case of its name, or undefined. */
export function property(
  properties: Metadata,
  name: string,
): Uint8Array | undefined {
  return properties.get("p" + name.toLowerCase());
}
