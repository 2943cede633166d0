/**
 * The broker's shell: two routers on the fast lane, one clock read a turn, one timer, and the pure
 * rooms between them. It decides nothing; it hands events to the core and octets to the engine.
 *
 * @module
 */
import { Budget } from "../protocol/engine/budget.ts";
import { Census } from "../protocol/engine/census.ts";
import { Engine } from "../protocol/engine/engine.ts";
import { Hunger } from "../protocol/engine/hunger.ts";
import type { EngineHandler } from "../protocol/engine/settings.ts";
import { Turn } from "../protocol/engine/turn.ts";
import { denoIo } from "../protocol/io/deno_io.ts";
import type { Io, TimerId } from "../protocol/io/io.ts";
import { Backend } from "./backend.ts";
import { Core } from "./core/core.ts";
import { Frontend } from "./frontend.ts";
import { remember } from "./inspect.ts";
import { LineJournal } from "./journal.ts";
import { ClientLane, laneSettings, WorkerLane } from "./lanes.ts";
import { type BrokerOptions, type CheckedOptions, checkOptions, coreSettings } from "./options.ts";
import { Relief } from "./relief.ts";
import { Trace } from "./trace.ts";
import { BrokerViews } from "./views.ts";
import { WorkerMessages } from "./worker_messages.ts";

/** A tick this late means that the whole process stood still; for so long it hasn't read it all. */
const LATE_MS = 500;
/** The longest between two beats of the broker: whoever stands still misses one. */
const BEAT_MS = 1000;
/** How long what was said last may take to go out. */
const FAREWELL_MS = 1000;

/**
 * A broker that serves clients at one port and workers at another.
 *
 * @example
 * ```ts
 * import { Broker } from "./broker.ts";
 *
 * await using broker = await Broker.start({
 *   frontend: "tcp://127.0.0.1:*",
 *   backend: "tcp://127.0.0.1:*",
 * });
 * if (broker.views.snapshot().workers !== 0) throw new Error("who is that?");
 * ```
 */
export class Broker implements AsyncDisposable {
  /** What can be seen of it, and what an operator can do. */
  readonly views: BrokerViews;
  readonly #io: Io;
  readonly #options: CheckedOptions;
  readonly #core: Core;
  readonly #turn: Turn;
  readonly #front: Engine;
  readonly #back: Engine;
  readonly #journal: LineJournal;
  readonly #trace: Trace | undefined;
  readonly #relief: Relief;
  #frontend = "";
  #backend = "";
  #timer: TimerId | undefined;
  #timerAt = Infinity;
  #beatTimer: TimerId | undefined;
  #beatAt = Infinity;
  /** When it was found that the process had stood still. */
  #stillAt = -Infinity;
  #ending: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  private constructor(options: BrokerOptions, checked: CheckedOptions) {
    const io = this.#io = options.io ?? denoIo();
    this.#options = checked;
    const frontend = new Frontend();
    const messages = new WorkerMessages();
    const backend = new Backend(messages);
    const turn = this.#turn = new Turn(io);
    const { debug } = checked.numbers;
    const journal = this.#journal = new LineJournal(options.onLog, debug, () => turn.now(), io);
    const trace = this.#trace = journal.level >= 5 ? new Trace(journal) : undefined;
    this.#core = new Core(coreSettings(checked), {
      toClients: frontend,
      toWorkers: messages,
      journal,
      seed: Math.floor(io.random() * 2 ** 32),
      epoch: Math.floor(io.random() * 2 ** 32),
    });
    frontend.attach(this.#core);
    backend.attach(this.#core);
    messages.attach(this.#core.state);
    journal.attach(this.#core.state);
    const budget = new Budget(checked.limits.bufferBytes);
    const after = () => this.#after();
    const context = { core: this.#core, turn, journal, trace, after };
    const census = new Census();
    const hunger = new Hunger(budget, () => turn.now());
    this.#relief = new Relief(budget, hunger, checked.limits.outputBytes);
    const engine = (workers: boolean, lane: EngineHandler) =>
      new Engine(io, laneSettings(checked, workers), lane, budget, turn, census, hunger);
    this.#front = engine(false, new ClientLane(frontend, context));
    this.#back = engine(true, new WorkerLane(backend, context));
    this.views = new BrokerViews(this.#core, turn, this.#front, this.#back, budget, after);
    remember(this, { core: this.#core, front: this.#front, back: this.#back, budget });
  }

  /** Starts a broker: binds both ports, or rejects with what is wrong. */
  static async start(options: BrokerOptions = {}): Promise<Broker> {
    const checked = checkOptions(options);
    const broker = new Broker(options, checked);
    try {
      broker.#frontend = await broker.#front.bind(checked.frontend);
      broker.#backend = await broker.#back.bind(checked.backend);
    } catch (error) {
      await Promise.all([broker.#front.close(0), broker.#back.close(0)]);
      throw error;
    }
    broker.#beat(broker.#turn.now());
    return broker;
  }

  /** Where clients connect, with the real port. */
  get frontend(): string {
    return this.#frontend;
  }

  /** Where workers connect, with the real port. */
  get backend(): string {
    return this.#backend;
  }

  /**
   * Ends it: no new connections and no new jobs; what is here goes on for at most `drainSeconds`;
   * whoever still waits then is told. Resolves when all is closed. May be called again: with
   * `{ now: true }` it waits for nothing more.
   */
  close(options: { now?: boolean } = {}): Promise<void> {
    this.#ending ??= this.#end(options.now ?? false);
    if (options.now) this.#onIdle?.();
    return this.#ending;
  }

  /** The same as `close()`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #end(now: boolean): Promise<void> {
    const { drainSeconds } = this.#options.numbers;
    this.#front.unbind(this.#frontend);
    this.#back.unbind(this.#backend);
    this.#core.drain(this.#turn.now());
    if (!now && !this.#core.idle && drainSeconds > 0) {
      await new Promise<void>((resolve) => {
        const timer = this.#io.setTimer(resolve, drainSeconds * 1000);
        this.#onIdle = () => {
          this.#io.clearTimer(timer);
          resolve();
        };
      });
    }
    this.#onIdle = undefined;
    this.#core.giveUp(this.#turn.now());
    if (this.#options.exitWorkers) this.views.exitAll();
    this.#after();
    await Promise.all([this.#front.close(FAREWELL_MS), this.#back.close(FAREWELL_MS)]);
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    if (this.#beatTimer !== undefined) this.#io.clearTimer(this.#beatTimer);
    this.#timer = this.#beatTimer = undefined;
    this.#journal.close();
  }

  /** Runs after each event: the first deadline may be another one now. */
  #after(): void {
    if (this.#trace !== undefined) this.#trace.flush();
    if (this.#core.nextDue < this.#timerAt) this.#arm();
    if (this.#relief.needed) this.#relief.begin();
    if (this.#onIdle !== undefined && this.#core.idle) this.#onIdle();
  }

  #arm(): void {
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    this.#timerAt = this.#core.nextDue;
    const wait = Math.max(0, this.#timerAt - this.#turn.now());
    this.#timer = this.#io.setTimer(() => this.#tick(), wait);
  }

  #tick(): void {
    this.#timer = undefined;
    const now = this.#turn.now();
    const late = this.#stoodStill(now, this.#timerAt);
    this.#timerAt = Infinity;
    this.#core.tick(now, late);
    this.#after();
  }

  /**
   * Whether the process stood still until just now. A tick that is hardly late doesn't tell: it may
   * have fallen due at the end of that time. The beat does.
   */
  #stoodStill(now: number, due: number): boolean {
    if (now - Math.min(due, this.#beatAt) > LATE_MS) this.#stillAt = now;
    return now - this.#stillAt < LATE_MS;
  }

  /** Comes round at least each second, and looks at all backlogs as often as it was told to. */
  #beat(checked: number): void {
    const wait = this.#options.numbers.queueCheckSeconds * 1000;
    const now = this.#turn.now();
    this.#beatAt = Math.min(checked + wait, now + BEAT_MS);
    this.#beatTimer = this.#io.setTimer(() => {
      const then = this.#turn.now();
      this.#stoodStill(then, this.#beatAt);
      const due = then >= checked + wait;
      if (due) this.#core.checkQueues(then);
      this.#after();
      this.#beat(due ? then : checked);
    }, this.#beatAt - now);
  }
}
