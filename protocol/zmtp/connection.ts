/**
 * One peer's conversation: greeting, handshake, heartbeats, messages. Octets in, events out; it
 * knows no socket, no clock (the time is an argument) and not where its output goes.
 *
 * @module
 */
import { ProtocolError } from "../errors.ts";
import {
  commandBody,
  encodeError,
  encodePing,
  encodePong,
  isCommand,
  readPing,
} from "./command.ts";
import { COMMAND, RESERVED } from "./frame.ts";
import { encodeGreeting, GREETING_BYTES, readGreeting } from "./greeting.ts";
import type { InputBuffer } from "./input_buffer.ts";
import { IDENTITY_BYTES } from "./limits.ts";
import type { Mechanism } from "./mechanism.ts";
import { NO_BYTES } from "./memory.ts";
import { FOUND_COMMAND, MESSAGE, type MessageReader } from "./message_reader.ts";
import { type Metadata, property } from "./metadata.ts";
import { mayTalk, type SocketType, socketTypeOf } from "./socket_type.ts";
import { follow, type State } from "./state.ts";

/** What a conversation tells its owner. */
export interface ConnectionEvents {
  /** Octets to send before any message: greeting and handshake. */
  onHandshakeBytes(bytes: Uint8Array): void;
  /** A command to send after the handshake, in order with messages. */
  onCommandBytes(bytes: Uint8Array): void;
  /** The handshake is complete: type, identity and version of the peer are known. */
  onOpen(): void;
  /** A whole message. Gives false to be told no more until `feed()` is called again. */
  onMessage(message: MessageReader): boolean;
  /** Something the peer did that is ignored and counted. */
  onIgnored(what: Ignored): void;
}

/** What is ignored and counted rather than punished. */
export type Ignored =
  | "second-ready"
  | "error"
  | "unknown-command"
  | "long-context";

/** What a conversation needs to know. */
export interface ConnectionSettings {
  /** Which peers may talk to us. */
  readonly type: SocketType;
  /** What we are to a peer of that type, if that isn't always the same. */
  readonly announce?: ((theirs: string) => SocketType) | undefined;
  /** Octets scanner, shared by all connections of an engine. */
  readonly reader: MessageReader;
}

/** One conversation. Only `follow()` moves its state. */
export class Connection {
  state: State = "GREETING";
  /** The peer's type, once open. */
  peerType: SocketType | undefined;
  /** The peer's identity, once open; empty if it has none. */
  peerIdentity: Uint8Array = NO_BYTES;
  /** Whether the peer knows heartbeats (ZMTP 3.1 or later), or has shown that it does. */
  knowsPing = false;
  /** Milliseconds within which the peer promised a sign of life; 0 for no promise. */
  peerTtl = 0;
  /** After `feed()`: how long the unfinished message at the input's head is, 0 if none. */
  needed = 0;
  /** Why the peer refused us with an ERROR, if it did: reconnecting would not help. */
  refusal: string | undefined;
  /** All properties that the peer announced. */
  properties: Metadata | undefined;

  readonly #settings: ConnectionSettings;
  readonly #mechanism: Mechanism;
  readonly #events: ConnectionEvents;

  constructor(
    settings: ConnectionSettings,
    mechanism: Mechanism,
    events: ConnectionEvents,
  ) {
    this.#settings = settings;
    this.#mechanism = mechanism;
    this.#events = events;
  }

  /** Says hello: all 64 octets at once. */
  start(): void {
    this.#events.onHandshakeBytes(
      encodeGreeting(this.#mechanism.name, this.#mechanism.asServer),
    );
  }

  /** Nothing more is read or said. */
  close(): void {
    this.state = follow(this.state, "close");
  }

  /**
   * Takes what has arrived. Throws a ProtocolError for a fault of the peer, with an ERROR command
   * already handed out where the fault is permanent (RFC 37: only during the handshake).
   */
  feed(input: InputBuffer): void {
    this.needed = 0;
    if (this.state === "GREETING" && !this.#greet(input)) return;
    const reader = this.#settings.reader;
    reader.begin(input);
    while (this.state !== "CLOSED") {
      if (this.state !== "OPEN") refuseEarlyMessage(input);
      const found = reader.next();
      if (found === MESSAGE) {
        if (!this.#events.onMessage(reader)) return;
      } else if (found === FOUND_COMMAND) {
        if (this.state === "OPEN") this.#command(reader);
        else this.#handshake(reader);
      } else {
        this.needed = input.waiting === 0 ? 0 : reader.needed;
        return;
      }
    }
  }

  /** A PING that asks the peer for a sign of life. */
  ping(ttlTenths: number): void {
    this.#events.onCommandBytes(encodePing(ttlTenths));
  }

  /** A PONG that nobody asked for: a sign of our life while we don't read. */
  pong(): void {
    this.#events.onCommandBytes(encodePong());
  }

  #greet(input: InputBuffer): boolean {
    const end = Math.min(input.tail, input.head + GREETING_BYTES);
    const greeting = readGreeting(
      input.bytes,
      input.head,
      end,
      this.#mechanism.name,
    );
    if (greeting === undefined) {
      this.needed = GREETING_BYTES;
      return false;
    }
    input.head = end;
    this.knowsPing = greeting.major > 3 || greeting.minor >= 1;
    this.state = follow(this.state, "greeting");
    const first = this.#mechanism.begin();
    if (first !== undefined) this.#events.onHandshakeBytes(first);
    return true;
  }

  #handshake(reader: MessageReader): void {
    const step = this.#mechanism.receive(
      reader.bytes,
      reader.commandStart,
      reader.commandEnd,
    );
    if (step.refused !== undefined) {
      this.refusal = step.refused;
      throw new ProtocolError(
        "refused",
        `the peer refused us: ${step.refused}`,
      );
    }
    if (step.properties !== undefined) this.#meet(step.properties);
    if (step.reply !== undefined) this.#events.onHandshakeBytes(step.reply);
    if (step.properties !== undefined) {
      this.state = follow(this.state, "ready");
      this.#events.onOpen();
    }
  }

  #meet(properties: Metadata): void {
    const type = property(properties, "Socket-Type");
    const theirs = socketTypeOf(properties);
    const ours = this.#settings.announce?.(theirs) ?? this.#settings.type;
    if (!mayTalk(ours, theirs)) {
      // RFC 37: a peer that we can't talk to is told so, and doesn't try again.
      this.#events.onHandshakeBytes(encodeError("Invalid socket type"));
      const what = type === undefined ? "has no Socket-Type" : `can't talk to ${ours}`;
      throw new ProtocolError("socket-type", `the peer ${what}`);
    }
    const identity = property(properties, "Identity") ?? NO_BYTES;
    if (identity.length > IDENTITY_BYTES || identity[0] === 0) {
      throw new ProtocolError(
        "identity",
        "the peer's identity is too long or starts with 0",
      );
    }
    this.properties = properties;
    this.peerType = theirs;
    this.peerIdentity = identity;
  }

  #command(reader: MessageReader): void {
    const { bytes, commandStart: start, commandEnd: end } = reader;
    const body = commandBody(bytes, start, end);
    if (isCommand(bytes, start, "PING")) {
      const ping = readPing(bytes, body, end);
      this.knowsPing = true;
      this.peerTtl = ping.ttl;
      if (ping.cut) this.#events.onIgnored("long-context");
      this.#events.onCommandBytes(encodePong(ping.context));
    } else if (isCommand(bytes, start, "READY")) {
      this.#events.onIgnored("second-ready");
    } else if (isCommand(bytes, start, "ERROR")) {
      this.#events.onIgnored("error");
    } else if (!isCommand(bytes, start, "PONG")) {
      this.#events.onIgnored("unknown-command");
    }
  }
}

/**
 * RFC 37: no message before READY. Its first octet tells, so that nothing of it is ever kept, and
 * a READY between its frames can't make it legal.
 */
function refuseEarlyMessage(input: InputBuffer): void {
  if (input.waiting === 0) return;
  if ((input.bytes[input.head]! & (COMMAND | RESERVED)) === 0) {
    throw new ProtocolError("too-early", "a message came before READY");
  }
}
