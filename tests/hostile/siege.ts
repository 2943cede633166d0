/**
 * What every hostile test stands on: a live Router that answers, a well-behaved Dealer that asks it
 * without a pause, and attackers. When it ends it shows that the good peer was served all the time,
 * that memory stayed below what the test allows, and that nothing is left.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Dealer, type Frame, Router, type RouterOptions } from "../../protocol/mod.ts";
import { type Inside, inspect } from "../../protocol/sockets/inspect.ts";
import type { Peer } from "../../protocol/engine/peer.ts";
import { Attacker } from "./attacker.ts";
import { SteeredIo } from "./steered_io.ts";

/** 2^20 octets. */
export const MIB: number = 1024 * 1024;
/** No round trip of the good peer may take longer, however busy the machine is. */
const TRIP_MS = 3000;
/** No siege lasts longer: a fault is a failure and never a hang. */
const PATIENCE_MS = 120_000;

/** A Router under attack. */
export class Siege implements AsyncDisposable {
  readonly router: Router;
  readonly port: number;
  readonly inside: Inside;
  readonly io: SteeredIo;
  /** Messages of others than the good peer, as the application got them. */
  readonly strangers: Frame[][] = [];
  /** Why peers that were open have left. */
  readonly departures: (Error | undefined)[] = [];
  readonly #most: number;
  readonly #dealer = new Dealer({ routingId: "good", linger: 0 });
  readonly #attackers: Set<Attacker> = new Set();
  readonly #good: Promise<void>;
  readonly #echo: Promise<void>;
  readonly #patience: number;
  #trips = 0;
  #slowest = 0;
  #waiting: PromiseWithResolvers<void>[] = [];
  #stop = false;
  #broken: Error | undefined;

  private constructor(router: Router, io: SteeredIo, most: number) {
    this.router = router;
    this.io = io;
    this.#most = most;
    this.port = Number(router.lastEndpoint!.split(":").at(-1));
    this.inside = inspect(router);
    router.events.on("disconnect", (event) => this.departures.push(event.error));
    this.#dealer.connect(router.lastEndpoint!);
    this.#echo = this.#answer();
    this.#good = this.#ask().catch((error) => this.#break(error));
    const late = new Error("the siege lasts too long");
    this.#patience = Number(setTimeout(() => this.#break(late), PATIENCE_MS));
  }

  /** Binds and starts the good peer. The Router's buffers may hold at most `most` octets, ever. */
  static async lay(options: RouterOptions = {}, most = MIB): Promise<Siege> {
    const io = new SteeredIo();
    const router = new Router({ linger: 0, io, ...options });
    await router.bind("tcp://127.0.0.1:*");
    const siege = new Siege(router, io, most);
    await siege.trip();
    return siege;
  }

  /** How often that was counted. */
  count(what: string): number {
    return this.inside.counters.get(what) ?? 0;
  }

  /** Everybody whom the Router knows except the good peer. */
  get others(): Peer[] {
    const present = this.inside.peers.filter((peer) => peer !== undefined);
    return present.filter((peer) => new TextDecoder().decode(peer.identity) !== "good");
  }

  /** An attacker that has said these octets. */
  async attack(...parts: readonly Uint8Array[]): Promise<Attacker> {
    const attacker = await Attacker.to(this.port);
    this.#attackers.add(attacker);
    if (parts.length > 0) await attacker.say(...parts);
    return attacker;
  }

  /** That many attackers that have said these octets. */
  async attackers(count: number, ...parts: readonly Uint8Array[]): Promise<Attacker[]> {
    const attackers: Attacker[] = [];
    while (attackers.length < count) attackers.push(await this.attack(...parts));
    return attackers;
  }

  /** Waits for a whole round trip of the good peer that began after this call. */
  async trip(): Promise<void> {
    for (const end = this.#trips + 2; this.#trips < end;) {
      if (this.#broken !== undefined) throw this.#broken;
      const waiter = Promise.withResolvers<void>();
      this.#waiting.push(waiter);
      await waiter.promise;
    }
  }

  /** Waits, trip by trip, until that is so. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.trip();
  }

  /** Waits until that was counted so often. */
  async untilCounted(what: string, times: number): Promise<void> {
    await this.until(() => this.count(what) >= times);
    assertEquals(this.count(what), times, what);
  }

  /** Waits for the next message of a stranger and takes it. */
  async stranger(): Promise<Frame[]> {
    await this.until(() => this.strangers.length > 0);
    return this.strangers.shift()!;
  }

  /**
   * These octets end their sender: it is closed, that counter goes up by 1, nothing is delivered,
   * and the good peer goes on. Gives what the offender was told.
   */
  async punishes(counter: string, ...parts: readonly Uint8Array[]): Promise<Uint8Array> {
    const before = this.count(counter);
    using attacker = await this.attack(...parts);
    const told = await attacker.end();
    assertEquals(this.count(counter), before + 1, `${counter}: ${this.#counters()}`);
    await this.trip();
    assertEquals(this.strangers, []);
    return told;
  }

  #counters(): string {
    return JSON.stringify([...this.inside.counters]);
  }

  async #answer(): Promise<void> {
    for await (const frames of this.router) {
      if (frames[0]!.text() === "good") await this.router.send(frames);
      else this.strangers.push(frames);
    }
  }

  async #ask(): Promise<void> {
    while (!this.#stop) {
      const question = `question ${this.#trips}`;
      const asked = performance.now();
      await this.#dealer.send(question);
      const [answer] = await this.#dealer.receive();
      assertEquals(answer!.text(), question);
      this.#slowest = Math.max(this.#slowest, performance.now() - asked);
      this.#trips++;
      for (const waiter of this.#waiting.splice(0)) waiter.resolve();
    }
  }

  /** Ends every wait with that error. */
  #break(error: Error): void {
    this.#broken ??= error;
    this.#stop = true;
    this.#dealer.close();
    for (const waiter of this.#waiting.splice(0)) waiter.reject(this.#broken);
    for (const attacker of this.#attackers) attacker[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop = true;
    await this.#good;
    clearTimeout(this.#patience);
    await this.#dealer[Symbol.asyncDispose]();
    await this.router[Symbol.asyncDispose]();
    await this.#echo;
    for (const attacker of this.#attackers) attacker[Symbol.dispose]();
    if (this.#broken !== undefined) throw this.#broken;
    const { used, peak } = this.inside.budget;
    assert(peak <= this.#most, `${peak} octets at the peak, ${this.#most} allowed`);
    assertEquals(used, 0, "memory is left");
    assertEquals(this.inside.peers.filter(Boolean), [], "peers are left");
    assertEquals(this.inside.deadlines.size, 0, "deadlines are left");
    assertEquals(this.io.timers.size, 0, "timers are left");
    assert(this.#slowest < TRIP_MS, `the good peer waited for ${this.#slowest} ms`);
  }
}
