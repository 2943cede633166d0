/**
 * Values as frames: what a client sends along with a command, and what a handler gives back. Octets
 * stay octets, text is UTF-8, an array of octets is several frames, anything else is JSON.
 *
 * @module
 */
import { octets } from "./words.ts";

/**
 * What can be sent as a payload. `undefined` is no frame at all.
 *
 * @example
 * ```ts
 * import { type Payload, payloadFrames } from "./payload.ts";
 *
 * const nothing: Payload = undefined;
 * if (payloadFrames(nothing).length !== 0) throw new Error("something");
 * ```
 */
export type Payload =
  | Uint8Array
  | ArrayBuffer
  | readonly Uint8Array[]
  | string
  | number
  | boolean
  | null
  | undefined
  | object;

/**
 * The frames of a value.
 *
 * @example
 * ```ts
 * import { payloadFrames } from "./payload.ts";
 *
 * const [frame] = payloadFrames({ width: 10 });
 * if (new TextDecoder().decode(frame) !== '{"width":10}') throw new Error("not JSON");
 * ```
 */
export function payloadFrames(value: Payload): readonly Uint8Array[] {
  if (value === undefined) return [];
  if (value instanceof Uint8Array) return [value];
  if (typeof value === "string") return [octets(value)];
  if (value instanceof ArrayBuffer) return [new Uint8Array(value)];
  if (isFrames(value)) return value;
  if (ArrayBuffer.isView(value)) {
    return [new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  }
  const text = JSON.stringify(value);
  if (text === undefined) {
    throw new TypeError(`Cannot send a payload: a ${typeof value} is neither octets nor JSON`);
  }
  return [octets(text)];
}

function isFrames(value: unknown): value is readonly Uint8Array[] {
  return Array.isArray(value) && value.length > 0 &&
    value.every((part) => part instanceof Uint8Array);
}
