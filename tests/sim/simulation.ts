/**
 * One simulation: the whole stack on one network in memory, in simulated time, with faults. Everybody
 * works while faults happen; then everything is whole again, every call must end, new calls must
 * succeed, everybody leaves, and nothing may be left.
 *
 * @module
 */
import { Broker } from "../../broker/broker.ts";
import { inspect } from "../../broker/inspect.ts";
import { MemoryNetwork } from "../../protocol/io/memory_io.ts";
import { Books, describe } from "./books.ts";
import { type BrokerBuild, BrokerHost } from "./broker_host.ts";
import { castOf } from "./cast.ts";
import type { Fault } from "./fault.ts";
import { type Finding, Findings } from "./findings.ts";
import { Member } from "./members.ts";
import { planOf } from "./plan.ts";
import type { SimProcess } from "./process.ts";
import { type Settings, settingsOf } from "./settings.ts";
import type { Phase, Stage } from "./stage.ts";
import { Trace } from "./trace.ts";
import { Trouble } from "./trouble.ts";

/** What is to be simulated. */
export interface SimulationOptions {
  readonly seed: number;
  /** How long faults happen, in simulated milliseconds. */
  readonly milliseconds: number;
  /** What goes wrong; what the seed chooses unless told. */
  readonly faults?: readonly Fault[];
  /** The broker; the shipped one unless told. */
  readonly build?: BrokerBuild;
  /** Told everything that is noted. */
  readonly onNote?: (note: string) => void;
}

/** What came of it. */
export interface Outcome {
  readonly seed: number;
  /** What was found first, if anything was. */
  readonly finding: Finding | undefined;
  readonly hash: string;
  readonly faults: readonly Fault[];
  /** Simulated milliseconds until the end. */
  readonly simulated: number;
  readonly submissions: number;
  readonly runs: number;
  readonly octets: number;
  /** How often checkers looked at the broker. */
  readonly checks: number;
  /** How calls ended, and how often each checker looked. */
  readonly ends: ReadonlyMap<string, number>;
  readonly looks: ReadonlyMap<string, number>;
  readonly notes: readonly string[];
}

const SHIPPED: BrokerBuild = { Broker, inspect };
/** How far time goes before somebody looks whether to stop. */
const STEP_MS = 1000;
/** When everything is whole again, how long the last call may take to end. */
const RECOVERY_MS = 240_000;
/** How long calls are made that must succeed. */
const CODA_MS = 10_000;
/** How long leaving may take. */
const LEAVING_MS = 30_000;
/** How often old entries are forgotten. */
const PRUNE_MS = 60_000;

/** Plays a simulation. */
export async function simulate(options: SimulationOptions): Promise<Outcome> {
  return await new Simulation(options).play();
}

class Simulation implements Stage {
  readonly network: MemoryNetwork;
  readonly settings: Settings;
  readonly trace = new Trace();
  readonly findings: Findings;
  readonly books: Books;
  phase: Phase = "busy";
  readonly #options: SimulationOptions;
  readonly #faults: readonly Fault[];
  readonly #host: BrokerHost;
  readonly #members: Map<string, Member> = new Map();
  readonly #trouble: Trouble;
  #pruneAt = PRUNE_MS;

  constructor(options: SimulationOptions) {
    const { seed, milliseconds } = this.#options = options;
    const settings = this.settings = settingsOf(seed);
    const { latency, jitter, window } = settings;
    const network = this.network = new MemoryNetwork({ seed, latency, jitter, window });
    this.trace.onNote = options.onNote;
    this.findings = new Findings(() => network.now, this.trace);
    this.books = new Books(() => network.now, this.findings);
    this.#host = new BrokerHost(this, options.build ?? SHIPPED);
    const cast = castOf(settings);
    for (const character of cast) {
      this.#members.set(character.name, new Member(character, this));
    }
    this.#faults = options.faults ?? planOf(seed, cast, milliseconds);
    this.#trouble = new Trouble(
      this,
      this.#host,
      this.#members,
      (name) => new Member(this.#members.get(name)!.character, this, "'"),
    );
  }

  async play(): Promise<Outcome> {
    const watch = new Watch(this.findings);
    try {
      await this.#play();
    } finally {
      watch.end();
    }
    const { submissions, runs } = this.books.counts;
    return {
      seed: this.#options.seed,
      finding: this.findings.first,
      hash: this.trace.hash,
      faults: this.#faults,
      simulated: this.network.now,
      submissions,
      runs,
      octets: this.trace.octets,
      checks: this.#host.checks,
      ends: this.books.ends,
      looks: this.findings.looks,
      notes: this.trace.notes,
    };
  }

  async #play(): Promise<void> {
    await this.#host.start();
    for (const member of this.#members.values()) member.start();
    this.#trouble.schedule(this.#faults);
    await this.#until(this.#options.milliseconds, () => false);
    this.phase = "calm";
    await this.#trouble.heal();
    await this.#rest(RECOVERY_MS);
    this.phase = "coda";
    await this.#until(this.network.now + CODA_MS, () => false);
    this.phase = "calm";
    await this.#rest(RECOVERY_MS);
    await this.#leave();
  }

  collapse(process: SimProcess): void {
    this.#trouble.collapse(process);
  }

  left(process: SimProcess): void {
    this.#trouble.comeBack(process);
  }

  guard(what: string, deed: Promise<unknown>): void {
    deed.catch((error) => {
      this.findings.report("nothing fails in the background", `${what}: ${error?.stack ?? error}`);
    });
  }

  /** Lets time pass until then, or until that is so, or until something was found. */
  async #until(end: number, isEnough: () => boolean): Promise<void> {
    while (this.network.now < end && !isEnough() && this.findings.first === undefined) {
      await this.network.advance(Math.min(STEP_MS, end - this.network.now));
      this.#host.check();
      if (this.network.now < this.#pruneAt) continue;
      this.#pruneAt = this.network.now + PRUNE_MS;
      this.books.prune();
    }
  }

  /** Nobody asks for more: every call ends, and the broker has nothing left to do. */
  async #rest(milliseconds: number): Promise<void> {
    const { books } = this;
    const isIdle = () => books.open.size === 0 && (this.#host.inside?.core.idle ?? false);
    await this.#until(this.network.now + milliseconds, isIdle);
    if (this.findings.first !== undefined) return;
    const [first] = books.open;
    this.findings.expect(
      "every call ends",
      first === undefined,
      () => `${books.open.size} calls never end, such as ${describe(first)}`,
    );
    const { waiting = 0, running = 0 } = this.#host.inside?.core.state ?? {};
    this.findings.expect(
      "with nobody asking, everything drains",
      isIdle(),
      () => `${waiting} jobs wait and ${running} run for ever`,
    );
  }

  /** Everybody leaves in order; then nothing may be left. */
  async #leave(): Promise<void> {
    if (this.findings.first !== undefined) return;
    this.phase = "over";
    const closing = Promise.all([...this.#members.values()].map((member) => member.close()));
    let closed = false;
    this.guard("everybody leaves", closing.then(() => closed = true));
    await this.#until(this.network.now + LEAVING_MS, () => closed);
    this.findings.expect("everybody can leave", closed, () => "somebody is still there");
    const { clientGrace = 0, finishedTime = 0 } = this.#host.inside?.core.state.settings ?? {};
    await this.#until(this.network.now + clientGrace + finishedTime + 3000, () => false);
    if (this.findings.first !== undefined) return;
    this.#host.dropAll();
    this.#host.checkEmpty();
    const ended = this.#host.shutDown();
    this.guard("the broker ends", ended);
    await this.#until(this.network.now + LEAVING_MS, () => this.#host.broker === undefined);
    const { length } = this.network.connections;
    this.findings.expect("no connection is left", length === 0, () => `${length} are left`);
  }
}

/** Errors that nobody catches are findings too, and don't end the program. */
class Watch {
  readonly #onError: (event: ErrorEvent) => void;
  readonly #onRejection: (event: PromiseRejectionEvent) => void;

  constructor(findings: Findings) {
    const report = (event: Event, what: unknown) => {
      event.preventDefault();
      const detail = what instanceof Error ? what.stack ?? what.message : String(what);
      findings.report("no error goes uncaught", detail);
    };
    this.#onError = (event) => report(event, event.error);
    this.#onRejection = (event) => report(event, event.reason);
    globalThis.addEventListener("error", this.#onError);
    globalThis.addEventListener("unhandledrejection", this.#onRejection);
  }

  end(): void {
    globalThis.removeEventListener("error", this.#onError);
    globalThis.removeEventListener("unhandledrejection", this.#onRejection);
  }
}
