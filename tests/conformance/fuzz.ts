/**
 * The fuzzer of the wire: streams, most of them broken, cut at random and fed to a Connection.
 * What comes of each must be what the naive reference says, and memory must stay in bounds.
 *
 * @module
 */
import { Budget } from "../../protocol/engine/budget.ts";
import { FAULTS, ProtocolError } from "../../protocol/errors.ts";
import { Connection, type ConnectionEvents, type Ignored } from "../../protocol/zmtp/connection.ts";
import { FIRST_INPUT_BYTES, InputBuffer, READ_BYTES } from "../../protocol/zmtp/input_buffer.ts";
import { WIRE_LIMITS, type WireLimits } from "../../protocol/zmtp/limits.ts";
import { MessageReader, type MessageView } from "../../protocol/zmtp/message_reader.ts";
import { encodeReady, NullMechanism } from "../../protocol/zmtp/null_mechanism.ts";
import { OutputBatch } from "../../protocol/zmtp/output_batch.ts";
import { Random } from "./random.ts";
import { expected, latin1, messageText } from "./reference.ts";
import { conversation, hello, mutate, Stream } from "./streams.ts";
import { framesOf } from "./talk.ts";
import { DEALER_GREETING, DEALER_READY, join, toHex } from "./vectors.ts";

/** Limits that short streams reach. */
const SMALL: WireLimits = {
  frameBytes: 300,
  messageBytes: 500,
  messageFrames: 5,
  commandBytes: 120,
};
const READY = encodeReady("ROUTER", new Uint8Array());
const OPENING = join(DEALER_GREETING, DEALER_READY);

/** A first output buffer, as a peer takes it. */
const FIRST_OUTPUT_BYTES = 2 * 1024;
/**
 * Most octets that one connection may hold of the budget: two input buffers while one replaces the
 * other, and its answers.
 */
export const PEAK_BYTES = READ_BYTES + 8 * FIRST_INPUT_BYTES + 4 * FIRST_OUTPUT_BYTES;

/** What is ignored and counted rather than punished. */
const IGNORED: readonly Ignored[] = ["second-ready", "error", "unknown-command", "long-context"];

/** Records what a Connection says, in the reference's words. Its output comes from the budget. */
class Record implements ConnectionEvents {
  log = "";
  connection: Connection | undefined;
  readonly #budget: Budget;
  #out: OutputBatch | undefined;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  onHandshakeBytes(): void {}

  onCommandBytes(bytes: Uint8Array): void {
    const out = this.#out ??= new OutputBatch(this.#budget, FIRST_OUTPUT_BYTES);
    const at = out.length;
    out.raw(bytes, 0, bytes.length);
    this.log += `command ${latin1(out.bytes.subarray(at, out.length))}\n`;
  }

  release(): void {
    this.#out?.release();
  }

  onOpen(): void {
    const { peerType, peerIdentity } = this.connection!;
    this.log += `open ${peerType} ${latin1(peerIdentity)}\n`;
  }

  onMessage(message: MessageView): boolean {
    this.log += messageText(framesOf(message));
    return true;
  }

  onIgnored(what: string): void {
    this.log += `ignored ${what}\n`;
  }
}

/** One case: octets, and where they are cut. */
interface Case {
  readonly bytes: Uint8Array;
  readonly cuts: readonly number[];
  readonly limits: WireLimits;
  /** Whether the handshake is through when these octets come. */
  readonly open: boolean;
  readonly mutated: boolean;
}

/** What a run has seen. */
export interface FuzzResult {
  readonly cases: number;
  readonly mutated: number;
  /** How often each outcome came: messages, need more, each fault, each thing ignored. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Most octets of the budget held at once. */
  readonly peak: number;
}

/** Makes cases from random numbers. */
class Cases {
  readonly #random: Random;
  readonly #stream = new Stream();
  readonly #other = new Stream();

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(): Case {
    const random = this.#random;
    const stream = this.#stream;
    const open = !random.chance(25);
    const limits = random.chance(75) ? SMALL : WIRE_LIMITS;
    stream.clear();
    if (!open) hello(stream, random);
    if (open || random.chance(60)) conversation(stream, random, limits);
    const noise = random.chance(2);
    const mutated = !noise && random.chance(65);
    if (noise) this.#noise();
    if (mutated) this.#mutate(limits);
    const bytes = stream.bytes.slice(0, stream.length);
    return { bytes, cuts: this.#cuts(bytes.length), limits, open, mutated };
  }

  #mutate(limits: WireLimits): void {
    const random = this.#random;
    this.#other.clear();
    conversation(this.#other, random, limits);
    for (let n = 1 + random.below(2); n > 0; n--) {
      mutate(this.#stream, this.#other, random, limits);
    }
  }

  #noise(): void {
    this.#stream.clear();
    for (let n = this.#random.below(80); n > 0; n--) {
      this.#stream.octets(this.#random.below(256));
    }
  }

  #cuts(length: number): number[] {
    const random = this.#random;
    if (length === 0) return [];
    if (length < 200 && random.chance(3)) {
      return Array.from({ length }, (_, i) => i);
    }
    const cuts: number[] = [];
    for (let n = random.below(5); n > 0; n--) cuts.push(random.below(length));
    return cuts.sort((a, b) => a - b);
  }
}

/** Feeds cases to connections and compares. */
class Fuzzer {
  readonly budget = new Budget();
  readonly outcomes = new Map<string, number>();
  mutated = 0;
  readonly #small = new MessageReader(SMALL);
  readonly #large = new MessageReader(WIRE_LIMITS);

  constructor() {
    for (const outcome of ["message", "more", ...FAULTS, ...IGNORED.map(asOutcome)]) {
      this.outcomes.set(outcome, 0);
    }
  }

  /** Throws if the case comes out otherwise than the reference says. */
  run(one: Case): void {
    const record = new Record(this.budget);
    const reader = one.limits === SMALL ? this.#small : this.#large;
    const mechanism = new NullMechanism(READY);
    const settings = { type: "ROUTER", reader } as const;
    const connection = new Connection(settings, mechanism, record);
    record.connection = connection;
    connection.start();
    const input = new InputBuffer(this.budget);
    if (one.open) {
      feed(connection, input, OPENING, 0, OPENING.length);
      record.log = "";
    }
    const end = talk(connection, input, one);
    connection.close();
    input.release();
    record.release();
    const wanted = expected(one.bytes, one.limits, one.open);
    if (wanted.end !== end) throw new Error(`${end}, not ${wanted.end}`);
    if (wanted.log !== record.log) {
      throw new Error(`events ${record.log}, not ${wanted.log}`);
    }
    if (this.budget.used !== 0) throw new Error("memory was not given back");
    if (this.budget.peak > PEAK_BYTES) throw new Error("too much memory");
    this.#count(end);
    if (wanted.messages > 0) this.#count("message");
    for (const what of IGNORED) {
      const outcome = asOutcome(what);
      if (wanted.log.includes(`${outcome}\n`)) this.#count(outcome);
    }
    if (one.mutated) this.mutated++;
  }

  #count(outcome: string): void {
    this.outcomes.set(outcome, this.outcomes.get(outcome)! + 1);
  }
}

/** An ignored thing as the reference's log names it. */
function asOutcome(what: Ignored): string {
  return `ignored ${what}`;
}

/** How the octets of a case end: a fault of the peer or waiting for more. */
function talk(
  connection: Connection,
  input: InputBuffer,
  { bytes, cuts }: Case,
): string {
  try {
    let from = 0;
    for (const cut of cuts) {
      feed(connection, input, bytes, from, cut);
      from = cut;
    }
    feed(connection, input, bytes, from, bytes.length);
    return "more";
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return error.fault;
  }
}

function feed(
  connection: Connection,
  input: InputBuffer,
  bytes: Uint8Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to;) {
    const room = input.room(connection.needed);
    const count = Math.min(room.length, to - at);
    room.set(bytes.subarray(at, at + count));
    input.filled(count, room.length);
    at += count;
    connection.feed(input);
  }
}

/** Runs that many cases. Throws at the first that goes wrong, with all that is needed to repeat it. */
export function fuzz(seed: number, cases: number): FuzzResult {
  const source = new Cases(seed);
  const fuzzer = new Fuzzer();
  for (let i = 0; i < cases; i++) {
    const one = source.next();
    try {
      fuzzer.run(one);
    } catch (error) {
      const limits = one.limits === SMALL ? "small" : "default";
      throw new Error(
        `seed ${seed}, case ${i}, ${limits} limits, ` +
          `${one.open ? "open" : "from the greeting on"}, cut at ` +
          `[${one.cuts}]: ${toHex(one.bytes)}`,
        { cause: error },
      );
    }
  }
  const { outcomes, mutated, budget: { peak } } = fuzzer;
  return { cases, mutated, outcomes, peak };
}
