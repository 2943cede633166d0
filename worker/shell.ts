/**
 * The worker's inside: one connection to a broker, a session that speaks for it, a desk that keeps
 * its jobs, and a runner that does them. It comes back by itself when the broker was away.
 *
 * @module
 */
import { octets } from "../protocol/dialogue/words.ts";
import { Engine } from "../protocol/engine/engine.ts";
import type { Event } from "../protocol/engine/events.ts";
import type { Peer } from "../protocol/engine/peer.ts";
import { defaultSettings, type EngineHandler } from "../protocol/engine/settings.ts";
import { denoIo } from "../protocol/io/deno_io.ts";
import type { Io, TimerId } from "../protocol/io/io.ts";
import { PASSED_ON_LIMITS } from "../protocol/zmtp/limits.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import { Bell } from "./bell.ts";
import { BlockWatch } from "./block_watch.ts";
import { Desk, type Replies } from "./desk.ts";
import { readJob } from "./job_message.ts";
import { Journal } from "./journal.ts";
import { LocalRunner } from "./local_runner.ts";
import { News } from "./news.ts";
import { type CheckedWorkerOptions, checkWorkerOptions, type WorkerOptions } from "./options.ts";
import type { Runner } from "./run.ts";
import { Session } from "./session/session.ts";
import type { SessionSink } from "./session/sink.ts";
import type { WorkerStatus } from "./status.ts";
import { ThreadPool } from "./thread_pool.ts";

/** Reconnects are spread from nothing up to this. */
const RECONNECT_MS = 100;
const RECONNECT_MAX_MS = 30_000;
/** How long the last words may take to go out, and handlers to end that were told to. */
const FAREWELL_MS = 1000;

/** What stands behind a `Worker`. */
export class WorkerShell implements EngineHandler, SessionSink {
  /** Resolves when the worker has left, by `close()` or because the broker said EXIT. */
  readonly closed: Promise<void>;
  readonly #io: Io;
  readonly #options: CheckedWorkerOptions;
  readonly #journal: Journal;
  readonly #news: News;
  readonly #address: string;
  readonly #watch: BlockWatch;
  readonly #runner: Runner;
  readonly #session: Session;
  readonly #desk: Desk;
  readonly #engine: Engine;
  /** Rung when the broker has taken it in, when no more jobs will come, and when none is here. */
  readonly #onRegistered = new Bell();
  readonly #onLeft = new Bell();
  readonly #onIdle = new Bell();
  #peer: Peer | undefined;
  #timer: TimerId | undefined;
  #timerAt = Infinity;
  #redial: TimerId | undefined;
  #flushing = false;
  #ending: Promise<void> | undefined;
  /** Ends the wait that `close()` is in. */
  #hurry: () => void = () => {};
  #finish!: () => void;

  constructor(options: WorkerOptions) {
    const checked = this.#options = checkWorkerOptions(options);
    const io = this.#io = options.io ?? denoIo();
    const journal = this.#journal = new Journal(options.onLog, checked.debug, io);
    // The same for all connections of this worker, and for no other: the broker knows who comes back.
    // A READY worker has no other name.
    const named = checked.dialect === "ready" ? checked.address : undefined;
    const identity = named ?? randomName(io);
    this.#address = checked.address ?? identity;
    const news = this.#news = new News(journal, { ...checked, address: this.#address });
    this.#watch = new BlockWatch((handler, milliseconds) => news.blocked(handler, milliseconds));
    this.#runner = this.#newRunner();
    this.#session = new Session(
      {
        ...checked,
        address: octets(this.#address),
        pingsWorking: checked.threads > 0,
        random: () => io.random(),
      },
      this,
      !checked.manual,
    );
    this.#desk = new Desk({
      runner: this.#runner,
      replies: this.#replies(),
      journal,
      slots: checked.slots,
      now: () => io.now(),
    });
    this.#engine = new Engine(io, {
      ...defaultSettings("DEALER"),
      limits: PASSED_ON_LIMITS,
      identity: octets(identity),
      sendHighWaterMark: 0,
      reconnectInterval: RECONNECT_MS,
      reconnectMaxInterval: RECONNECT_MAX_MS,
      fullJitter: true,
    }, this);
    this.closed = new Promise((resolve) => this.#finish = resolve);
  }

  /** Connects; resolves once it is registered, or at once if that is left to others. */
  async start(signal: AbortSignal | undefined): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const give = () => aborted.reject(signal!.reason);
    signal?.addEventListener("abort", give, { once: true });
    try {
      await Promise.race([this.#begin(), aborted.promise]);
    } catch (error) {
      await this.close(true);
      throw error;
    } finally {
      signal?.removeEventListener("abort", give);
    }
  }

  /** What it is doing. */
  get status(): WorkerStatus {
    const { broker, dialect, slots, threads } = this.#options;
    return {
      address: this.#address,
      broker,
      dialect,
      slots,
      threads,
      connected: this.#peer !== undefined,
      registered: this.#session.registered,
      running: this.#desk.running,
      completed: this.#desk.completed,
      failed: this.#desk.failed,
    };
  }

  /** Asks to be in the broker's table; resolves once it is. */
  register(): Promise<void> {
    if (this.#ending !== undefined) {
      return Promise.reject(new Error("Cannot register: the worker is closed"));
    }
    if (this.#session.registered) return Promise.resolve();
    const registered = this.#onRegistered.wait();
    this.#session.register(this.#engine.now());
    this.#arm();
    return registered;
  }

  /** Wants no more jobs; those that run may finish. Resolves when no more will come. */
  deregister(): Promise<void> {
    this.#onRegistered.fail(new Error("Cannot register: the worker was told to leave"));
    const left = this.#onLeft.wait();
    this.#session.deregister(this.#engine.now());
    this.#arm();
    if (!this.#session.expectsJobs) this.#onLeft.ring();
    return left;
  }

  /** Leaves; with `now` nothing is waited for. */
  close(now: boolean): Promise<void> {
    this.#ending ??= this.#end(now);
    if (now) this.#hurry();
    return this.#ending;
  }

  onOpen(peer: Peer): boolean {
    this.#peer = peer;
    this.#news.connected();
    this.#session.opened(this.#engine.now());
    this.#arm();
    return true;
  }

  onMessage(_peer: Peer, message: MessageView): void {
    this.#news.heard(message);
    this.#session.received(message, this.#engine.now());
    this.#arm();
  }

  onRoom(): void {}

  onGone(peer: Peer): void {
    // What was said to one broker makes no sense to the next.
    peer.drop();
    if (this.#peer === undefined) return;
    this.#peer = undefined;
    this.#session.closed();
    if (this.#ending === undefined) this.#news.gone();
  }

  onEvent(event: Event): void {
    if (this.#ending !== undefined) return;
    if (event.type === "close") return this.#dialLater();
    if (!("error" in event) || event.error === undefined || event.type === "disconnect") return;
    this.#news.notReached(event.error);
  }

  send(frames: readonly Uint8Array[]): void {
    this.#news.said(frames);
    this.#peer?.send(frames);
  }

  pinged(): void {
    this.#news.pinged();
  }

  ponged(): void {
    this.#news.ponged();
  }

  registered(): void {
    this.#news.registered();
    this.#onRegistered.ring();
  }

  refused(reason: string, again: number | undefined): void {
    this.#news.refused(reason, again);
    if (again !== undefined) return;
    this.#onRegistered.fail(new Error(`Cannot register: the broker refused it (${reason})`));
  }

  job(id: Uint8Array | undefined, message: MessageView, first: number): void {
    const data = readJob(message, first);
    if (data !== undefined) this.#desk.take(id, data);
    else if (id !== undefined) this.#desk.refuse(id);
  }

  cancel(id: Uint8Array): void {
    this.#desk.cancel(id, new DOMException("The client cancelled the job", "AbortError"));
  }

  credit(id: Uint8Array, count: number): void {
    this.#desk.credit(id, count);
  }

  left(): void {
    if (this.#ending === undefined) this.#news.left();
    this.#onLeft.ring();
  }

  forgotten(): void {
    const reason = "The connection to the broker is lost, and the job with it";
    this.#desk.forget(new DOMException(reason, "AbortError"));
  }

  part(): void {
    this.#peer?.end();
  }

  exit(): void {
    this.#news.toldToLeave();
    this.close(false);
  }

  lost(asking: boolean): void {
    this.#news.silent(asking);
    // Somebody between us and the broker may hold on to our old name, and let no other have it.
    if (asking && this.#options.dialect === "register") {
      this.#engine.settings.identity = octets(randomName(this.#io));
    }
    this.#peer?.close();
  }

  ignored(what: string): void {
    this.#news.ignored(what);
  }

  #newRunner(): Runner {
    const { module, threads, handlers, defaultHandler: fallback } = this.#options;
    const io = this.#io;
    if (module === undefined) {
      const onBusy = (command: string, ms: number) => this.#watch.ran(command, ms);
      return new LocalRunner({ io, handlers, fallback, onBusy });
    }
    const onFault = (event: string, message: string) => this.#news.fault(event, message);
    return new ThreadPool({ io, module, threads, onFault });
  }

  #replies(): Replies {
    return {
      answer: (id, frames) => this.#session.answer(id, frames),
      result: (frames) => this.#session.result(frames, this.#engine.now()),
      finished: () => this.#freed(),
      idle: () => this.#onIdle.ring(),
    };
  }

  async #begin(): Promise<void> {
    await this.#runner.ready;
    if (this.#ending !== undefined) return;
    const registered = this.#options.manual ? undefined : this.#onRegistered.wait();
    this.#engine.connect(this.#options.broker);
    await registered;
  }

  async #end(now: boolean): Promise<void> {
    const left = this.deregister();
    if (!now) {
      const until = this.#io.now() + this.#options.drain;
      await this.#within(FAREWELL_MS, left);
      if (this.#desk.size > 0) await this.#within(until - this.#io.now(), this.#onIdle.wait());
    }
    // The broker gives what isn't finished to others when the connection is gone.
    this.#desk.stop(new DOMException("The worker shuts down", "AbortError"));
    await this.#engine.close(now ? 0 : FAREWELL_MS, true);
    if (!now && this.#desk.size > 0) await this.#within(FAREWELL_MS, this.#onIdle.wait());
    for (const timer of [this.#timer, this.#redial]) {
      if (timer !== undefined) this.#io.clearTimer(timer);
    }
    await this.#runner[Symbol.asyncDispose]();
    this.#journal.close();
    this.#finish();
  }

  /** Waits, but not for long, and not if there is a hurry. */
  #within(milliseconds: number, promise: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#io.clearTimer(timer);
        this.#hurry = () => {};
        resolve();
      };
      const timer = this.#io.setTimer(done, Math.max(0, milliseconds));
      this.#hurry = done;
      promise.then(done, done);
    });
  }

  /** A slot is free, which is told at the end of this turn. */
  #freed(): void {
    this.#session.finished();
    if (this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => {
      this.#flushing = false;
      this.#session.flush();
      this.#arm();
    });
  }

  /** The broker doesn't want to shake hands: that may pass. */
  #dialLater(): void {
    const { broker } = this.#options;
    const wait = RECONNECT_MAX_MS * this.#io.random();
    this.#news.handshakeRefused(wait);
    this.#redial = this.#io.setTimer(() => this.#engine.connect(broker), wait);
  }

  #arm(): void {
    const due = this.#session.nextDue;
    if (due >= this.#timerAt) return;
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    this.#timerAt = due;
    this.#timer = this.#io.setTimer(() => this.#tick(), Math.max(0, due - this.#engine.now()));
  }

  #tick(): void {
    const now = this.#engine.now();
    const commands = this.#desk.takeCommands();
    if (this.#options.threads === 0) this.#watch.late(now - this.#timerAt, commands);
    this.#timer = undefined;
    this.#timerAt = Infinity;
    this.#session.tick(now);
    this.#arm();
  }
}

/** A name that no other worker has. */
function randomName(io: Io): string {
  let text = "worker-";
  for (let i = 0; i < 10; i++) text += Math.floor(io.random() * 36).toString(36);
  return text;
}
