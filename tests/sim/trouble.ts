/**
 * Makes faults happen, ends them when their time is over, and can end all of them at once.
 *
 * @module
 */
import type { MemoryLink } from "../../protocol/io/memory_link.ts";
import type { BrokerHost } from "./broker_host.ts";
import { type Fault, writeFault } from "./fault.ts";
import type { Member } from "./members.ts";
import type { SimProcess } from "./process.ts";
import { BACKEND, FRONTEND, type Stage } from "./stage.ts";

/** How long a process that ended by itself stays away. */
const AWAY_MS = [500, 4000] as const;

/** Makes faults happen. */
export class Trouble {
  readonly #stage: Stage;
  readonly #host: BrokerHost;
  readonly #members: ReadonlyMap<string, Member>;
  readonly #twins: Set<Member> = new Set();
  readonly #twinOf: (name: string) => Member;
  #over = false;

  /** `twinOf` makes a second process of a member, under the same name. */
  constructor(
    stage: Stage,
    host: BrokerHost,
    members: ReadonlyMap<string, Member>,
    twinOf: (name: string) => Member,
  ) {
    this.#stage = stage;
    this.#host = host;
    this.#members = members;
    this.#twinOf = twinOf;
  }

  /** Has all these happen when their time comes. */
  schedule(faults: readonly Fault[]): void {
    const { network } = this.#stage;
    for (const fault of faults) {
      network.io("fate").setTimer(() => {
        if (!this.#over) this.#apply(fault);
      }, fault.at - network.now);
    }
  }

  /** A member's process is gone by itself: it comes back. */
  comeBack(process: SimProcess): void {
    const member = this.#members.get(process.name);
    if (member === undefined || member.process !== process) return;
    member.process = member.part = undefined;
    this.#later(() => member.start(), process.dice.between(...AWAY_MS));
  }

  /** A member's process kills itself, and comes back. */
  collapse(process: SimProcess): void {
    const member = this.#members.get(process.name);
    if (member?.process !== process) return process.die(true);
    member.kill(process.dice.chance(0.5));
    this.#later(() => member.start(), process.dice.between(...AWAY_MS));
  }

  /** Everything is whole again, and stays so. */
  async heal(): Promise<void> {
    this.#over = true;
    const { network } = this.#stage;
    for (const endpoint of [FRONTEND, BACKEND]) network.refuse(endpoint, false);
    for (const link of network.connections) {
      link.stall("both", false);
      link.delay(this.#stage.settings.latency);
    }
    for (const twin of this.#twins) twin.kill(true);
    for (const member of this.#members.values()) {
      member.process?.continue();
      member.start();
    }
    this.#host.continue();
    await this.#host.start();
  }

  #apply(fault: Fault): void {
    this.#stage.trace.note(this.#stage.network.now, writeFault(fault));
    if (fault.target === "broker") return this.#toBroker(fault);
    const member = this.#members.get(fault.target);
    if (member !== undefined) this.#toMember(fault, member);
    else if (fault.verb === "refuse") this.#refuse(fault);
  }

  #toBroker({ verb, lasts }: Fault): void {
    const host = this.#host;
    const start = () => this.#stage.guard("broker starts", host.start());
    if (verb === "retry") return host.retryAll();
    if (verb === "crash") {
      host.crash();
      return this.#later(start, lasts);
    }
    if (verb === "stop" && !host.stopped) {
      host.stop();
      return this.#later(() => host.continue(), lasts);
    }
    if (verb !== "shutdown" || host.stopped) return;
    const ended = host.shutDown().then(() => this.#later(start, lasts));
    this.#stage.guard("broker shuts down", ended);
  }

  #toMember({ verb, lasts, amount, target }: Fault, member: Member): void {
    if (verb === "kill" || verb === "close") {
      member.kill(verb === "close");
      return this.#later(() => member.start(), lasts);
    }
    const { process } = member;
    if (process === undefined) return;
    if (verb === "stop") {
      process.stop();
      return this.#later(() => process.continue(), lasts);
    }
    if (verb === "burst" && !process.stopped) return member.part?.burst?.(amount);
    if (verb === "twin") return this.#double(target, lasts);
    if (verb === "leave" && !process.stopped) {
      const left = member.close().then(() => this.#later(() => member.start(), lasts));
      return this.#stage.guard(`${target} leaves`, left);
    }
    if (verb === "exit") return this.#host.exit(target);
    this.#toLinks(verb, this.#stage.network.between(target), lasts, amount);
  }

  #toLinks(verb: string, links: readonly MemoryLink[], lasts: number, amount: number): void {
    const { latency } = this.#stage.settings;
    for (const link of links) {
      if (verb === "cut") link.cut();
      if (verb === "half-open") link.halfOpen();
      if (verb === "slow") {
        link.delay(amount);
        this.#later(() => link.delay(latency), lasts);
      }
      if (verb === "stall") {
        link.stall("in");
        this.#later(() => link.stall("in", false), lasts);
      }
    }
  }

  #refuse({ target, lasts }: Fault): void {
    const endpoint = target === "frontend" ? FRONTEND : BACKEND;
    this.#stage.network.refuse(endpoint);
    this.#later(() => this.#stage.network.refuse(endpoint, false), lasts);
  }

  #double(name: string, lasts: number): void {
    const twin = this.#twinOf(name);
    this.#twins.add(twin);
    twin.start();
    this.#later(() => {
      twin.kill(true);
      this.#twins.delete(twin);
    }, lasts);
  }

  /** Mends something later, at once if everything is to be whole. */
  #later(deed: () => void, milliseconds: number): void {
    this.#stage.network.io("fate").setTimer(() => {
      if (this.#stage.phase !== "over") deed();
    }, this.#over ? 0 : milliseconds);
  }
}
