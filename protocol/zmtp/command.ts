/**
 * Commands: a one-octet name length, the name, a body (RFC 37). Builds the few that we send and
 * tells apart those that arrive.
 *
 * @module
 */
import { ProtocolError } from "../errors.ts";
import { COMMAND, frameBytes, writeFrameHeader } from "./frame.ts";
import { PING_CONTEXT_BYTES, PING_TTL_TENTHS } from "./limits.ts";
import { NO_BYTES } from "./memory.ts";

/** A whole command frame, ready to send. */
export function encodeCommand(
  name: string,
  body: Uint8Array = NO_BYTES,
): Uint8Array {
  const size = 1 + name.length + body.length;
  const out = new Uint8Array(frameBytes(size));
  let at = writeFrameHeader(out, 0, COMMAND, size);
  out[at++] = name.length;
  for (let i = 0; i < name.length; i++) out[at++] = name.charCodeAt(i);
  out.set(body, at);
  return out;
}

/** An ERROR command with its reason, at most 255 octets of it. */
export function encodeError(reason: string): Uint8Array {
  const text = new TextEncoder().encode(reason).subarray(0, 255);
  const body = new Uint8Array(1 + text.length);
  body[0] = text.length;
  body.set(text, 1);
  return encodeCommand("ERROR", body);
}

/** A PING that asks for life within `ttlTenths` tenths of a second, 0 for no promise asked. */
export function encodePing(ttlTenths: number): Uint8Array {
  const ttl = Math.min(ttlTenths, PING_TTL_TENTHS);
  return encodeCommand("PING", new Uint8Array([ttl >>> 8, ttl & 255]));
}

/** A PONG with the context of the PING that it answers. */
export function encodePong(context: Uint8Array = NO_BYTES): Uint8Array {
  return encodeCommand("PONG", context);
}

/** Where a command's body starts; throws the peer's fault if the name doesn't fit its frame. */
export function commandBody(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  const length = bytes[start]!;
  if (length === 0 || start + 1 + length > end) {
    throw new ProtocolError(
      "command",
      "a command's name is longer than its frame",
    );
  }
  return start + 1 + length;
}

/** Whether the command whose frame body starts at `start` has this name, to the letter. */
export function isCommand(
  bytes: Uint8Array,
  start: number,
  name: string,
): boolean {
  if (bytes[start] !== name.length) return false;
  for (let i = 0; i < name.length; i++) {
    if (bytes[start + 1 + i] !== name.charCodeAt(i)) return false;
  }
  return true;
}

/** What a PING carries. */
export interface Ping {
  /** Milliseconds within which the peer promises a sign of life; 0 for none. */
  readonly ttl: number;
  /** What to give back, cut to the length that the RFC allows; a copy. */
  readonly context: Uint8Array;
  /** Whether the context was longer than allowed. */
  readonly cut: boolean;
}

/** Reads a PING's body. */
export function readPing(bytes: Uint8Array, body: number, end: number): Ping {
  if (end - body < 2) {
    throw new ProtocolError("command", "a PING has no time-to-live");
  }
  const context = bytes.slice(
    body + 2,
    Math.min(end, body + 2 + PING_CONTEXT_BYTES),
  );
  return {
    ttl: ((bytes[body]! << 8) | bytes[body + 1]!) * 100,
    context,
    cut: end - body - 2 > PING_CONTEXT_BYTES,
  };
}

/** Reads an ERROR's reason; a malformed one is a reason too. */
export function readError(
  bytes: Uint8Array,
  body: number,
  end: number,
): string {
  const length = body < end ? bytes[body]! : 0;
  if (body + 1 + length !== end) return "(malformed)";
  return new TextDecoder().decode(bytes.slice(body + 1, end));
}
