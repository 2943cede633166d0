/**
 * Socket types and which of them may talk to each other (RFC 28 and 37).
 *
 * @module
 */
import { type Metadata, property } from "./metadata.ts";

/**
 * The socket types that this transport speaks.
 *
 * @example
 * ```ts
 * import { mayTalk, type SocketType } from "./socket_type.ts";
 *
 * const ours: SocketType = "ROUTER";
 * if (!mayTalk(ours, "DEALER") || mayTalk(ours, "REP")) throw new Error("wrong partners");
 * ```
 */
export type SocketType = "REQ" | "REP" | "DEALER" | "ROUTER";

const PARTNERS: Readonly<Record<SocketType, readonly string[]>> = {
  REQ: ["REP", "ROUTER"],
  REP: ["REQ", "DEALER"],
  DEALER: ["REP", "DEALER", "ROUTER"],
  ROUTER: ["REQ", "DEALER", "ROUTER"],
};

/** Whether a peer of that type may talk to a socket of ours. */
export function mayTalk(
  ours: SocketType,
  theirs: string,
): theirs is SocketType {
  return PARTNERS[ours].includes(theirs);
}

/** The type that a peer announced, as text; empty if it announced none. */
export function socketTypeOf(properties: Metadata): string {
  const type = property(properties, "Socket-Type");
  // A byte order mark is no part of a name that we know: it must not vanish.
  return type === undefined ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(type);
}
