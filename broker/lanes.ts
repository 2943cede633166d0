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
import type { Frontend } from "./frontend.ts";
import type { CheckedOptions } from "./options.ts";

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

/** The lane of the clients. */
export class ClientLane implements EngineHandler {
  readonly #core: Core;
  readonly #face: Frontend;
  readonly #turn: Turn;
  readonly #after: () => void;

  constructor(core: Core, face: Frontend, turn: Turn, after: () => void) {
    this.#core = core;
    this.#face = face;
    this.#turn = turn;
    this.#after = after;
  }

  onOpen(peer: Peer): boolean {
    const client = this.#core.clients.connected(peer, peer.identity, this.#turn.now());
    peer.tag = client;
    this.#after();
    return client !== undefined;
  }

  onMessage(peer: Peer, message: MessageView): void {
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

  onEvent(_event: Event): void {}
}

/** The lane of the workers. */
export class WorkerLane implements EngineHandler {
  readonly #core: Core;
  readonly #face: Backend;
  readonly #turn: Turn;
  readonly #after: () => void;

  constructor(core: Core, face: Backend, turn: Turn, after: () => void) {
    this.#core = core;
    this.#face = face;
    this.#turn = turn;
    this.#after = after;
  }

  onOpen(peer: Peer): boolean {
    peer.tag = this.#core.workers.connected(peer, peer.type, peer.identity, this.#turn.now());
    this.#after();
    return true;
  }

  onMessage(peer: Peer, message: MessageView): void {
    this.#face.onMessage(peer.tag as WorkerConnection, message, this.#turn.now());
    this.#after();
  }

  onRoom(peer: Peer): void {
    if (peer.tag === undefined) return;
    this.#core.workers.roomy(peer.tag as WorkerConnection, this.#turn.now());
    this.#after();
  }

  onGone(peer: Peer): void {
    if (peer.tag === undefined) return;
    this.#core.workers.disconnected(peer.tag as WorkerConnection, this.#turn.now());
    this.#core.clients.unblock();
    this.#after();
  }

  onEvent(_event: Event): void {}
}
