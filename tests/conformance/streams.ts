/**
 * Streams for the fuzzer: valid ones, and what becomes of them when octets are flipped, cut,
 * doubled, inserted, spliced, or when sizes and flags lie. All from one source of random numbers.
 *
 * @module
 */
import type { WireLimits } from "../../protocol/zmtp/limits.ts";
import type { Random } from "./random.ts";
import { DEALER_GREETING } from "./vectors.ts";

/** The most octets that a stream may have. */
export const STREAM_BYTES = 8 * 1024;

const HUGE = [2n ** 63n, 2n ** 64n - 1n, 2n ** 63n - 1n, 2n ** 32n, 2n ** 31n];

/** A stream under construction. */
export class Stream {
  readonly bytes = new Uint8Array(2 * STREAM_BYTES);
  length = 0;
  /** Where frames start, as far as mutations have not moved them. */
  readonly frames: number[] = [];

  clear(): void {
    this.length = 0;
    this.frames.length = 0;
  }

  octets(...values: readonly number[]): void {
    for (const value of values) this.bytes[this.length++] = value;
  }

  text(value: string): void {
    for (let i = 0; i < value.length; i++) this.octets(value.charCodeAt(i));
  }

  copy(source: Uint8Array): void {
    this.bytes.set(source, this.length);
    this.length += source.length;
  }

  /** A frame's header, LONG if it must be or is told to be. */
  header(flags: number, size: number, long = size > 255): void {
    this.frames.push(this.length);
    if (!long) return this.octets(flags, size);
    this.octets(flags | 2, 0, 0, 0, 0, 0, size >> 16, (size >> 8) & 255);
    this.octets(size & 255);
  }

  /** Opens a gap of `count` octets at `at`. */
  open(at: number, count: number): void {
    this.bytes.copyWithin(at + count, at, this.length);
    this.length += count;
  }

  /** Cuts back to the most that a stream may have, or to less. */
  cut(length: number): void {
    this.length = Math.min(this.length, length, STREAM_BYTES);
  }
}

/** Appends a frame of noise. */
function frame(to: Stream, random: Random, flags: number, size: number): void {
  to.header(flags, size, size > 255 || random.chance(15));
  const start = random.bits();
  for (let i = 0; i < size; i++) to.octets((start + i * 7) & 255);
}

function bodySize(random: Random, limits: WireLimits): number {
  const kind = random.below(40);
  if (kind < 10) return 0;
  if (kind < 34) return 1 + random.below(20);
  if (kind === 34) return 255;
  if (kind === 35) return 256;
  const limit = Math.min(300, limits.messageBytes);
  return kind < 39 ? limit : limit + 1;
}

/** Appends a command, nearly always a well-formed one. */
export function command(to: Stream, random: Random): void {
  const kind = random.below(40);
  const name = kind < 22 ? "PING" : random.pick(["PONG", "READY", "ERROR", "XYZ", "PIN"]);
  let extra = name === "PING" ? 2 + random.below(20) : random.below(6);
  if (kind === 0) extra = random.below(2);
  if (kind === 39) extra = random.pick([114, 115, 116]);
  to.header(4, 1 + name.length + extra, random.chance(10));
  to.octets(kind === 38 ? 200 : name.length);
  to.text(name);
  for (let i = 0; i < extra; i++) to.octets(random.below(256));
}

/** Appends a message, with commands between its frames now and then. */
export function message(
  to: Stream,
  random: Random,
  limits: WireLimits,
): void {
  let count = 1 + random.below(4);
  if (random.chance(4)) count = 5 + random.below(2);
  for (let i = 1; i <= count; i++) {
    frame(to, random, i < count ? 1 : 0, bodySize(random, limits));
    if (random.chance(12)) command(to, random);
  }
}

/** Appends messages and commands. */
export function conversation(
  to: Stream,
  random: Random,
  limits: WireLimits,
): void {
  for (let n = 1 + random.below(4); n > 0; n--) {
    if (random.chance(30)) command(to, random);
    else message(to, random, limits);
  }
}

function property(to: Stream, name: string, value: string): void {
  to.octets(name.length);
  to.text(name);
  to.octets(0, 0, value.length >> 8, value.length & 255);
  to.text(value);
}

/** Appends a greeting and what stands where READY should: mostly a legal READY. */
export function hello(to: Stream, random: Random): void {
  to.copy(DEALER_GREETING);
  for (let i = 1; i < 9; i++) to.bytes[i] = random.below(256);
  if (random.chance(10)) to.bytes[10] = 3 + random.below(3);
  if (random.chance(2)) to.bytes[10] = random.below(3);
  if (random.chance(4)) return message(to, random, LOOSE);
  if (random.chance(6)) return command(to, random);
  const body = new Stream();
  body.octets(5);
  body.text(random.chance(4) ? "ERROR" : "READY");
  const types = ["DEALER", "REQ", "ROUTER", "DEALER", "REQ", "REP", "PUB"];
  const names = ["Socket-Type", "socket-type", "SOCKET-TYPE"];
  if (!random.chance(3)) property(body, random.pick(names), random.pick(types));
  if (random.chance(15)) property(body, "X-Other", "value");
  const identities = ["", "client-7", "i".repeat(255), "i".repeat(256), "\0a"];
  if (random.chance(70)) {
    property(body, "Identity", random.pick(identities));
  }
  to.header(4, body.length);
  to.copy(body.bytes.subarray(0, body.length));
}

const LOOSE: WireLimits = {
  frameBytes: -1,
  messageBytes: 1000,
  messageFrames: 100,
  commandBytes: 1000,
};

/** A place to change: early ones are likelier, since a fault hides what follows. */
function place(stream: Stream, random: Random): number {
  const span = random.chance(50) ? Math.min(stream.length, 80) : stream.length;
  return random.below(Math.max(1, span));
}

function lie(stream: Stream, random: Random, limits: WireLimits): void {
  if (stream.frames.length === 0) return;
  const at = random.pick(stream.frames);
  const flags = stream.bytes[at]!;
  if ((flags & 2) === 0) stream.open(at + 1, 7);
  stream.bytes[at] = flags | 2;
  const { frameBytes, messageBytes, commandBytes } = limits;
  const near = [frameBytes, messageBytes, commandBytes];
  const size = random.chance(40)
    ? random.pick(HUGE)
    : BigInt(Math.max(0, random.pick(near) + random.below(2)));
  new DataView(stream.bytes.buffer).setBigUint64(at + 1, size);
}

/** Changes a stream in one way. */
export function mutate(
  stream: Stream,
  other: Stream,
  random: Random,
  limits: WireLimits,
): void {
  const at = place(stream, random);
  const count = Math.min(1 + random.below(24), stream.length - at);
  const bytes = stream.bytes;
  switch (random.below(8)) {
    case 0:
    case 1:
      bytes[at] = bytes[at]! ^ (1 << random.below(8));
      break;
    case 2:
      stream.cut(at);
      break;
    case 3: // Twice the same octets.
      stream.open(at, count);
      break;
    case 4:
      stream.open(at, count);
      for (let i = 0; i < count; i++) bytes[at + i] = random.below(256);
      break;
    case 5: { // The rest of another stream.
      const from = random.below(other.length + 1);
      stream.length = at;
      stream.copy(other.bytes.subarray(from, other.length));
      break;
    }
    case 6:
      lie(stream, random, limits);
      break;
    default:
      if (stream.frames.length > 0) {
        bytes[random.pick(stream.frames)] = random.chance(70) ? random.below(8) : random.below(256);
      }
  }
  stream.cut(STREAM_BYTES);
}
