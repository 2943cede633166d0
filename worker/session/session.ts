/**
 * One worker's conversation with its broker, without socket and clock: what it says when, whether the
 * broker lives, and which jobs came. Events and the time go in, calls of the sink come out.
 *
 * @module
 */
import { readDecimal } from "../../protocol/dialogue/decimal.ts";
import { isJobId } from "../../protocol/dialogue/job_id.ts";
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
} from "../../protocol/dialogue/words.ts";
import { fullJitter } from "../../protocol/time/backoff.ts";
import { NO_BYTES } from "../../protocol/zmtp/memory.ts";
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";
import { SessionPhase } from "./phase.ts";
import type { SessionSettings, SessionSink } from "./sink.ts";

/** Refusals that pass: somebody leaves, or a limit is no longer reached. */
const PASSING: ReadonlySet<string> = new Set([
  "address-in-use",
  "too-many-workers",
  "too-many-services",
]);
/** A worker that was refused asks again after a while that grows up to this. */
const ASK_AGAIN_MS = 1000;
const ASK_AGAIN_MAX_MS = 30_000;
/** Heartbeats within the broker's patience. */
const PINGS_WITHIN = 3;
/** However short the broker's patience is, the worker has other things to do. */
const SHORTEST_HEARTBEAT = 1;
/** The most credit that one message may give. */
const MOST_CREDIT = 1e9;

/** One conversation. */
export class Session {
  readonly #settings: SessionSettings;
  readonly #sink: SessionSink;
  readonly #phase = new SessionPhase();
  /** Whether it wants to be in the table. */
  #wanted: boolean;
  /** Whether it was in a table before: then no refusal is the last word. */
  #wasIn = false;
  /** Whether this broker has taken it in on this connection: only then do its jobs count. */
  #welcome = false;
  #heartbeat: number;
  #heard = 0;
  #pinged = 0;
  #askAt = Infinity;
  #refusals = 0;
  /** PINGs that aren't answered, and how many of these answers come before it has left. */
  #unanswered = 0;
  #barrier = 0;
  /** Jobs that aren't answered: a READY worker is silent meanwhile. */
  #working = 0;
  /** Jobs that REGISTER didn't count: their slots count as free already. */
  #uncounted = 0;
  #freed = 0;

  constructor(settings: SessionSettings, sink: SessionSink, wanted: boolean) {
    this.#settings = settings;
    this.#sink = sink;
    this.#wanted = wanted;
    this.#heartbeat = settings.heartbeat;
  }

  /** Whether it is in the broker's table, as far as it knows. */
  get registered(): boolean {
    return this.#phase.now === "in";
  }

  /** Whether a broker may still give it jobs. */
  get expectsJobs(): boolean {
    return this.#phase.now === "asking" || this.#phase.now === "in" ||
      this.#phase.now === "leaving";
  }

  /** The connection is up. */
  opened(now: number): void {
    this.#phase.go("stranger");
    this.#heard = this.#pinged = now;
    if (this.#wanted) this.#ask(now);
  }

  /** The connection is gone, and every job of it with it. */
  closed(): void {
    if (this.#phase.now === "away") return;
    const leaving = this.#phase.now === "leaving";
    this.#phase.go("away");
    this.#forget();
    if (leaving) this.#sink.left();
  }

  /** Wants to be in the table from now on. */
  register(now: number): void {
    this.#wanted = true;
    if (this.#phase.now === "stranger" || this.#phase.now === "out") this.#ask(now);
  }

  /** Wants no more jobs. */
  deregister(now: number): void {
    this.#wanted = false;
    if (this.#phase.now === "refused") this.#phase.go("stranger");
    if (this.#phase.now !== "asking" && this.#phase.now !== "in") return;
    this.#phase.go("leaving");
    if (this.#settings.dialect === "ready") return this.#partIfIdle();
    this.#send(DEREGISTER, this.#settings.address);
    // What the broker says before it answers this PING may still be jobs.
    this.#ping(now);
    this.#barrier = this.#unanswered;
  }

  /** An answer to a job of the round-robin dialogue, whole or in part. */
  answer(id: Uint8Array, frames: readonly Uint8Array[]): void {
    this.#send(id, NO_BYTES, ...frames);
  }

  /** The result of a job of the ping-pong dialogue. */
  result(frames: readonly Uint8Array[], now: number): void {
    this.#heard = this.#pinged = now;
    this.#send(...(frames.length > 0 ? frames : [NO_BYTES]));
  }

  /** A job is over: its slot is free. Slots freed in one turn are told together. */
  finished(): void {
    this.#working--;
    if (this.#uncounted > 0) this.#uncounted--;
    else this.#freed++;
  }

  /** The end of a turn: tells which slots became free in it. */
  flush(): void {
    const count = this.#freed;
    this.#freed = 0;
    const { dialect, address } = this.#settings;
    if (dialect === "ready") return this.#partIfIdle();
    if (count === 1) this.#send(INCREMENT, address);
    else if (count > 1) this.#send(INCREMENT, octets(String(count)), address);
  }

  /** The broker said something. */
  received(message: MessageView, now: number): void {
    this.#heard = now;
    const { count, starts, ends, bytes } = message;
    // Everything begins with the delimiter that every worker's envelope is.
    if (count < 2 || starts[0] !== ends[0]) return this.#sink.ignored("no envelope");
    if (count === 2 && isWord(message, 1, PONG)) return this.#ponged(now);
    if (count === 2 && isWord(message, 1, EXIT)) return this.#sink.exit();
    if (this.#settings.dialect === "ready") return this.#readyJob(message);
    if (count > 3 && isJobId(bytes, starts[1]!, ends[1]!) && starts[2] === ends[2]) {
      return this.#about(frameOf(message, 1), message);
    }
    if (count >= 4 && isWord(message, 1, REGISTERED)) this.#accepted(message);
    else if (count === 4 && isWord(message, 1, REFUSED)) this.#refused(message, now);
    else this.#sink.ignored("not understood");
  }

  /** When to look at the clock again. */
  get nextDue(): number {
    if (this.#phase.now === "refused") return this.#askAt;
    if (!this.#listens) return Infinity;
    const silence = this.#heard + this.#patience;
    return this.#phase.isKnown ? Math.min(this.#pinged + this.#heartbeat, silence) : silence;
  }

  /** Pings, asks again, and notices a broker that is gone. */
  tick(now: number): void {
    const due = this.nextDue;
    if (now < due) return;
    if (this.#phase.now === "refused") return this.#ask(now);
    const { brokerTimeout } = this.#settings;
    if (now >= this.#heard + this.#patience) {
      const late = now - due > brokerTimeout / 2;
      if (!late) return this.#sink.lost(this.#phase.now === "asking");
      // The process stood still: what the broker said meanwhile waits to be read.
      this.#heard = now - this.#patience + brokerTimeout;
    }
    if (this.#phase.isKnown && now >= this.#pinged + this.#heartbeat) this.#ping(now);
  }

  /** Whether the broker's silence means something. A READY worker hears nothing while it works. */
  get #listens(): boolean {
    if (this.#settings.dialect === "ready" && this.#working > 0) return false;
    return this.#phase.now === "asking" || this.#phase.isKnown;
  }

  get #patience(): number {
    return this.#settings.brokerTimeout * this.#settings.timeouts;
  }

  #send(...frames: readonly Uint8Array[]): void {
    this.#sink.send([NO_BYTES, ...frames]);
  }

  #ask(now: number): void {
    this.#phase.go("asking");
    this.#heard = now;
    this.#uncounted = this.#working;
    this.#freed = 0;
    const { dialect, slots, services, address, pingsWorking } = this.#settings;
    if (dialect === "ready") return this.#send(READY);
    const options = services.map((name) => octets(`service=${name}`));
    if (pingsWorking) options.push(octets("heartbeat=working"));
    options.push(octets("rota=1"));
    this.#send(REGISTER, octets(String(slots)), ...options, address);
  }

  #ping(now: number): void {
    this.#pinged = now;
    this.#sink.pinged();
    if (this.#settings.dialect === "ready") return this.#send(PING);
    this.#unanswered++;
    this.#send(PING, this.#settings.address);
  }

  #ponged(now: number): void {
    this.#sink.ponged();
    if (this.#settings.dialect === "ready") {
      if (this.#phase.now === "asking") this.#join(now);
      return;
    }
    this.#answered(now);
  }

  /** One PING has its answer. The one that followed DEREGISTER says that all jobs have come. */
  #answered(now: number): void {
    if (this.#unanswered > 0) this.#unanswered--;
    if (this.#phase.now !== "leaving" || --this.#barrier > 0) return;
    this.#phase.go("out");
    this.#sink.left();
    if (this.#wanted) this.#ask(now);
  }

  #join(now: number): void {
    this.#phase.go("in");
    this.#wasIn = this.#welcome = true;
    this.#refusals = 0;
    this.#pinged = now;
    this.#sink.registered();
  }

  #accepted(message: MessageView): void {
    const heartbeat = this.#heartbeatFor(message);
    if (this.#phase.now === "asking") {
      this.#heartbeat = heartbeat;
      this.#join(this.#heard);
    } else if (this.#phase.now === "leaving") {
      // It had asked to leave before it was in: jobs may come between the two.
      this.#welcome = true;
    } else this.#sink.ignored("REGISTERED that nobody asked for");
  }

  /** REGISTERED tells when the broker would take the worker for dead: it pings thrice within that. */
  #heartbeatFor(message: MessageView): number {
    for (let i = 2; i < message.count - 1; i++) {
      const option = new TextDecoder().decode(frameOf(message, i));
      const seconds = option.startsWith("expire=") ? Number(option.slice("expire=".length)) : 0;
      if (!(seconds > 0)) continue;
      const most = Math.max(SHORTEST_HEARTBEAT, (seconds * 1000) / PINGS_WITHIN);
      return Math.min(this.#settings.heartbeat, most);
    }
    return this.#settings.heartbeat;
  }

  #refused(message: MessageView, now: number): void {
    const reason = new TextDecoder().decode(frameOf(message, 2));
    if (reason === "unknown") return this.#unknown(now);
    if (this.#phase.now === "leaving") return this.#sink.refused(reason, undefined);
    if (this.#phase.now !== "asking") return this.#sink.ignored("REFUSED that nobody asked for");
    if (!PASSING.has(reason) && !this.#wasIn) {
      this.#wanted = false;
      this.#phase.go("stranger");
      return this.#sink.refused(reason, undefined);
    }
    const { random } = this.#settings;
    const wait = fullJitter(this.#refusals++, ASK_AGAIN_MS, ASK_AGAIN_MAX_MS, random());
    this.#phase.go("refused");
    this.#askAt = now + wait;
    this.#sink.refused(reason, wait);
  }

  /** The answer to a PING of somebody whom the broker doesn't know, such as after its restart. */
  #unknown(now: number): void {
    if (this.#phase.now === "leaving") return this.#answered(now);
    if (this.#phase.now !== "in" && this.#phase.now !== "out") return;
    this.#phase.go("stranger");
    this.#forget();
    if (this.#wanted) this.#ask(now);
  }

  #forget(): void {
    this.#welcome = false;
    this.#working =
      this.#uncounted =
      this.#freed =
      this.#unanswered =
      this.#barrier =
        0;
    this.#sink.forgotten();
  }

  /** A READY worker has no word for leaving: it goes when its job is done. */
  #partIfIdle(): void {
    if (this.#phase.now === "leaving" && this.#working === 0) this.#sink.part();
  }

  #readyJob(message: MessageView): void {
    if (this.#phase.now === "asking") this.#join(this.#heard);
    if (!this.#welcome) return this.#sink.ignored("a job before PONG");
    this.#working++;
    this.#sink.job(undefined, message, 1);
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
    if (!this.#welcome) return this.#sink.ignored("a job before REGISTERED");
    this.#working++;
    this.#sink.job(id, message, 3);
  }
}
