/**
 * What every hostile test of the broker stands on: a live broker on loopback TCP, a well-behaved
 * client and a well-behaved worker of a service of their own, served without a pause, and attackers
 * at both ports. The broker's clock is moved by hand. When it ends it shows that the good peers were
 * served all the time, that memory stayed below what the test allows, and that nothing is left.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Broker } from "../../broker/broker.ts";
import { type BrokerInside, inspect } from "../../broker/inspect.ts";
import type { BrokerOptions } from "../../broker/options.ts";
import type { Limits } from "../../broker/limits.ts";
import type { BrokerSnapshot } from "../../broker/views.ts";
import { encodeFrames } from "../../protocol/dialogue/frames.ts";
import { requestFrames } from "../../protocol/dialogue/requests.ts";
import { Dealer, type Frame } from "../../protocol/mod.ts";
import { text } from "../conformance/vectors.ts";
import { headers, type Part, requestId, SIG } from "../kit/broker_world.ts";
import { checkInvariants } from "../kit/invariants.ts";
import { Attacker, HANDSHAKE, handshakeAs } from "./attacker.ts";
import { SteeredIo } from "./steered_io.ts";

export { headers, requestId, SIG };

/** 2^20 octets. */
export const MIB: number = 1024 * 1024;
/** No round trip of the good peers may take longer, however busy the machine is. */
const TRIP_MS = 10_000;
/** No siege lasts longer: a fault is a failure and never a hang. */
const PATIENCE_MS = 120_000;
/** Time goes on in steps of this, with a round trip after each. */
const STEP_MS = 1000;
/** The service of the good peers. */
const GOOD = "good";

/** The port of the clients or that of the workers. */
export type Port = "frontend" | "backend";

/** How a siege is laid. */
export interface BrokerSiegeOptions extends BrokerOptions {
  /** What the buffers of all peers may hold, ever. */
  most?: number;
  /** Whether BUSY is an answer that the good client takes. */
  mayBeBusy?: boolean;
}

/** Octets of one message. */
export function message(...frames: readonly Part[]): Uint8Array {
  return encodeFrames(frames.map((frame) => typeof frame === "string" ? text(frame) : frame));
}

/** A native request, behind its delimiter. */
export function request(
  kind: "EXEC" | "TRACKEXEC" | "STREAM",
  id: number,
  all: Readonly<Record<string, string>> = {},
  command = "go",
): Uint8Array[] {
  return requestFrames(kind, requestId(id), text(command), headers(all), []);
}

/** A broker under attack. */
export class BrokerSiege implements AsyncDisposable {
  readonly broker: Broker;
  readonly inside: BrokerInside;
  readonly io: SteeredIo;
  readonly #most: number;
  readonly #mayBeBusy: boolean;
  readonly #client = new Dealer({ linger: 0 });
  readonly #worker = new Dealer({ linger: 0 });
  readonly #attackers: Set<Attacker> = new Set();
  readonly #dealers: Set<Dealer> = new Set();
  readonly #asking: Promise<void>;
  readonly #working: Promise<void>;
  readonly #patience: number;
  #trips = 0;
  #slowest = 0;
  #waiting: PromiseWithResolvers<void>[] = [];
  #stop = false;
  #broken: Error | undefined;
  /** Whether somebody has been told what broke it. */
  #told = false;

  private constructor(broker: Broker, io: SteeredIo, most: number, mayBeBusy: boolean) {
    this.broker = broker;
    this.io = io;
    this.inside = inspect(broker);
    this.#most = most;
    this.#mayBeBusy = mayBeBusy;
    this.#client.connect(broker.frontend);
    this.#worker.connect(broker.backend);
    this.#working = this.#work();
    this.#asking = this.#ask().catch((error) => this.#break(error));
    this.#patience = Number(setTimeout(() => {
      const state = JSON.stringify(this.counted);
      this.#break(new Error(`the siege lasts too long, trip ${this.#trips}: ${state}`));
    }, PATIENCE_MS));
  }

  /** Starts a broker and the good peers. There is no ZMTP heartbeat unless asked for. */
  static async lay(options: BrokerSiegeOptions = {}): Promise<BrokerSiege> {
    const { most = 4 * MIB, mayBeBusy = false, limits, ...others } = options;
    const io = new SteeredIo();
    const few: Partial<Limits> = { heartbeatSeconds: 0, finishedRequests: 100, ...limits };
    const broker = await Broker.start({
      frontend: "tcp://127.0.0.1:*",
      backend: "tcp://127.0.0.1:*",
      io,
      limits: few,
      ...others,
    });
    const siege = new BrokerSiege(broker, io, most, mayBeBusy);
    await siege.trip();
    return siege;
  }

  /** Everything that is counted, without the good peers' jobs. */
  get counted(): BrokerSnapshot {
    return this.broker.views.snapshot();
  }

  /** How often that was dropped. */
  dropped(reason: string): number {
    return this.counted.dropped[reason] ?? 0;
  }

  /** How often that fault of a peer was counted. */
  fault(port: Port, kind: string): number {
    return this.counted[port].faults[kind] ?? 0;
  }

  /** Jobs of the default service that wait. */
  get waiting(): number {
    return this.counted.services.find(({ name }) => name === "default")!.waiting;
  }

  /** Workers, without the good one. */
  get workers() {
    return this.broker.views.workers().filter(({ services }) => !services.includes(GOOD));
  }

  /** An attacker at a port that shakes hands and says these octets. */
  async attack(port: Port, ...parts: readonly Uint8Array[]): Promise<Attacker> {
    return await this.attackAs(port, "", ...parts);
  }

  /** The same with an identity. */
  async attackAs(port: Port, identity: string, ...parts: readonly Uint8Array[]): Promise<Attacker> {
    const attacker = await Attacker.to(this.port(port));
    this.#attackers.add(attacker);
    const hello = identity === "" ? HANDSHAKE : handshakeAs(identity);
    await attacker.say(hello, ...parts);
    return attacker;
  }

  /** A Dealer at a port: one that reads what it is told. */
  dealer(port: Port, routingId = ""): Dealer {
    const dealer = new Dealer({ linger: 0, routingId, receiveTimeout: PATIENCE_MS });
    this.#dealers.add(dealer);
    dealer.connect(this.broker[port]);
    return dealer;
  }

  /** A worker of the default service that does every job that it is given. */
  async helper(address: string, slots = 1): Promise<() => number> {
    const dealer = this.dealer("backend");
    let done = 0;
    await dealer.send(["", "REGISTER", String(slots), address]);
    const serving = (async () => {
      for await (const [, id, delimiter, ...body] of dealer) {
        if (delimiter === undefined || delimiter.length > 0) continue;
        await dealer.send(["", id!, "", "done", ...body]);
        await dealer.send(["", "INCREMENT", address]);
        done++;
      }
    })();
    serving.catch((error) => this.#break(error));
    return () => done;
  }

  /** The number of a port. */
  port(port: Port): number {
    return Number(this.broker[port].split(":").at(-1));
  }

  /** Waits for a whole round trip of the good peers that began after this call. */
  async trip(): Promise<void> {
    for (const end = this.#trips + 2; this.#trips < end;) {
      if (this.#broken !== undefined) {
        this.#told = true;
        throw this.#broken;
      }
      const waiter = Promise.withResolvers<void>();
      this.#waiting.push(waiter);
      await waiter.promise;
    }
  }

  /** Waits, trip by trip, until that is so. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.trip();
  }

  /** Waits until something was dropped for that reason so often, and no more often. */
  async untilDropped(reason: string, times: number): Promise<void> {
    await this.until(() => this.dropped(reason) >= times);
    await this.trip();
    assertEquals(this.dropped(reason), times, reason);
  }

  /** Lets the broker's time pass; the good peers are served meanwhile. */
  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= STEP_MS) {
      await this.io.advance(Math.min(left, STEP_MS));
      await this.trip();
    }
  }

  async #ask(): Promise<void> {
    for (let i = 1; !this.#stop; i++) {
      const question = `question ${i}`;
      const asked = performance.now();
      const id = requestId(2 ** 31 + i);
      const frames = requestFrames("TRACKEXEC", id, text("echo"), headers({ service: GOOD }), []);
      await this.#client.send([...frames, question]);
      const [, , word, , ...rest] = (await this.#client.receive()).map(String);
      const busy = this.#mayBeBusy && word === "ERROR" && rest[0] === "BUSY";
      if (!busy) assertEquals([word, ...rest], ["RESPONSE", "echo", question]);
      this.#slowest = Math.max(this.#slowest, performance.now() - asked);
      this.#trips++;
      for (const waiter of this.#waiting.splice(0)) waiter.resolve();
    }
  }

  async #work(): Promise<void> {
    await this.#worker.send(["", "REGISTER", "2", `service=${GOOD}`, "the good worker"]);
    for await (const frames of this.#worker) {
      const [, id, , ...body] = frames as Frame[];
      if (id!.text() === "REGISTERED") continue;
      await this.#worker.send(["", id!, "", ...body]);
      await this.#worker.send(["", "INCREMENT", "the good worker"]);
    }
  }

  /** Ends every wait with that error. */
  #break(error: Error): void {
    this.#broken ??= error;
    this.#stop = true;
    this.#client.close();
    for (const dealer of this.#dealers) dealer.close();
    for (const waiter of this.#waiting.splice(0)) {
      this.#told = true;
      waiter.reject(this.#broken);
    }
    for (const attacker of this.#attackers) attacker[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop = true;
    await this.#asking;
    clearTimeout(this.#patience);
    checkInvariants(this.inside.core);
    for (const attacker of this.#attackers) attacker[Symbol.dispose]();
    for (const dealer of [this.#client, this.#worker, ...this.#dealers]) {
      await dealer[Symbol.asyncDispose]();
    }
    await this.#working;
    const { front, back, budget } = this.inside;
    await this.broker.close({ now: true });
    if (this.#told) return;
    if (this.#broken !== undefined) throw this.#broken;
    checkInvariants(this.inside.core);
    assert(budget.peak <= this.#most, `${budget.peak} octets at the peak, ${this.#most} allowed`);
    assertEquals(budget.used, 0, "memory is left");
    assertEquals([...front.peers, ...back.peers].filter(Boolean), [], "peers are left");
    assertEquals([front.deadlines.size, back.deadlines.size], [0, 0], "deadlines are left");
    assertEquals(this.io.timers.size, 0, "timers are left");
    assert(this.#slowest < TRIP_MS, `the good peers waited for ${this.#slowest} ms`);
  }
}
