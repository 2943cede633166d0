/**
 * The worker's inside: one connection to a broker, a session that speaks for it, and a runner that
 * does the work. It comes back by itself when the broker was away.
 *
 * @module
 */
import { ERROR, octets, RESPONSE, SIGNATURE } from "../protocol/dialogue/words.ts";
import { END, keyOf, PARTIAL } from "../protocol/dialogue/words.ts";
import { Engine } from "../protocol/engine/engine.ts";
import type { Peer } from "../protocol/engine/peer.ts";
import { defaultSettings, type EngineHandler } from "../protocol/engine/settings.ts";
import { denoIo } from "../protocol/io/deno_io.ts";
import type { Io, TimerId } from "../protocol/io/io.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import { readJob } from "./job_message.ts";
import { LocalRunner } from "./local_runner.ts";
import {
  type CheckedWorkerOptions,
  checkWorkerOptions,
  type WorkerLog,
  type WorkerOptions,
} from "./options.ts";
import type { JobData, Run, RunEvents, Runner } from "./run.ts";
import { Session, type SessionSink } from "./session.ts";
import { ThreadPool } from "./thread_pool.ts";
import type { WorkerStatus } from "./status.ts";

/** Reconnects are spread from nothing up to this. */
const RECONNECT_MS = 100;
const RECONNECT_MAX_MS = 30_000;
/** How long the last words may take to go out. */
const FAREWELL_MS = 1000;
/** A tick this late means that a handler kept this thread busy, or that the process stood still. */
const BLOCKED_MS = 500;

interface Running {
  /** The connection that it came by: its answer goes there or nowhere. */
  readonly connection: number;
  readonly id: Uint8Array | undefined;
  readonly data: JobData;
  run: Run | undefined;
}

/** What stands behind a `Worker`. */
export class WorkerShell implements EngineHandler, SessionSink {
  /** Resolves when the worker has left, by `close()` or because the broker said EXIT. */
  readonly closed: Promise<void>;
  readonly #io: Io;
  readonly #options: CheckedWorkerOptions;
  readonly #engine: Engine;
  readonly #session: Session;
  readonly #runner: Runner;
  readonly #tell: (line: WorkerLog) => void;
  readonly #address: string;
  readonly #running: Map<string, Running> = new Map();
  readonly #first = Promise.withResolvers<void>();
  #peer: Peer | undefined;
  /** The number of the present connection. */
  #connection = 0;
  #timer: TimerId | undefined;
  #timerAt = Infinity;
  #flushing = false;
  #completed = 0;
  #failed = 0;
  #jobs = 0;
  #warned = false;
  #ending: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;
  #finish!: () => void;

  constructor(options: WorkerOptions) {
    const io = this.#io = options.io ?? denoIo();
    const checked = this.#options = checkWorkerOptions(options);
    this.#tell = options.onLog ?? (() => {});
    this.#address = checked.address ?? randomAddress(io);
    this.#runner = checked.module === undefined
      ? new LocalRunner(io, checked.handlers, options.defaultHandler)
      : new ThreadPool(checked.module, checked.threads);
    this.#session = new Session(
      { ...checked, address: octets(this.#address), pingsWorking: checked.threads > 0 },
      this,
      options.manual !== true,
    );
    this.#engine = new Engine(io, {
      ...defaultSettings("DEALER"),
      sendHighWaterMark: 0,
      reconnectInterval: RECONNECT_MS,
      reconnectMaxInterval: RECONNECT_MAX_MS,
      fullJitter: true,
    }, this);
    this.closed = new Promise((resolve) => this.#finish = resolve);
    this.#first.promise.catch(() => {});
  }

  /** Connects; resolves once it is registered, or at once if that is left to others. */
  async start({ manual = false, signal }: WorkerOptions): Promise<void> {
    this.#engine.connect(this.#options.broker);
    if (manual) return;
    const give = () => this.#first.reject(signal!.reason);
    signal?.addEventListener("abort", give, { once: true });
    try {
      await this.#first.promise;
    } catch (error) {
      await this.close(true);
      throw error;
    } finally {
      signal?.removeEventListener("abort", give);
    }
  }

  /** What it is doing. */
  get status(): WorkerStatus {
    return {
      address: this.#address,
      registered: this.#session.registered,
      running: this.#running.size,
      completed: this.#completed,
      failed: this.#failed,
    };
  }

  /** Asks to be in the broker's table. */
  register(): void {
    this.#session.register();
    this.#arm();
  }

  /** Wants no more jobs; those that run may finish. */
  deregister(): void {
    this.#session.deregister();
  }

  /** Leaves; with `now` nothing is waited for. */
  close(now: boolean): Promise<void> {
    this.#ending ??= this.#end(now);
    if (now) this.#onIdle?.();
    return this.#ending;
  }

  onOpen(peer: Peer): boolean {
    this.#peer = peer;
    this.#session.opened(this.#engine.now());
    this.#arm();
    return true;
  }

  onMessage(_peer: Peer, message: MessageView): void {
    this.#session.received(message, this.#engine.now());
    this.#arm();
  }

  onRoom(): void {}

  onGone(): void {
    this.#peer = undefined;
    this.#session.closed();
    this.#log(1, "broker gone", { broker: this.#options.broker });
    const reason = new DOMException("The broker was lost", "AbortError");
    for (const { connection, data, run } of this.#running.values()) {
      // Nobody can be told what comes of it. An EXEC tells nobody anyway.
      if (connection === this.#connection && data.kind !== "EXEC") run?.cancel(reason);
    }
    this.#connection++;
  }

  onEvent(): void {}

  send(frames: readonly Uint8Array[]): void {
    this.#peer?.send(frames);
  }

  registered(): void {
    this.#log(1, "registered", { address: this.#address, broker: this.#options.broker });
    this.#first.resolve();
  }

  refused(reason: string, again: boolean): void {
    this.#log(0, "refused", { reason });
    if (again) return;
    this.#first.reject(new Error(`Cannot register: the broker refused it (${reason})`));
  }

  job(id: Uint8Array | undefined, message: MessageView, first: number): void {
    const data = readJob(message, first);
    if (data === undefined) {
      if (id !== undefined) this.#refuse(id);
      return;
    }
    const key = id === undefined ? `n${++this.#jobs}` : this.#keyOf(id);
    const running: Running = { connection: this.#connection, id, data, run: undefined };
    this.#running.set(key, running);
    this.#log(1, "job", { command: data.command, attempt: data.attempt });
    running.run = this.#runner.run(data, this.#eventsOf(key, running));
  }

  cancel(id: Uint8Array): void {
    const reason = new DOMException("The client cancelled the job", "AbortError");
    this.#running.get(this.#keyOf(id))?.run?.cancel(reason);
  }

  credit(id: Uint8Array, count: number): void {
    this.#running.get(this.#keyOf(id))?.run?.credit(count);
  }

  exit(): void {
    this.#log(1, "exit", { broker: this.#options.broker });
    this.close(false);
  }

  lost(): void {
    this.#log(0, "broker silent", { broker: this.#options.broker });
    this.#peer?.close();
  }

  async #end(now: boolean): Promise<void> {
    this.#session.deregister();
    if (!now && this.#running.size > 0) await this.#idle(this.#options.drain);
    const reason = new DOMException("The worker shuts down", "AbortError");
    for (const { run } of this.#running.values()) run?.cancel(reason);
    this.#session.flush();
    await this.#engine.close(now ? 0 : FAREWELL_MS, true);
    this.#session.closed();
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    this.#timer = undefined;
    await this.#runner[Symbol.asyncDispose]();
    this.#finish();
  }

  #idle(most: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#io.setTimer(() => this.#onIdle?.(), most);
      this.#onIdle = () => {
        this.#onIdle = undefined;
        this.#io.clearTimer(timer);
        resolve();
      };
    });
  }

  /** Another connection's job may have the same id. */
  #keyOf(id: Uint8Array): string {
    return `${this.#connection}${keyOf(id)}`;
  }

  #eventsOf(key: string, running: Running): RunEvents {
    const { connection, id, data } = running;
    const opaque = data.kind === "opaque";
    const answer = (...frames: readonly Uint8Array[]) => {
      if (id !== undefined && connection === this.#connection) this.#session.answer(id, frames);
    };
    const result = (...frames: readonly Uint8Array[]) => {
      if (connection === this.#connection) this.#session.result(frames, this.#engine.now());
    };
    return {
      done: (frames) => {
        this.#completed++;
        if (id === undefined) result(...frames);
        else if (data.kind === "EXEC") answer();
        else if (opaque) answer(...frames);
        else answer(SIGNATURE, RESPONSE, ...frames);
        this.#over(key, connection);
      },
      chunk: (frames) => answer(SIGNATURE, PARTIAL, ...frames),
      ended: () => {
        this.#completed++;
        answer(SIGNATURE, END);
        this.#over(key, connection);
      },
      failed: (code, message) => {
        this.#failed++;
        this.#log(1, "job failed", { command: data.command, code, message });
        const words = [ERROR, octets(code), octets(message)];
        if (id === undefined) result(...words);
        else answer(SIGNATURE, ...words);
        this.#over(key, connection);
      },
    };
  }

  #refuse(id: Uint8Array): void {
    const words = [octets("WORKER_FAILED"), octets("The job isn't a legal native message")];
    this.#session.answer(id, [SIGNATURE, ERROR, ...words]);
    this.#freed();
  }

  /** A job is over: its slot is free, which is told at the end of this turn. */
  #over(key: string, connection: number): void {
    this.#running.delete(key);
    if (connection === this.#connection) this.#freed();
    if (this.#running.size === 0) this.#onIdle?.();
  }

  #freed(): void {
    this.#session.finished();
    if (this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => {
      this.#flushing = false;
      this.#session.flush();
    });
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
    const late = now - this.#timerAt;
    this.#checkBlocked(late);
    this.#timer = undefined;
    this.#timerAt = Infinity;
    if (late >= BLOCKED_MS) this.#session.stoodStill(now);
    this.#session.tick(now);
    if (this.#session.nextDue < Infinity) this.#arm();
  }

  /** Says once, with the handler's name, that threads would help. */
  #checkBlocked(late: number): void {
    if (late < BLOCKED_MS || this.#warned || this.#options.threads > 0) return;
    const commands = new Set([...this.#running.values()].map(({ data }) => data.command));
    this.#warned = true;
    this.#log(0, "a handler blocked the heartbeat; run handlers in threads", {
      handlers: [...commands].join(", "),
      milliseconds: Math.round(late),
    });
  }

  #log(level: number, event: string, details: WorkerLog["details"]): void {
    this.#tell({ level, event, details });
  }
}

/** A name that no other worker has. */
function randomAddress(io: Io): string {
  let text = "worker-";
  for (let i = 0; i < 8; i++) text += Math.floor(io.random() * 36).toString(36);
  return text;
}
