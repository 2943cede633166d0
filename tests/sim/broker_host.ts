/**
 * The broker's place: the process that runs it now, if any, and the witness that watches it. It can be
 * crashed, stopped, shut down in order, and started again. After each thing that it did all checkers
 * look at it.
 *
 * @module
 */
import { AssertionError } from "@std/assert";
import type { Broker } from "../../broker/broker.ts";
import type { BrokerInside } from "../../broker/inspect.ts";
import type { BrokerOptions } from "../../broker/options.ts";
import type { Event } from "../../protocol/engine/events.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import { checkEmpty, checkInvariants } from "../kit/invariants.ts";
import { Dice } from "./dice.ts";
import { Hosts } from "./hosts.ts";
import { SimProcess } from "./process.ts";
import { SilenceCheck } from "./silence.ts";
import { BACKEND, FRONTEND, type Stage } from "./stage.ts";
import { Witness } from "./witness.ts";

/** A broker that may have been built otherwise than the shipped one. */
export interface BrokerBuild {
  readonly Broker: { start(options: BrokerOptions): Promise<Broker> };
  readonly inspect: (broker: Broker) => BrokerInside;
}

/** Microtasks after which everything that belongs to an event has happened. */
const SETTLING = 4;
/** With many jobs a look costs more: then they look at most once in so many ms for each job. */
const MS_FOR_EACH_JOB = 0.1;
/** How long a broker may take to end in order, besides its drain. */
const FAREWELL_MS = 3000;

const BROKER = { name: "broker", title: "broker" };

/** What runs now. */
interface Running {
  readonly process: SimProcess;
  readonly broker: Broker;
  readonly inside: BrokerInside;
  readonly witness: Witness;
  readonly silence: SilenceCheck;
}

/** Where the broker runs. */
export class BrokerHost {
  readonly #stage: Stage;
  readonly #build: BrokerBuild;
  readonly #hosts: Hosts;
  #running: Running | undefined;
  #process: SimProcess | undefined;
  #starts = 0;
  /** Microtasks left until checkers look; 0 if they don't. */
  #settling = 0;
  #stoppedAt = 0;
  #checkedAt = 0;
  /** Looks of the checkers. */
  checks = 0;

  constructor(stage: Stage, build: BrokerBuild) {
    this.#stage = stage;
    this.#build = build;
    this.#hosts = new Hosts(stage.network);
  }

  /** The broker, while it runs. */
  get broker(): Broker | undefined {
    return this.#running?.broker;
  }

  /** Its inside, while it runs. */
  get inside(): BrokerInside | undefined {
    return this.#running?.inside;
  }

  get stopped(): boolean {
    return this.#process?.stopped ?? false;
  }

  /** Starts it, unless it runs. */
  async start(): Promise<void> {
    if (this.#process !== undefined) return;
    const { network, settings } = this.#stage;
    const dice = new Dice(settings.seed, `broker ${++this.#starts}`);
    const process = this.#process = new SimProcess(network, BROKER, dice, {
      wire: (bytes, from, to) => this.#stage.trace.wire(bytes, from, to),
      after: () => this.#look(),
    });
    this.#note("broker starts");
    const broker = await this.#build.Broker.start({
      ...settings.broker,
      frontend: FRONTEND,
      backend: BACKEND,
      io: process.io,
    });
    if (this.#process !== process) return;
    const inside = this.#build.inspect(broker);
    const witness = new Witness(this.#stage, this.#hosts, inside);
    for (const engine of [inside.front, inside.back]) this.#listen(engine.handler);
    const silence = new SilenceCheck(this.#stage, process, inside.core, this.#hosts);
    this.#running = { process, broker, inside, witness, silence };
  }

  /** Kills it with all that it holds. */
  crash(): void {
    if (this.#process === undefined) return;
    this.#note("broker is killed");
    this.#process.die(false);
    this.#running = this.#process = undefined;
  }

  /** Ends it in order; nothing of it may be left. */
  async shutDown(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    const { process, broker, witness } = running;
    this.#note("broker shuts down");
    const { drainSeconds = 0 } = this.#stage.settings.broker;
    const since = this.#stage.network.now;
    await broker.close();
    if (this.#process !== process) return;
    this.#note("broker has shut down");
    witness.finish();
    const took = this.#stage.network.now - since;
    const most = drainSeconds * 1000 + FAREWELL_MS;
    this.#stage.findings.expect(
      "the broker ends in time",
      took <= most || process.wokeAt > since,
      () => `it took ${took} ms`,
    );
    this.#checkEnded(running);
    this.#running = this.#process = undefined;
  }

  /** It stands still. */
  stop(): void {
    this.#note("broker stands still");
    this.#stoppedAt = this.#stage.network.now;
    this.#process?.stop();
  }

  /** It goes on. */
  continue(): void {
    if (!this.stopped) return;
    const { now } = this.#stage.network;
    this.#note("broker goes on");
    this.#running?.witness.woke(now, now - this.#stoppedAt);
    this.#process?.continue();
  }

  /** An operator tries dead letters again, but for those that came too late: nobody may serve them. */
  retryAll(): void {
    const running = this.#running;
    if (running === undefined || this.stopped) return;
    for (const { id, row, code } of [...running.inside.core.state.dead]) {
      if (code === "EXPIRED") continue;
      running.witness.retrying(row);
      running.broker.views.retry(id);
    }
    this.#look();
  }

  /** An operator tells a worker to leave. */
  exit(address: string): void {
    if (!this.stopped) this.#running?.broker.views.exit(address);
  }

  /** An operator throws all dead letters away. */
  dropAll(): void {
    const running = this.#running;
    if (running === undefined) return;
    for (const { id } of [...running.inside.core.state.dead]) running.broker.views.drop(id);
  }

  /** Everybody has left, and nothing is remembered any more: all tables are empty. */
  checkEmpty(): void {
    const running = this.#running;
    if (running === undefined) return;
    this.check();
    this.#assert("after everybody left, every table is empty", () => {
      checkEmpty(running.inside.core);
    });
  }

  /** Looks at everything now. */
  check(): void {
    const running = this.#running;
    if (running === undefined || this.stopped || this.#stage.findings.first !== undefined) return;
    this.checks++;
    this.#checkedAt = this.#stage.network.now;
    running.witness.settle();
    this.#assert("the core's tables agree", () => checkInvariants(running.inside.core));
    running.silence.look();
  }

  /** Looks soon, when everything that belongs to the present event has happened. */
  #look(): void {
    const isWaiting = this.#settling > 0;
    this.#settling = SETTLING;
    if (!isWaiting) queueMicrotask(this.#settle);
  }

  readonly #settle = (): void => {
    if (--this.#settling > 0) return queueMicrotask(this.#settle);
    const jobs = this.#running?.inside.core.state.jobs.size ?? 0;
    const isSoon = this.#stage.network.now - this.#checkedAt < jobs * MS_FOR_EACH_JOB;
    if (!isSoon) this.check();
  };

  #assert(checker: string, look: () => void): void {
    const { findings } = this.#stage;
    findings.expect(checker, true, () => "");
    try {
      look();
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      findings.report(checker, error.message.trim().split("\n")[0]!);
    }
  }

  #checkEnded({ process, inside }: Running): void {
    const { front, back, budget, core } = inside;
    this.#stage.findings.expect(
      "a broker that ended leaves nothing behind",
      budget.used === 0 && front.deadlines.size + back.deadlines.size === 0 &&
        core.state.waiting + core.state.running === 0 && process.timers === 0,
      () =>
        `${budget.used} octets, ${front.deadlines.size}+${back.deadlines.size} deadlines, ` +
        `${core.state.waiting}+${core.state.running} jobs, ${process.timers} timers`,
    );
  }

  /** The engine contains what the layers above throw; here nothing is thrown. */
  #listen(handler: { onEvent(event: Event): void }): void {
    const real = handler.onEvent.bind(handler);
    handler.onEvent = (event) => {
      real(event);
      if (!("error" in event) || event.error === undefined) return;
      const { error } = event;
      const isLegal = error instanceof ProtocolError || "code" in error ||
        LEGAL_ENDS.has(error.message);
      this.#stage.findings.expect("the broker throws nothing", isLegal, () => `${error.stack}`);
    };
  }

  #note(text: string): void {
    this.#stage.trace.note(this.#stage.network.now, text);
  }
}

/** Ends of connections that are judged by the clock. */
const LEGAL_ENDS: ReadonlySet<string> = new Set([
  "the peer gave no sign of life",
  "its message didn't end while memory was short",
  "the peer takes no more output",
]);
