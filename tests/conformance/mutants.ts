/**
 * Mistakes that one could make in the wire, each as one textual edit, and the rule of the checklist
 * that must notice it. Data alone.
 *
 * @module
 */
import type { WireFile } from "./wire.ts";

/** One mistake. */
export interface Mutant {
  /** The line of the checklist that it breaks. */
  readonly number: number;
  /** What goes wrong, in a few words. */
  readonly what: string;
  readonly file: WireFile;
  /** Stands exactly once in the file. */
  readonly from: string;
  /** What stands there instead. */
  readonly to: string;
}

/** What changes in a file: the file, the text and what replaces it. */
type Edit = readonly [file: string, from: string, to: string];

function mutant(number: number, what: string, [file, from, to]: Edit): Mutant {
  return { number, what, file: `zmtp/${file}.ts` as WireFile, from, to };
}

const GREETING: readonly Mutant[] = [
  mutant(1, "our padding carries a length, as libzmq's does", [
    "greeting",
    "bytes[9] = 0x7f;",
    "bytes[8] = 1;\n  bytes[9] = 0x7f;",
  ]),
  mutant(1, "the peer's padding must be zero", [
    "greeting",
    "if (length > 9 && (bytes[start + 9]! & 1) === 0) {",
    "if (length > 9 && ((bytes[start + 9]! & 1) === 0 || bytes[start + 8] !== 0)) {",
  ]),
  mutant(2, "what comes in the greeting's segment is thrown away", [
    "connection",
    "input.head = end;",
    "input.head = input.tail;",
  ]),
  mutant(2, "a greeting is taken for complete before its mechanism came", [
    "greeting",
    "if (length < GREETING_BYTES) return undefined;",
    "if (length < MECHANISM_AT) return undefined;",
  ]),
  mutant(3, "a later major version is refused", [
    "greeting",
    "bytes[start + 10]! < 3) {",
    "bytes[start + 10]! !== 3) {",
  ]),
  mutant(3, "a 3.0 peer counts as one that knows heartbeats", [
    "connection",
    "greeting.major > 3 || greeting.minor >= 1;",
    "greeting.major >= 3;",
  ]),
  mutant(4, "the first octet is not looked at", [
    "greeting",
    "if (length > 0 && bytes[start] !== 0xff) {",
    "if (length >= GREETING_BYTES && bytes[start] !== 0xff) {",
  ]),
  mutant(4, "the end of the signature is judged an octet late", [
    "greeting",
    "if (length > 9 && (bytes[start + 9]!",
    "if (length > 10 && (bytes[start + 9]!",
  ]),
  mutant(4, "a ZMTP 2 peer is taken for one of ours", [
    "greeting",
    "bytes[start + 10]! < 3) {",
    "bytes[start + 10]! < 1) {",
  ]),
  mutant(5, "the zeros behind the mechanism's name are not compared", [
    "greeting",
    "Math.min(length - MECHANISM_AT, MECHANISM_BYTES);",
    "Math.min(length - MECHANISM_AT, mechanism.length);",
  ]),
  mutant(5, "the peer's as-server octet must be zero", [
    "greeting",
    "if (length < GREETING_BYTES) return undefined;",
    `if (length < GREETING_BYTES) return undefined;
     if (bytes[start + AS_SERVER_AT] !== 0) throw new ProtocolError("mechanism", "a server");`,
  ]),
];

const FRAMES: readonly Mutant[] = [
  mutant(7, "bit 3 is not reserved", [
    "frame",
    "export const RESERVED = 0xf8;",
    "export const RESERVED = 0xf0;",
  ]),
  mutant(7, "a long command may say that more frames follow", [
    "message_reader",
    "if ((flags & COMMAND) !== 0 && (flags & MORE) !== 0) {",
    "if (flags === (COMMAND | MORE)) {",
  ]),
  mutant(7, "a command's name may be one octet longer than its frame", [
    "command",
    "if (length === 0 || start + 1 + length > end) {",
    "if (length === 0 || start + length > end) {",
  ]),
  mutant(7, "a command may have no name", [
    "command",
    "if (length === 0 || start + 1 + length > end) {",
    "if (start + 1 + length > end) {",
  ]),
  mutant(8, "255 octets are sent as a LONG frame", [
    "frame",
    "if (body <= SHORT_BYTES) {",
    "if (body < SHORT_BYTES) {",
  ]),
  mutant(8, "a long length is written little-endian", [
    "frame",
    "bytes[at + 7] = (body >>> 8) & 255;\n  bytes[at + 8] = body & 255;",
    "bytes[at + 8] = (body >>> 8) & 255;\n  bytes[at + 7] = body & 255;",
  ]),
  mutant(8, "the upper half of a length is not looked at", [
    "message_reader",
    "if (bytes[i] !== 0) throw tooLarge();",
    "",
  ]),
  mutant(8, "LONG is refused where SHORT would do", [
    "message_reader",
    "(bytes[at + 7]! << 8) +\n        bytes[at + 8]!;",
    "(bytes[at + 7]! << 8) +\n        bytes[at + 8]!;\n      if (size <= 255) throw tooLarge();",
  ]),
  mutant(9, "a short frame of exactly the limit is refused", [
    "message_reader",
    "if (size > this.#frameLimit) throw tooLarge();",
    "if (size >= this.#frameLimit) throw tooLarge();",
  ]),
  mutant(9, "a message's total is checked once its frame has come", [
    "message_reader",
    "if ((this.#total += size) > this.#limits.messageBytes) throw tooLarge();",
    "if (end <= tail && (this.#total += size) > this.#limits.messageBytes) throw tooLarge();",
  ]),
  mutant(9, "one frame more than the limit is taken", [
    "message_reader",
    "if (index === this.#limits.messageFrames) throw tooMany();",
    "if (index > this.#limits.messageFrames) throw tooMany();",
  ]),
  mutant(9, "a command may be as long as a message", [
    "message_reader",
    "if (size > this.#limits.commandBytes) {",
    "if (size > this.#limits.messageBytes) {",
  ]),
  mutant(9, "a buffer grows by what a peer merely announces", [
    "input_buffer",
    "Math.min(needed, Math.max(2 * this.waiting, READ_BYTES)),",
    "needed,",
  ]),
  mutant(10, "a command between two frames stays in the message", [
    "message_reader",
    "else this.#gap += end - at;",
    "",
  ]),
  mutant(10, "a command drops the frames before it", [
    "message_reader",
    "if (this.count === 0) this.#input.head = end;",
    "if (this.count >= 0) this.#input.head = end;",
  ]),
  mutant(11, "frames that came before a cut are forgotten", [
    "message_reader",
    "this.count = index + 1;",
    "this.count = index + 1;\n      input.head = end;",
  ]),
  mutant(11, "each frame is delivered as a message of its own", [
    "message_reader",
    "if ((flags & MORE) === 0) {\n        input.head",
    "if ((flags & COMMAND) === 0) {\n        input.head",
  ]),
  mutant(11, "a peer that leaves inside a message leaves its buffer behind", [
    "input_buffer",
    "if (this.bytes.length > 0) this.#memory.give(this.bytes);",
    "if (this.waiting === 0) this.#memory.give(this.bytes);",
  ]),
];

const HANDSHAKE: readonly Mutant[] = [
  mutant(12, "a held READY goes out at once", [
    "null_mechanism",
    "return this.#ready;",
    "return this.#ready ?? this.#readyFor?.(new Map());",
  ]),
  mutant(12, "READY goes out with our greeting", [
    "connection",
    "this.#mechanism.asServer),\n    );",
    "this.#mechanism.asServer),\n    );\n    this.#events.onHandshakeBytes(this.#mechanism.begin()!);",
  ]),
  mutant(13, "a PING follows our READY at once", [
    "connection",
    "if (first !== undefined) this.#events.onHandshakeBytes(first);",
    "if (first !== undefined) this.#events.onHandshakeBytes(first);\n    this.ping(10);",
  ]),
  mutant(13, "a peer counts as open once it has greeted", [
    "connection",
    'this.state = follow(this.state, "greeting");',
    'this.state = follow(this.state, "greeting");\n    this.#events.onOpen();',
  ]),
  mutant(14, "the first of a repeated property counts", [
    "metadata",
    'properties.set("p" + name, ',
    'if (!properties.has("p" + name)) properties.set("p" + name, ',
  ]),
  mutant(14, "property names go out in lower case", [
    "metadata",
    "const bytes = encoder.encode(name);",
    "const bytes = encoder.encode(name.toLowerCase());",
  ]),
  mutant(14, "octets behind the last property are ignored", [
    "metadata",
    "while (at < end) {",
    "while (at + 5 < end) {",
  ]),
  mutant(14, "a value may be longer than what is left of its frame", [
    "metadata",
    "if (length > end - valueAt) {",
    "if (length > end - at) {",
  ]),
  mutant(15, "an empty identity is not announced", [
    "null_mechanism",
    'if (type !== "REP") properties',
    "if (identity.length > 0) properties",
  ]),
  mutant(15, "REP announces an identity too", [
    "null_mechanism",
    'if (type !== "REP") properties',
    "properties",
  ]),
  mutant(16, "two ROUTERs may not talk", [
    "socket_type",
    'ROUTER: ["REQ", "DEALER", "ROUTER"],',
    'ROUTER: ["REQ", "DEALER"],',
  ]),
  mutant(16, "a REP takes another REP", [
    "socket_type",
    'REP: ["REQ", "DEALER"],',
    'REP: ["REQ", "REP", "DEALER"],',
  ]),
  mutant(16, "a wrong socket type is closed on without an ERROR", [
    "connection",
    'this.#events.onHandshakeBytes(encodeError("Invalid socket type"));',
    "",
  ]),
  mutant(16, "a READY without Socket-Type is taken, as libzmq does", [
    "connection",
    "if (!mayTalk(ours, theirs)) {",
    "if (type !== undefined && !mayTalk(ours, theirs)) {",
  ]),
  mutant(17, "an identity of 256 octets is taken", [
    "limits",
    "export const IDENTITY_BYTES = 255;",
    "export const IDENTITY_BYTES = 256;",
  ]),
  mutant(17, "an identity may start with 0", [
    "connection",
    "if (identity.length > IDENTITY_BYTES || identity[0] === 0) {",
    "if (identity.length > IDENTITY_BYTES) {",
  ]),
  mutant(18, "a message before READY is delivered", [
    "connection",
    'if (this.state !== "OPEN") refuseEarlyMessage(input);',
    "",
  ]),
  mutant(18, "other commands before READY are passed over", [
    "null_mechanism",
    'throw new ProtocolError("too-early", "a command came before READY");',
    "return { reply: undefined, properties: undefined, refused: undefined };",
  ]),
  mutant(18, "a second READY gives the peer another identity", [
    "connection",
    'this.#events.onIgnored("second-ready");',
    `this.#meet(this.#mechanism.receive(bytes, start, end).properties!);
      this.#events.onIgnored("second-ready");`,
  ]),
  mutant(18, "an unknown command ends an open connection", [
    "connection",
    'this.#events.onIgnored("unknown-command");',
    'throw new ProtocolError("command", "unknown");',
  ]),
  mutant(19, "why the peer refused us is not kept, so that we come back", [
    "connection",
    "this.refusal = step.refused;",
    "",
  ]),
  mutant(19, "a reason keeps its length octet", [
    "command",
    "bytes.slice(body + 1, end)",
    "bytes.slice(body, end)",
  ]),
];

const HEARTBEAT: readonly Mutant[] = [
  mutant(21, "a PONG comes without the context", [
    "connection",
    "encodePong(ping.context)",
    "encodePong()",
  ]),
  mutant(21, "a long context is given back whole", [
    "command",
    "Math.min(end, body + 2 + PING_CONTEXT_BYTES),",
    "end,",
  ]),
  mutant(21, "a PING may have half a ttl", [
    "command",
    "if (end - body < 2) {",
    "if (end - body < 1) {",
  ]),
  mutant(22, "a ttl that libzmq overflows on is sent", [
    "limits",
    "export const PING_TTL_TENTHS = 655;",
    "export const PING_TTL_TENTHS = 65535;",
  ]),
  mutant(22, "a received ttl is read as seconds", [
    "command",
    "bytes[body + 1]!) * 100,",
    "bytes[body + 1]!) * 1000,",
  ]),
  mutant(22, "a ttl of 0 doesn't end an earlier promise", [
    "connection",
    "this.peerTtl = ping.ttl;",
    "if (ping.ttl > 0) this.peerTtl = ping.ttl;",
  ]),
  mutant(26, "unknown commands are handed to the application", [
    "connection",
    'this.#events.onIgnored("unknown-command");',
    "this.#events.onMessage(reader);",
  ]),
  mutant(26, "the octets of a PONG are taken for a message", [
    "message_reader",
    "return this.#command(at, start, end);",
    "if (bytes[start] !== 4 || bytes[start + 2] !== 0x4f) return this.#command(at, start, end);",
  ]),
];

/** In the checklist's order. */
export const MUTANTS: readonly Mutant[] = [...GREETING, ...FRAMES, ...HANDSHAKE, ...HEARTBEAT];
