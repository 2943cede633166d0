/**
 * A second reading of ZMTP 3.1, as naive as can be: the whole stream at once, sizes as BigInt, a
 * copy of everything. It shares no code with the transport; the fuzzer compares the two.
 *
 * @module
 */
import type { Fault } from "../../protocol/errors.ts";
import type { WireLimits } from "../../protocol/zmtp/limits.ts";

/** What must come of a stream. */
export interface Expected {
  /** All events in order, as text. */
  readonly log: string;
  /** How it ends: a fault of the peer, or waiting for more. */
  readonly end: Fault | "more";
  /** How many messages were delivered. */
  readonly messages: number;
}

/** Octets as a text with one character each. */
export function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** A message as text: each frame's length and octets. */
export function messageText(frames: readonly Uint8Array[]): string {
  let line = "message";
  for (const frame of frames) line += ` ${frame.length}:${latin1(frame)}`;
  return line + "\n";
}

/** Thrown inside this file when the peer is at fault or the stream ends. */
class Stop {
  constructor(readonly end: Fault | "more") {}
}

interface Frame {
  readonly flags: number;
  readonly body: Uint8Array;
}

/** Reads one stream as a ROUTER would. */
class Reference {
  log = "";
  messages = 0;
  #at = 0;
  #frames: Uint8Array[] = [];
  #open: boolean;
  readonly #bytes: Uint8Array;
  readonly #limits: WireLimits;

  constructor(bytes: Uint8Array, limits: WireLimits, open: boolean) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#open = open;
  }

  run(): void {
    if (!this.#open) this.#greeting();
    for (;;) {
      const { flags, body } = this.#frame();
      if (flags & 4) this.#command(body);
      else this.#part(flags, body);
    }
  }

  #greeting(): void {
    const wanted = "NULL".padEnd(20, "\0");
    for (let i = 0; i < 64; i++) {
      const octet = this.#octet();
      if (i === 0 && octet !== 0xff) throw new Stop("greeting");
      if (i === 9 && octet % 2 === 0) throw new Stop("greeting");
      if (i === 10 && octet < 3) throw new Stop("version");
      if (i >= 12 && i < 32 && octet !== wanted.charCodeAt(i - 12)) {
        throw new Stop("mechanism");
      }
    }
  }

  #octet(): number {
    if (this.#at === this.#bytes.length) throw new Stop("more");
    return this.#bytes[this.#at++]!;
  }

  #frame(): Frame {
    const flags = this.#octet();
    if (flags > 7 || flags === 5 || flags === 7) throw new Stop("flags");
    const isCommand = (flags & 4) !== 0;
    if (!this.#open && !isCommand) throw new Stop("too-early");
    let size = 0n;
    for (let i = 0; i < (flags & 2 ? 8 : 1); i++) {
      size = size * 256n + BigInt(this.#octet());
      // No limit reaches 2^32: the upper half of a long size is enough to refuse it.
      if ((flags & 2) && i < 4 && size > 0n) throw new Stop("size");
    }
    if (isCommand) {
      if (size === 0n) throw new Stop("command");
      if (size > this.#limits.commandBytes) throw new Stop("size");
    } else {
      this.#checkPart(size);
    }
    const end = this.#at + Number(size);
    if (end > this.#bytes.length) throw new Stop("more");
    const body = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return { flags, body };
  }

  #checkPart(size: bigint): void {
    const { frameBytes, messageBytes, messageFrames } = this.#limits;
    if (frameBytes >= 0 && size > frameBytes) throw new Stop("size");
    if (size > messageBytes) throw new Stop("size");
    if (this.#frames.length + 1 > messageFrames) throw new Stop("frames");
    let total = size;
    for (const frame of this.#frames) total += BigInt(frame.length);
    if (total > messageBytes) throw new Stop("size");
  }

  #part(flags: number, body: Uint8Array): void {
    this.#frames.push(body);
    if (flags & 1) return;
    this.log += messageText(this.#frames);
    this.messages++;
    this.#frames = [];
  }

  #command(frame: Uint8Array): void {
    const length = frame[0]!;
    if (length === 0 || length > frame.length - 1) throw new Stop("command");
    const name = latin1(frame.slice(1, 1 + length));
    const body = frame.slice(1 + length);
    if (!this.#open) this.#handshake(name, body);
    else if (name === "PING") this.#ping(body);
    else if (name === "READY") this.log += "ignored second-ready\n";
    else if (name === "ERROR") this.log += "ignored error\n";
    else if (name !== "PONG") this.log += "ignored unknown-command\n";
  }

  #ping(body: Uint8Array): void {
    if (body.length < 2) throw new Stop("command");
    if (body.length > 18) this.log += "ignored long-context\n";
    const context = latin1(body.slice(2, 18));
    const size = String.fromCharCode(5 + context.length);
    this.log += `command \x04${size}\x04PONG${context}\n`;
  }

  #handshake(name: string, body: Uint8Array): void {
    if (name === "ERROR") throw new Stop("refused");
    if (name !== "READY") throw new Stop("too-early");
    const found: Record<string, string> = {};
    let rest = latin1(body);
    while (rest !== "") {
      const nameLength = rest.charCodeAt(0);
      const key = rest.slice(1, 1 + nameLength);
      const size = rest.slice(1 + nameLength, 5 + nameLength);
      if (nameLength === 0 || size.length < 4) throw new Stop("metadata");
      let length = 0;
      for (const digit of size) length = length * 256 + digit.charCodeAt(0);
      const value = rest.slice(5 + nameLength, 5 + nameLength + length);
      if (value.length < length) throw new Stop("metadata");
      found[`name ${key.toLowerCase()}`] = value;
      rest = rest.slice(5 + nameLength + length);
    }
    const type = found["name socket-type"] ?? "";
    if (!["REQ", "DEALER", "ROUTER"].includes(type)) {
      throw new Stop("socket-type");
    }
    const identity = found["name identity"] ?? "";
    if (identity.length > 255 || identity[0] === "\0") {
      throw new Stop("identity");
    }
    this.#open = true;
    this.log += `open ${type} ${identity}\n`;
  }
}

/** What a ROUTER must make of a stream; `open` if the handshake is through. */
export function expected(
  bytes: Uint8Array,
  limits: WireLimits,
  open: boolean,
): Expected {
  const reference = new Reference(bytes, limits, open);
  try {
    reference.run();
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    const { log, messages } = reference;
    return { log, end: stop.end, messages };
  }
  throw new Error("Cannot happen: a stream has an end");
}
