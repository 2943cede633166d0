/**
 * A world to test engines in: a network in memory, engines that write down all they are told, and
 * raw peers beside them.
 *
 * @module
 */
import { Budget } from "../../protocol/engine/budget.ts";
import { Engine } from "../../protocol/engine/engine.ts";
import type { Event } from "../../protocol/engine/events.ts";
import type { Peer } from "../../protocol/engine/peer.ts";
import {
  defaultSettings,
  type EngineHandler,
  type EngineSettings,
} from "../../protocol/engine/settings.ts";
import type { Io } from "../../protocol/io/io.ts";
import type { MemoryNetworkOptions } from "../../protocol/io/memory_io.ts";
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";
import { World } from "./raw_peer.ts";
import { framesOf } from "./talk.ts";

const decoder = new TextDecoder();

/** Writes down all that an engine tells. */
export class Recorder implements EngineHandler {
  /** A line for each call: `open`, `message a|b`, `room`, `gone`, `gone for good`. */
  readonly log: string[] = [];
  readonly events: Event[] = [];
  readonly peers: Peer[] = [];
  /** What `onOpen` answers. */
  welcome = true;
  /** Called with each message, after it is written down. */
  answer: (peer: Peer, message: MessageView) => void = () => {};
  #waiting: { readonly condition: () => boolean; readonly resolve: () => void }[] = [];

  onOpen(peer: Peer): boolean {
    this.peers.push(peer);
    this.#note("open");
    return this.welcome;
  }

  onMessage(peer: Peer, message: MessageView): void {
    const frames = framesOf(message).map((frame) => decoder.decode(frame));
    this.#note(`message ${frames.join("|")}`);
    this.answer(peer, message);
  }

  onRoom(_peer: Peer): void {
    this.#note("room");
  }

  onGone(_peer: Peer, final: boolean): void {
    this.#note(final ? "gone for good" : "gone");
  }

  onEvent(event: Event): void {
    this.events.push(event);
    this.#stir();
  }

  /** Resolves once the condition holds; asked again whenever the engine has told something. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ condition, resolve });
    return promise;
  }

  /** The messages that came, their frames joined by `|`. */
  get messages(): string[] {
    return this.log.filter((line) => line.startsWith("message ")).map((line) => line.slice(8));
  }

  /** The types of the events that came. */
  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  #note(line: string): void {
    this.log.push(line);
    this.#stir();
  }

  #stir(): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ condition }) => !condition());
    for (const waiter of waiting) if (!this.#waiting.includes(waiter)) waiter.resolve();
  }
}

/** An engine and what it told. */
export interface Recorded {
  readonly engine: Engine;
  readonly told: Recorder;
}

/** Makes an engine whose handler writes down all it is told. */
export function recorded(
  io: Io,
  settings: Partial<EngineSettings> = {},
  budget: Budget = new Budget(),
): Recorded {
  const told = new Recorder();
  const all = { ...defaultSettings(settings.type ?? "DEALER"), ...settings };
  return { engine: new Engine(io, all, told, budget), told };
}

/** A world with engines instead of sockets. */
export class EngineWorld extends World {
  readonly #engines: Engine[] = [];

  /** An engine on the host "engine" that closes with this world. */
  engine(settings: Partial<EngineSettings> = {}, budget = new Budget()): Recorded {
    return this.engineOn(this.network.io("engine"), settings, budget);
  }

  /** The same on another host, or in a world that is changed a little. */
  engineOn(io: Io, settings: Partial<EngineSettings> = {}, budget = new Budget()): Recorded {
    const made = recorded(io, settings, budget);
    this.#engines.push(made.engine);
    return made;
  }

  override async end(): Promise<void> {
    for (const engine of this.#engines) engine.close(0);
    await super.end();
    for (const { budget } of this.#engines) {
      if (budget.used !== 0) throw new Error(`${budget.used} octets were not given back`);
    }
  }
}

/** Runs a test's body in a world of its own. */
export async function inEngineWorld(
  body: (world: EngineWorld) => Promise<void>,
  options: MemoryNetworkOptions = {},
): Promise<void> {
  const world = new EngineWorld(options);
  await body(world);
  await world.end();
}
