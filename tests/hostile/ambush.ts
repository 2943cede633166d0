/**
 * A Dealer that connects to two places: a hostile listener that plays a script, and a good Router
 * whose messages must all arrive meanwhile. Time is moved by hand, the wire is live.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  Dealer,
  type Event,
  type EventOfType,
  type EventType,
  Router,
  type SocketOptions,
} from "../../protocol/mod.ts";
import { type Inside, inspect } from "../../protocol/sockets/inspect.ts";
import { Attacker } from "./attacker.ts";
import { SteeredIo } from "./steered_io.ts";

/** No ambush lasts longer: a fault is a failure and never a hang. */
const PATIENCE_MS = 120_000;
/** What the Dealer's buffers may hold, ever, unless a test says otherwise. */
const MOST_BYTES = 1024 * 1024;

/** What the hostile listener does with one connection. It is closed when this resolves. */
export type Act = (attacker: Attacker) => Promise<unknown>;

/** A Dealer between a hostile listener and a good Router. */
export class Ambush implements AsyncDisposable {
  readonly dealer: Dealer;
  readonly io: SteeredIo = new SteeredIo();
  readonly inside: Inside;
  /** The hostile place. */
  readonly hostile: string;
  /** Events of the hostile place, oldest first. */
  readonly events: Event[] = [];
  /** Connections that the hostile listener has taken. */
  taken = 0;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #router = new Router({ linger: 0 });
  readonly #most: number;
  readonly #patience: number;
  #accepting: Promise<void> = Promise.resolve();
  #draining: Promise<void> = Promise.resolve();
  #trips = 0;
  #over = false;
  #attacker: Attacker | undefined;
  #broken: Error | undefined;

  private constructor(options: SocketOptions, most: number) {
    this.#most = most;
    this.dealer = new Dealer({ linger: 0, routingId: "us", io: this.io, ...options });
    this.inside = inspect(this.dealer);
    this.hostile = `tcp://127.0.0.1:${this.#listener.addr.port}`;
    const late = () => this.#break(new Error("the ambush lasts too long"));
    this.#patience = Number(setTimeout(late, PATIENCE_MS));
  }

  /** Lays it: act by act, the last one again and again. */
  static async lay(
    acts: readonly Act[],
    options: SocketOptions = {},
    most = MOST_BYTES,
  ): Promise<Ambush> {
    const ambush = new Ambush(options, most);
    await ambush.#router.bind("tcp://127.0.0.1:*");
    ambush.dealer.connect(ambush.#router.lastEndpoint!);
    await ambush.dealer.send("here I am");
    await ambush.#router.receive();
    ambush.#draining = ambush.#drain();
    await ambush.trip();
    ambush.#listen();
    ambush.#accepting = ambush.#accept(acts);
    ambush.dealer.connect(ambush.hostile);
    return ambush;
  }

  /** The good Router says something to the Dealer, which is the next thing that the Dealer gets. */
  async trip(): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    const said = `message ${this.#trips++}`;
    await this.#router.send(["us", said]);
    const frames = await this.dealer.receive();
    assertEquals(frames.map(String), [said]);
  }

  /** Waits, trip by trip, until that is so. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.trip();
  }

  /** How often that was counted. */
  count(what: string): number {
    return this.inside.counters.get(what) ?? 0;
  }

  /** Events of that type so far. */
  eventsOf<T extends EventType>(type: T): EventOfType<T>[] {
    return this.events.filter((event): event is EventOfType<T> => event.type === type);
  }

  /** Waits for the n-th reconnect to be set, and lets its time pass; gives how long it was. */
  async retry(n: number): Promise<number> {
    await this.until(() => this.eventsOf("connect:retry").length === n);
    const interval = this.eventsOf("connect:retry")[n - 1]!.interval;
    const taken = this.taken;
    await this.io.advance(interval - 1);
    await this.trip();
    assertEquals(this.taken, taken, "it came back too early");
    await this.io.advance(1);
    await this.until(() => this.taken === taken + 1);
    return interval;
  }

  #listen(): void {
    const types = [
      "connect",
      "connect:delay",
      "connect:retry",
      "close",
      "disconnect",
      "handshake",
      "handshake:error:protocol",
      "handshake:error:auth",
      "handshake:error:other",
    ] as const;
    for (const type of types) {
      this.dealer.events.on(type, (event) => {
        if (event.address === this.hostile) this.events.push(event);
      });
    }
  }

  async #accept(acts: readonly Act[]): Promise<void> {
    for await (const conn of this.#listener) {
      const act = acts[Math.min(this.taken++, acts.length - 1)]!;
      const attacker = this.#attacker = new Attacker(conn);
      await act(attacker).catch((error) => this.#over || this.#break(error));
      attacker[Symbol.dispose]();
    }
  }

  /** Takes whatever the Dealer sends. */
  async #drain(): Promise<void> {
    for await (const _ of this.#router);
  }

  #break(error: Error): void {
    this.#broken = error;
    this.dealer.close();
    this.#attacker?.[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    clearTimeout(this.#patience);
    await this.dealer[Symbol.asyncDispose]();
    this.#listener.close();
    this.#attacker?.[Symbol.dispose]();
    await this.#accepting;
    await this.#router[Symbol.asyncDispose]();
    await this.#draining;
    const { used, peak } = this.inside.budget;
    assert(peak <= this.#most, `${peak} octets at the peak, ${this.#most} allowed`);
    assertEquals(used, 0, "memory is left");
    assertEquals(this.inside.deadlines.size, 0, "deadlines are left");
    assertEquals(this.io.timers.size, 0, "timers are left");
  }
}
