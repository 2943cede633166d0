/**
 * A broker without the world: both faces and the core, peers in memory, and a clock that is moved by
 * hand. Time passes as in `broker/broker.ts`: what is due is done when it is due, and the queues are
 * looked at each second. What happens comes out as a list of effects, in order.
 *
 * @module
 */
import { Backend } from "../../broker/backend.ts";
import type { Client } from "../../broker/core/client.ts";
import { Core } from "../../broker/core/core.ts";
import type { DropReason } from "../../broker/core/counters.ts";
import type { Journal } from "../../broker/core/decision.ts";
import { CORE_SETTINGS, type CoreSettings } from "../../broker/core/settings.ts";
import type { WorkerConnection } from "../../broker/core/worker.ts";
import { Frontend } from "../../broker/frontend.ts";
import { WorkerMessages } from "../../broker/worker_messages.ts";
import { MemoryOutlet } from "./memory_outlet.ts";
import { ViewMaker } from "./messages.ts";

/** A tick or a beat this late means that the whole process stood still, and for so long it holds. */
const LATE = 500;
const QUEUE_CHECK = 1000;

/** One thing that a broker did. */
export type Effect =
  | { readonly what: "sent"; readonly peer: string; readonly frames: readonly Uint8Array[] }
  | { readonly what: "paused" | "resumed" | "closed" | "refused"; readonly peer: string }
  | { readonly what: "dropped"; readonly reason: DropReason; readonly detail: string }
  | { readonly what: "dead"; readonly code: string }
  | { readonly what: "unserved"; readonly service: string };

/** An effect, and when it came. */
export type TimedEffect = Effect & { readonly at: number };

type Pending = Effect | { readonly what: "wrote"; readonly peer: string };

/** One peer. */
export interface MemoryPeer {
  readonly name: string;
  readonly outlet: MemoryOutlet;
  /** What the broker knows of it. */
  readonly client: Client | undefined;
  readonly connection: WorkerConnection | undefined;
  /** What it said while it wasn't read. */
  readonly unread: (readonly Uint8Array[])[];
}

/** What a peer says of itself when it connects. */
export interface Introduction {
  readonly name: string;
  readonly type: string;
  readonly identity: Uint8Array;
  /** False for a ZMTP 3.0 peer. */
  readonly canBePinged?: boolean;
}

/** The broker. */
export class PureBroker {
  readonly core: Core;
  /** Peers that are connected. */
  readonly peers: Map<string, MemoryPeer> = new Map();
  /** What happened to jobs and workers, in the words of the journal, if somebody counts. */
  onEvent: ((event: string) => void) | undefined;
  now = 0;
  readonly #frontend = new Frontend();
  readonly #backend: Backend;
  readonly #views = new ViewMaker();
  #pending: Pending[] = [];
  #effects: TimedEffect[] = [];
  #queueAt = QUEUE_CHECK;
  #stillAt = -Infinity;

  constructor(settings: Partial<CoreSettings> = {}) {
    const messages = new WorkerMessages();
    this.#backend = new Backend(messages);
    this.core = new Core({ ...CORE_SETTINGS, ...settings }, {
      toClients: this.#frontend,
      toWorkers: messages,
      journal: this.#journal(),
      seed: 1,
    });
    this.#frontend.attach(this.core);
    this.#backend.attach(this.core);
    messages.attach(this.core.state);
  }

  /** What happened since this was asked last. */
  takeEffects(): TimedEffect[] {
    this.#settle();
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** A client connects; false if it is refused. */
  connectClient(who: Introduction): boolean {
    const outlet = this.#outlet(who);
    const client = this.core.clients.connected(outlet, who.identity, this.now);
    if (client === undefined) this.#pending.push({ what: "refused", peer: who.name });
    else this.#join({ ...who, outlet, client, connection: undefined, unread: [] });
    this.#settle();
    return client !== undefined;
  }

  /** A worker connects. */
  connectWorker(who: Introduction): void {
    const outlet = this.#outlet(who);
    const connection = this.core.workers.connected(outlet, who.type, who.identity, this.now);
    this.#join({ ...who, outlet, client: undefined, connection, unread: [] });
    this.core.clients.unblock();
    this.#settle();
  }

  /** A peer's connection is gone. */
  leave(name: string): void {
    this.#gone(this.#peer(name));
    this.#settle();
  }

  /** A peer says something. If it isn't read, that waits until it is. */
  say(name: string, frames: readonly Uint8Array[]): void {
    const peer = this.#peer(name);
    if (peer.outlet.paused) peer.unread.push(frames);
    else this.#hear(peer, frames);
    this.#settle();
  }

  /** A peer takes no more output, or takes it again. */
  setFull(name: string, full: boolean): void {
    const { outlet, client, connection } = this.#peer(name);
    outlet.full = full;
    if (full) return;
    if (client !== undefined) this.core.clients.roomy(client);
    if (connection !== undefined) this.core.workers.roomy(connection, this.now);
    this.core.clients.unblock();
    this.#settle();
  }

  /** The engine doesn't read a peer, or reads it again. */
  setStarved(name: string, starved: boolean): void {
    const peer = this.#peer(name);
    peer.outlet.starved = starved;
    this.#readOn(peer);
    this.#settle();
  }

  /** An octet of a peer arrives that is no message: a ZMTP PONG. */
  showLife(name: string): void {
    this.#peer(name).outlet.lastSeen = this.now;
  }

  /** Something else happens to the core now. */
  act<T>(deed: (core: Core, now: number) => T): T {
    const done = deed(this.core, this.now);
    this.#settle();
    return done;
  }

  /** Time passes until then. */
  advance(to: number): void {
    for (;;) {
      const due = Math.min(this.core.nextDue, this.#queueAt);
      if (due > to) break;
      this.now = Math.max(this.now, due);
      if (this.#queueAt <= this.core.nextDue) this.#checkQueues();
      else this.core.tick(this.now, this.now - this.#stillAt < LATE);
      this.#settle();
    }
    this.now = to;
  }

  /** The whole process stands still for so long; then it finds out. */
  standStill(ms: number): void {
    this.now += ms;
    const missed = Math.min(this.core.nextDue, this.#queueAt);
    if (this.now - missed > LATE) this.#stillAt = this.now;
    while (this.core.nextDue <= this.now) {
      this.core.tick(this.now, this.#stillAt === this.now);
      this.#settle();
    }
    if (this.#queueAt <= this.now) this.#checkQueues();
    this.#settle();
  }

  #checkQueues(): void {
    this.#queueAt = this.now + QUEUE_CHECK;
    this.core.checkQueues(this.now);
  }

  #outlet({ name, canBePinged = true }: Introduction): MemoryOutlet {
    const outlet = new MemoryOutlet((what) => this.#pending.push({ what, peer: name }));
    outlet.canBePinged = canBePinged;
    outlet.lastSeen = this.now;
    return outlet;
  }

  #join(peer: MemoryPeer): void {
    if (this.peers.has(peer.name)) throw new Error(`${peer.name} is connected already`);
    this.peers.set(peer.name, peer);
  }

  #peer(name: string): MemoryPeer {
    const peer = this.peers.get(name);
    if (peer === undefined) throw new Error(`${name} isn't connected`);
    return peer;
  }

  #hear(peer: MemoryPeer, frames: readonly Uint8Array[]): void {
    peer.outlet.lastSeen = this.now;
    this.#views.with(frames, (view) => {
      if (peer.client !== undefined) this.#frontend.onMessage(peer.client, view, this.now);
      else this.#backend.onMessage(peer.connection!, view, this.now);
    });
  }

  #gone(peer: MemoryPeer): void {
    if (!this.peers.delete(peer.name)) return;
    peer.outlet.closed = true;
    if (peer.client !== undefined) this.core.clients.disconnected(peer.client, this.now);
    if (peer.connection !== undefined) {
      this.core.workers.disconnected(peer.connection, this.now);
      this.core.clients.unblock();
    }
  }

  #readOn(peer: MemoryPeer): void {
    while (!peer.outlet.paused && !peer.outlet.closed) {
      const frames = peer.unread.shift();
      if (frames === undefined) return;
      this.#hear(peer, frames);
    }
  }

  /** Turns what was written, closed and resumed into effects, and what follows from those. */
  #settle(): void {
    while (this.#pending.length > 0) {
      const pending = this.#pending;
      this.#pending = [];
      for (const item of pending) {
        if (item.what === "wrote") this.#collect(item.peer);
        else this.#effects.push({ ...item, at: this.now });
      }
      for (const item of pending) {
        if (item.what !== "closed" && item.what !== "resumed") continue;
        const peer = this.peers.get(item.peer);
        if (peer === undefined) continue;
        if (item.what === "closed" && peer.outlet.closed) this.#gone(peer);
        else this.#readOn(peer);
      }
    }
  }

  #collect(name: string): void {
    const peer = this.peers.get(name);
    if (peer === undefined) return;
    for (const frames of peer.outlet.take()) {
      this.#effects.push({ what: "sent", peer: name, frames, at: this.now });
    }
  }

  #journal(): Journal {
    const tell = (event: string) => this.onEvent?.(event);
    return {
      level: 1,
      dropped: (reason, detail) => {
        tell(`dropped ${reason}`);
        this.#pending.push({ what: "dropped", reason, detail });
      },
      dead: (_row, code) => {
        tell(`dead ${code}`);
        this.#pending.push({ what: "dead", code });
      },
      worker: (event) => tell(`worker ${event}`),
      stranger: (event) => tell(`stranger ${event}`),
      client: (event) => tell(`client ${event}`),
      unserved: ({ name }) => {
        tell("unserved");
        this.#pending.push({ what: "unserved", service: new TextDecoder().decode(name) });
      },
      job: (event, _row, code) => tell(`job ${event}${code === undefined ? "" : ` ${code}`}`),
      sized: () => {},
      because: () => {},
    };
  }
}
