/**
 * Where the engine and the pure rooms meet: one lane for clients, one for workers. A peer carries its
 * client or connection as its tag, so that no message needs a look-up.
 *
 * @module
 */
import type { Event } from "../protocol/engine/events.ts";
import type { Peer } from "../protocol/engine/peer.ts";
import {
  defaultSettings,
  type EngineHandler,
  type EngineSettings,
} from "../protocol/engine/settings.ts";
import type { Turn } from "../protocol/engine/turn.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import type { Backend } from "./backend.ts";
import type { Client } from "./core/client.ts";
import type { Core } from "./core/core.ts";
import type { WorkerConnection } from "./core/worker.ts";
import { tellFault } from "./faults.ts";
import type { Frontend } from "./frontend.ts";
import type { LineJournal } from "./journal.ts";
import type { CheckedOptions } from "./options.ts";
import type { Trace } from "./trace.ts";

/** How the engine of a lane is set. To a REP, which a ROUTER can't talk to, workers' side is a DEALER. */
export function laneSettings({ limits }: CheckedOptions, workers: boolean): EngineSettings {
  return {
    ...defaultSettings("ROUTER"),
    limits: {
      frameBytes: -1,
      messageBytes: limits.messageBytes,
      messageFrames: limits.messageFrames,
      commandBytes: limits.commandBytes,
    },
    announce: workers ? (theirs) => theirs === "REP" ? "DEALER" : "ROUTER" : undefined,
    handshakeInterval: limits.handshakeSeconds * 1000,
    heartbeatInterval: limits.heartbeatSeconds * 1000,
    heartbeatTimeout: limits.heartbeatTimeoutSeconds * 1000,
    sendHighWaterMark: 0,
    outputBytes: limits.outputBytes,
    writeDeadline: limits.writeSeconds * 1000,
    starvedInterval: limits.starvedSeconds * 1000,
    connections: limits.connections,
    handshakes: limits.handshakes,
  };
}

/** What both lanes need. */
export interface LaneContext {
  readonly core: Core;
  readonly turn: Turn;
  readonly journal: LineJournal;
  /** Absent unless frames are told. */
  readonly trace: Trace | undefined;
  /** Runs after each event. */
  readonly after: () => void;
}

/** The lane of the clients. */
export class ClientLane implements EngineHandler {
  readonly #face: Frontend;
  readonly #context: LaneContext;
  readonly #core: Core;
  readonly #turn: Turn;
  readonly #trace: Trace | undefined;
  readonly #after: () => void;

  constructor(face: Frontend, context: LaneContext) {
    this.#face = face;
    this.#context = context;
    this.#core = context.core;
    this.#turn = context.turn;
    this.#trace = context.trace;
    this.#after = context.after;
  }

  onOpen(peer: Peer): boolean {
    const outlet = this.#trace?.watch("client", peer) ?? peer;
    const client = this.#core.clients.connected(outlet, peer.identity, this.#turn.now());
    peer.tag = client;
    this.#after();
    return client !== undefined;
  }

  onMessage(peer: Peer, message: MessageView): void {
    if (this.#trace !== undefined) this.#trace.received("client", peer, message);
    this.#face.onMessage(peer.tag as Client, message, this.#turn.now());
    this.#after();
  }

  onRoom(peer: Peer): void {
    if (peer.tag !== undefined) this.#core.clients.roomy(peer.tag as Client);
  }

  onGone(peer: Peer): void {
    if (peer.tag === undefined) return;
    this.#core.clients.disconnected(peer.tag as Client, this.#turn.now());
    this.#after();
  }

  onEvent(event: Event): void {
    tellFault(this.#context.journal, "client", event);
  }
}

/** The lane of the workers. */
export class WorkerLane implements EngineHandler {
  readonly #face: Backend;
  readonly #context: LaneContext;
  readonly #core: Core;
  readonly #turn: Turn;
  readonly #trace: Trace | undefined;
  readonly #after: () => void;
  #parting = false;

  constructor(face: Backend, context: LaneContext) {
    this.#face = face;
    this.#context = context;
    this.#core = context.core;
    this.#turn = context.turn;
    this.#trace = context.trace;
    this.#after = context.after;
  }

  onOpen(peer: Peer): boolean {
    const outlet = this.#trace?.watch("worker", peer) ?? peer;
    peer.tag = this.#core.workers.connected(outlet, peer.type, peer.identity, this.#turn.now());
    this.#core.clients.unblock();
    this.#after();
    return true;
  }

  onMessage(peer: Peer, message: MessageView): void {
    if (this.#trace !== undefined) this.#trace.received("worker", peer, message);
    this.#face.onMessage(peer.tag as WorkerConnection, message, this.#turn.now());
    this.#after();
  }

  onRoom(peer: Peer): void {
    if (peer.tag === undefined) return;
    this.#core.workers.roomy(peer.tag as WorkerConnection, this.#turn.now());
    this.#core.clients.unblock();
    this.#after();
  }

  onGone(peer: Peer): void {
    if (peer.tag === undefined) return;
    this.#core.workers.parted(peer.tag as WorkerConnection, this.#turn.now());
    if (this.#parting) return;
    this.#parting = true;
    // Behind all that broke at the same time: else their jobs would go from one dead to the next.
    queueMicrotask(this.#handOut);
  }

  readonly #handOut = (): void => {
    this.#parting = false;
    this.#core.workers.handOut(this.#turn.now());
    this.#core.clients.unblock();
    this.#after();
  };

  onEvent(event: Event): void {
    tellFault(this.#context.journal, "worker", event);
  }
}
