/**
 * A whole broker in memory with peers that keep what they hear. Time is moved by hand: by the
 * network's own clock, or by fake global timers. When it ends, nothing may be left.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { Broker } from "../../broker/broker.ts";
import { inspect } from "../../broker/inspect.ts";
import type { BrokerOptions } from "../../broker/options.ts";
import { MemoryNetwork } from "../../protocol/io/memory_io.ts";
import { Dealer } from "../../protocol/mod.ts";
import { checkInvariants } from "./invariants.ts";
import { StoppableIo } from "./stoppable_io.ts";

/** What moves time: the network's own clock, or `Date` and the global timers, faked. */
export type Hand = "simulated" | "fake";
/** Both. */
export const HANDS: readonly Hand[] = ["simulated", "fake"];

/** Fake time goes on in steps of this, with all that follows from each. */
const STEP_MS = 10;
/** Longer than any farewell. */
const END_MS = 3000;

/** A frame to send. */
export type Part = string | Uint8Array;

/** The signature of the native dialogue. */
export const SIG: Uint8Array = new Uint8Array([0, 82, 79, 84, 65, 1]);

/** A request id that ends in that number. */
export function requestId(number: number): Uint8Array {
  const id = new Uint8Array(16);
  new DataView(id.buffer).setUint32(12, number);
  return id;
}

/** Native headers: names and texts of fewer than 256 octets. */
export function headers(all: Readonly<Record<string, string>>): Uint8Array {
  const parts = Object.entries(all).flatMap(([name, value]) => {
    const [key, text] = [new TextEncoder().encode(name), new TextEncoder().encode(value)];
    return [key.length, ...key, 0, 0, 0, text.length, ...text];
  });
  return new Uint8Array(parts);
}

/** A peer that keeps what it hears. */
export class WorldPeer {
  readonly socket: Dealer;
  /** What it heard and nobody has taken, as frames. */
  readonly heard: Uint8Array[][] = [];
  readonly #world: BrokerWorld;
  readonly #listening: Promise<void>;

  constructor(world: BrokerWorld, socket: Dealer) {
    this.#world = world;
    this.socket = socket;
    this.#listening = this.#listen();
  }

  /** Says something, and lets everything follow from it. */
  async say(...frames: readonly Part[]): Promise<void> {
    await this.socket.send([...frames]);
    await this.#world.settle();
  }

  /** Takes all that it has heard, as texts: job ids as `id`, the signature as `SIG`. */
  take(): string[][] {
    return this.heard.splice(0).map((frames) => frames.map(textOf));
  }

  /** Takes the oldest message that it has heard. */
  next(): Uint8Array[] {
    const message = this.heard.shift();
    if (message === undefined) throw new Error("it has heard nothing");
    return message;
  }

  /** Leaves. */
  async leave(): Promise<void> {
    this.socket.close();
    await this.#world.settle();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    for await (const frames of this.socket) {
      this.heard.push(frames.map((frame) => new Uint8Array(frame)));
    }
  }
}

/** A broker and its peers. */
export class BrokerWorld implements AsyncDisposable {
  readonly network: MemoryNetwork;
  /** The broker's world, which can stand still. */
  readonly io: StoppableIo;
  readonly #time: FakeTime | undefined;
  readonly #peers: WorldPeer[] = [];
  #broker: Broker | undefined;

  private constructor(hand: Hand) {
    this.#time = hand === "fake" ? new FakeTime(1_000_000) : undefined;
    this.network = new MemoryNetwork({ clock: hand === "fake" ? "global" : "simulated" });
    this.io = new StoppableIo(this.network.io("broker"));
  }

  /** Starts a broker. */
  static async start(hand: Hand = "simulated", options: BrokerOptions = {}): Promise<BrokerWorld> {
    const world = new BrokerWorld(hand);
    try {
      world.#broker = await Broker.start({ io: world.io, ...options });
    } catch (error) {
      world.#time?.restore();
      throw error;
    }
    return world;
  }

  get broker(): Broker {
    return this.#broker!;
  }

  /** The time. */
  get now(): number {
    return this.network.now;
  }

  /** Everything that can be counted. */
  get counted() {
    return this.broker.views.snapshot();
  }

  /** A DEALER at the port of the clients. */
  client(name: string, identity = ""): Promise<WorldPeer> {
    return this.#join(new Dealer(this.#options(name, identity)), this.broker.frontend);
  }

  /** A DEALER at the port of the workers. */
  worker(name: string, identity = ""): Promise<WorldPeer> {
    return this.#join(new Dealer(this.#options(name, identity)), this.broker.backend);
  }

  /** Lets everything happen that happens now. */
  settle(): Promise<void> {
    return this.network.settle();
  }

  /** Lets so many milliseconds pass. */
  async advance(milliseconds: number): Promise<void> {
    const time = this.#time;
    if (time === undefined) return await this.network.advance(milliseconds);
    await this.network.settle();
    for (let left = milliseconds; left > 0; left -= STEP_MS) {
      time.tick(Math.min(left, STEP_MS));
      await this.network.settle();
    }
  }

  /** The broker's process stands still for so long, and nobody else does. */
  async standStill(milliseconds: number): Promise<void> {
    this.io.stop();
    await this.advance(milliseconds);
    this.io.continue();
    await this.settle();
  }

  /** Ends the broker, at once unless told otherwise; checks that all adds up. */
  async end(options = { now: true }): Promise<void> {
    checkInvariants(inspect(this.broker).core);
    const closed = this.broker.close(options);
    await this.advance(END_MS);
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      for (const { socket } of this.#peers) socket.close();
      await this.end();
      for (const peer of this.#peers) await peer.leave();
      const { front, back, budget } = inspect(this.broker);
      assertEquals(budget.used, 0, "memory is left");
      assertEquals([front.deadlines.size, back.deadlines.size], [0, 0], "deadlines are left");
    } finally {
      this.#time?.[Symbol.dispose]();
    }
  }

  #options(name: string, routingId: string) {
    return { io: this.network.io(name), routingId, linger: 0 };
  }

  async #join(socket: Dealer, endpoint: string): Promise<WorldPeer> {
    const peer = new WorldPeer(this, socket);
    this.#peers.push(peer);
    socket.connect(endpoint);
    await this.settle();
    return peer;
  }
}

function textOf(frame: Uint8Array): string {
  if (frame.length === 9 && frame[0] === 0) return "id";
  if (frame.length === SIG.length && frame.every((octet, i) => octet === SIG[i])) return "SIG";
  if (frame.length === 16 && frame[0] === 0) return `#${frame[15]}`;
  return new TextDecoder().decode(frame);
}
