/**
 * One worker's conversation with its broker, without socket and clock: what it says when, whether the
 * broker lives, and which jobs came. Events and the time go in, calls of the sink come out.
 *
 * @module
 */
import { readDecimal } from "../protocol/dialogue/decimal.ts";
import { isJobId } from "../protocol/dialogue/job_id.ts";
import {
  CANCEL,
  CREDIT,
  DEREGISTER,
  EXIT,
  frameOf,
  INCREMENT,
  isWord,
  octets,
  PING,
  PONG,
  READY,
  REFUSED,
  REGISTER,
  REGISTERED,
  SIGNATURE,
} from "../protocol/dialogue/words.ts";
import { NO_BYTES } from "../protocol/zmtp/memory.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";

/** How the worker speaks: with slots of its own, or with the one slot of the ping-pong dialogue. */
export type SessionDialect = "register" | "ready";

/** What a session is told. Times in milliseconds. */
export interface SessionSettings {
  readonly dialect: SessionDialect;
  readonly slots: number;
  readonly services: readonly string[];
  readonly address: Uint8Array;
  /** Whether it pings while it works: only where handlers can't keep it from doing so. */
  readonly pingsWorking: boolean;
  readonly heartbeat: number;
  readonly brokerTimeout: number;
  readonly timeouts: number;
}

/** Who is told what comes of the conversation. */
export interface SessionSink {
  /** A message to the broker. */
  send(frames: readonly Uint8Array[]): void;
  /** The worker is in the broker's table. */
  registered(): void;
  /** The broker won't have it; `again` if asking later may help. */
  refused(reason: string, again: boolean): void;
  /** A job: frames of the message from `first` on. A READY worker's jobs have no id. */
  job(id: Uint8Array | undefined, message: MessageView, first: number): void;
  /** A job isn't wanted any more. */
  cancel(id: Uint8Array): void;
  /** So many more chunks of a job may be sent. */
  credit(id: Uint8Array, count: number): void;
  /** The broker wants the worker to leave. */
  exit(): void;
  /** Nothing was heard of the broker for too long: the connection is to be made anew. */
  lost(): void;
}

/** Refusals that the holder of an address may resolve by leaving. */
const PASSING: ReadonlySet<string> = new Set(["address-in-use", "too-many-workers"]);
/** The most credit that one message may give. */
const MOST_CREDIT = 1e9;

type Phase = "away" | "asking" | "in" | "out";

/** One conversation. */
export class Session {
  readonly #settings: SessionSettings;
  readonly #sink: SessionSink;
  #phase: Phase = "away";
  /** Whether it wants to be in the table. */
  #wanted = true;
  #heartbeat: number;
  #heard = 0;
  #pinged = 0;
  /** Jobs that aren't answered: a READY worker is silent meanwhile. */
  #working = 0;
  #freed = 0;

  constructor(settings: SessionSettings, sink: SessionSink, wanted: boolean) {
    this.#settings = settings;
    this.#sink = sink;
    this.#wanted = wanted;
    this.#heartbeat = settings.heartbeat;
  }

  /** Whether it is in the broker's table, as far as it knows. */
  get registered(): boolean {
    return this.#phase === "in";
  }

  /** The connection is up. */
  opened(now: number): void {
    this.#phase = "out";
    this.#heard = this.#pinged = now;
    this.#working = this.#freed = 0;
    if (this.#wanted) this.#ask();
  }

  /** The connection is gone, and every job of it with it. */
  closed(): void {
    this.#phase = "away";
    this.#working = this.#freed = 0;
  }

  /** Wants to be in the table from now on. */
  register(): void {
    this.#wanted = true;
    if (this.#phase === "out") this.#ask();
  }

  /** Wants no more jobs. */
  deregister(): void {
    this.#wanted = false;
    const { dialect, address } = this.#settings;
    if (this.#phase === "away" || this.#phase === "out") return;
    this.#phase = "out";
    // The ping-pong dialogue has no word for it: a worker that doesn't ping is forgotten.
    if (dialect === "register") this.#send(DEREGISTER, address);
  }

  /** An answer to a job of the round-robin dialogue, whole or in part. */
  answer(id: Uint8Array, frames: readonly Uint8Array[]): void {
    if (this.#phase !== "away") this.#send(id, NO_BYTES, ...frames);
  }

  /** A job is over: its slot is free. Slots freed in one turn are told together. */
  finished(): void {
    if (this.#phase === "away") return;
    this.#working = Math.max(0, this.#working - 1);
    this.#freed++;
  }

  /** The result of a job of the ping-pong dialogue. */
  result(frames: readonly Uint8Array[], now: number): void {
    if (this.#phase === "away") return;
    this.#working = 0;
    this.#heard = now;
    this.#send(...(frames.length > 0 ? frames : [NO_BYTES]));
  }

  /** The end of a turn: tells which slots became free in it. */
  flush(): void {
    if (this.#freed === 0) return;
    const count = this.#freed;
    this.#freed = 0;
    if (this.#phase === "away" || this.#settings.dialect === "ready") return;
    const { address } = this.#settings;
    if (count === 1) this.#send(INCREMENT, address);
    else this.#send(INCREMENT, octets(String(count)), address);
  }

  /** The broker said something. */
  received(message: MessageView, now: number): void {
    this.#heard = now;
    // Everything begins with the delimiter that every worker's envelope is.
    if (message.count < 2 || message.starts[0] !== message.ends[0]) return;
    const { count } = message;
    if (count === 2 && isWord(message, 1, PONG)) return this.#ponged();
    if (count === 2 && isWord(message, 1, EXIT)) return this.#sink.exit();
    if (this.#settings.dialect === "ready") {
      this.#working++;
      return this.#sink.job(undefined, message, 1);
    }
    const { starts, ends, bytes } = message;
    if (count > 3 && isJobId(bytes, starts[1]!, ends[1]!) && starts[2] === ends[2]) {
      return this.#about(frameOf(message, 1), message);
    }
    if (isWord(message, 1, REGISTERED)) this.#accepted(message);
    else if (isWord(message, 1, REFUSED)) this.#refused(message);
  }

  /** When to look at the clock again. */
  get nextDue(): number {
    if (this.#phase === "away") return Infinity;
    return Math.min(this.#pinged + this.#heartbeat, this.#heard + this.#patience);
  }

  /** The worker itself stood still: what the broker said meanwhile has yet to be read. */
  stoodStill(now: number): void {
    this.#heard = now;
  }

  /** Pings, and notices a broker that is gone. */
  tick(now: number): void {
    if (this.#phase === "away") return;
    const { dialect } = this.#settings;
    if (dialect === "ready" && this.#working > 0) {
      // It neither pings nor hears anything while it works: the silence is its own.
      this.#heard = this.#pinged = now;
      return;
    }
    if (now >= this.#heard + this.#patience) return this.#sink.lost();
    if (now < this.#pinged + this.#heartbeat) return;
    this.#pinged = now;
    if (this.#phase === "asking") return this.#ask();
    if (dialect === "ready") {
      if (this.#phase === "in") this.#send(PING);
      else this.#heard = now;
    } else this.#send(PING, this.#settings.address);
  }

  get #patience(): number {
    return this.#settings.brokerTimeout * this.#settings.timeouts;
  }

  #send(...frames: readonly Uint8Array[]): void {
    this.#sink.send([NO_BYTES, ...frames]);
  }

  #ask(): void {
    this.#phase = "asking";
    const { dialect, slots, services, address, pingsWorking } = this.#settings;
    if (dialect === "ready") return this.#send(READY);
    const options = services.map((name) => octets(`service=${name}`));
    if (pingsWorking) options.push(octets("heartbeat=working"));
    options.push(octets("rota=1"));
    this.#send(REGISTER, octets(String(slots)), ...options, address);
  }

  #ponged(): void {
    if (this.#settings.dialect !== "ready" || this.#phase !== "asking") return;
    this.#phase = "in";
    this.#sink.registered();
  }

  #accepted(message: MessageView): void {
    if (this.#phase !== "asking") return;
    this.#phase = "in";
    for (let i = 2; i < message.count - 1; i++) this.#learn(frameOf(message, i));
    this.#sink.registered();
  }

  /** The broker tells when it would take the worker for dead: it is pinged three times within that. */
  #learn(option: Uint8Array): void {
    const text = new TextDecoder().decode(option);
    if (!text.startsWith("expire=")) return;
    const seconds = Number(text.slice("expire=".length));
    if (!(seconds > 0)) return;
    this.#heartbeat = Math.min(this.#settings.heartbeat, (seconds * 1000) / 3);
  }

  #refused(message: MessageView): void {
    const reason = new TextDecoder().decode(frameOf(message, 2));
    // After a restart the broker doesn't know who pings it: the worker says who it is.
    if (reason === "unknown") {
      this.#phase = "out";
      if (this.#wanted) this.#ask();
      return;
    }
    if (this.#phase !== "asking") return;
    const again = PASSING.has(reason);
    if (!again) this.#wanted = false;
    this.#phase = again ? "asking" : "out";
    this.#sink.refused(reason, again);
  }

  /** A job, or something about one that runs. */
  #about(id: Uint8Array, message: MessageView): void {
    const { count, bytes, starts, ends } = message;
    const native = isWord(message, 3, SIGNATURE);
    if (native && count === 5 && isWord(message, 4, CANCEL)) return this.#sink.cancel(id);
    if (native && count === 6 && isWord(message, 4, CREDIT)) {
      const more = readDecimal(bytes, starts[5]!, ends[5]!, MOST_CREDIT);
      if (more > 0) this.#sink.credit(id, more);
      return;
    }
    this.#working++;
    this.#sink.job(id, message, 3);
  }
}
