/**
 * The NULL mechanism: each side sends one READY with its properties (RFC 37, "The NULL security
 * mechanism").
 *
 * @module
 */
import { ProtocolError } from "../errors.ts";
import { commandBody, encodeCommand, isCommand, readError } from "./command.ts";
import type { HandshakeStep, Mechanism } from "./mechanism.ts";
import { encodeMetadata, type Metadata, readMetadata } from "./metadata.ts";
import type { SocketType } from "./socket_type.ts";

/** The READY of a socket. REP alone announces no identity, as libzmq does. */
export function encodeReady(
  type: SocketType,
  identity: Uint8Array,
): Uint8Array {
  const properties: [string, Uint8Array][] = [[
    "Socket-Type",
    new TextEncoder().encode(type),
  ]];
  if (type !== "REP") properties.push(["Identity", identity]);
  return encodeCommand("READY", encodeMetadata(properties));
}

/** NULL for one connection. */
export class NullMechanism implements Mechanism {
  readonly name = "NULL";
  readonly asServer = false;
  readonly #ready: Uint8Array | undefined;
  readonly #readyFor: ((properties: Metadata) => Uint8Array) | undefined;

  /**
   * Takes the READY to send at once, or a function that makes it when the peer's has come: the
   * binding side may hold its own until then.
   */
  constructor(ready: Uint8Array | ((properties: Metadata) => Uint8Array)) {
    this.#ready = typeof ready === "function" ? undefined : ready;
    this.#readyFor = typeof ready === "function" ? ready : undefined;
  }

  begin(): Uint8Array | undefined {
    return this.#ready;
  }

  receive(bytes: Uint8Array, start: number, end: number): HandshakeStep {
    const body = commandBody(bytes, start, end);
    if (isCommand(bytes, start, "ERROR")) {
      const refused = readError(bytes, body, end);
      return { reply: undefined, properties: undefined, refused };
    }
    if (!isCommand(bytes, start, "READY")) {
      throw new ProtocolError("too-early", "a command came before READY");
    }
    const properties = readMetadata(bytes, body, end);
    return {
      reply: this.#readyFor?.(properties),
      properties,
      refused: undefined,
    };
  }
}
