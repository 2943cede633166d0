/**
 * The fast lane: peers, their connections, one flush per turn, one clock read per turn, one timer.
 * It routes nothing and keeps no queue of received messages; its handler does.
 *
 * @module
 */
import { AuthError, ProtocolError, SocketError } from "../errors.ts";
import { formatEndpoint, parseEndpoint } from "../io/endpoint.ts";
import type { Io, IoAddress, IoConnection, TimerId } from "../io/io.ts";
import { Deadlines } from "../time/deadlines.ts";
import type { ConnectionSettings } from "../zmtp/connection.ts";
import type { WireLimits } from "../zmtp/limits.ts";
import type { Mechanism } from "../zmtp/mechanism.ts";
import { MessageReader } from "../zmtp/message_reader.ts";
import { encodeReady, NullMechanism } from "../zmtp/null_mechanism.ts";
import { socketTypeOf } from "../zmtp/socket_type.ts";
import { Budget } from "./budget.ts";
import { Census } from "./census.ts";
import { Dialer } from "./dialer.ts";
import type { Event } from "./events.ts";
import { Hunger } from "./hunger.ts";
import { Link } from "./link.ts";
import { Listener } from "./listener.ts";
import { Peer } from "./peer.ts";
import type { EngineHandler, EngineSettings } from "./settings.ts";
import { Turn } from "./turn.ts";

/** A timer that fires this late means that the whole process stood still. */
const LATE_MS = 500;

/** One engine: any number of endpoints, bound and connected. */
export class Engine {
  readonly io: Io;
  readonly settings: EngineSettings;
  readonly handler: EngineHandler;
  readonly budget: Budget;
  readonly deadlines: Deadlines<Link | Dialer> = new Deadlines();
  /** What new connections go by. */
  talk: ConnectionSettings;
  /** How often each fault and each ignored thing was seen. */
  readonly counters: Map<string, number> = new Map();
  readonly listeners: Listener[] = [];
  readonly dialers: Dialer[] = [];
  /** Resolves once everything is closed after `close()`. */
  readonly done: Promise<void>;
  closing = false;
  /** Closing, and not for the sake of an endpoint that nobody answers at. */
  impatient = false;
  /** Peers by id; undefined where one has left. */
  readonly peers: (Peer | undefined)[] = [];
  #finish!: () => void;
  readonly #free: number[] = [];
  #serial = 0;
  readonly #census: Census;
  readonly #turn: Turn;
  readonly #hunger: Hunger;
  #timer: TimerId | undefined;
  #timerAt = Infinity;

  constructor(
    io: Io,
    settings: EngineSettings,
    handler: EngineHandler,
    budget: Budget = new Budget(),
    turn: Turn = new Turn(io),
    census: Census = new Census(),
    hunger: Hunger = new Hunger(budget, () => turn.now()),
  ) {
    this.io = io;
    this.settings = settings;
    this.handler = handler;
    this.budget = budget;
    this.#turn = turn;
    this.#census = census;
    this.#hunger = hunger;
    hunger.watch(this.peers);
    this.talk = {
      type: settings.type,
      announce: settings.announce,
      reader: new MessageReader(settings.limits),
    };
    this.done = new Promise((resolve) => this.#finish = resolve);
  }

  /** Sets what a peer may send us, for connections from now on. */
  limit(limits: WireLimits): void {
    this.settings.limits = limits;
    this.talk = { ...this.talk, reader: new MessageReader(limits) };
  }

  /** The time, read once a turn. */
  now(): number {
    return this.#turn.now();
  }

  newMechanism(): Mechanism {
    const { announce, type, identity } = this.settings;
    if (announce === undefined) return new NullMechanism(encodeReady(type, identity));
    return new NullMechanism((properties) =>
      encodeReady(announce(socketTypeOf(properties)), identity)
    );
  }

  format(address: IoAddress): string {
    return formatEndpoint(address);
  }

  tell(event: Event): void {
    this.handler.onEvent(event);
  }

  /** A handshake failed. */
  report(link: Link, error: Error): void {
    const address = addressOf(link);
    const auth = AuthError.of(link.connection.refusal ?? "");
    if (auth !== undefined) {
      this.tell({ type: "handshake:error:auth", address, error: auth });
    } else if (error instanceof ProtocolError) {
      this.tell({ type: "handshake:error:protocol", address, error });
    } else {
      this.tell({ type: "handshake:error:other", address, error });
    }
  }

  count(what: string): void {
    this.counters.set(what, (this.counters.get(what) ?? 0) + 1);
  }

  /** Listens; gives the endpoint that it really has. */
  async bind(endpoint: string): Promise<string> {
    const address = parseEndpoint(endpoint, "bind");
    try {
      const port = await this.io.listen(address, this.settings.backlog);
      const listener = new Listener(this, endpoint, port);
      if (this.closing) {
        port.close();
        throw new SocketError("EBADF", "Cannot bind: the socket is closed");
      }
      this.listeners.push(listener);
      this.tell({ type: "bind", address: listener.bound });
      listener.run();
      return listener.bound;
    } catch (error) {
      if (error instanceof SocketError) {
        this.tell({ type: "bind:error", address: endpoint, error });
      }
      throw error;
    }
  }

  /** Listens no more there; connections that it took stay. */
  unbind(endpoint: string): void {
    const at = this.listeners.findIndex((it) => it.bound === endpoint || it.asked === endpoint);
    if (at < 0) {
      throw new SocketError("ENOENT", `Cannot unbind: ${endpoint} isn't bound`);
    }
    const [listener] = this.listeners.splice(at, 1);
    listener!.close();
  }

  /** Connects, now and whenever the connection is lost. The peer can be written to at once. */
  connect(endpoint: string): Peer {
    const address = parseEndpoint(endpoint, "connect");
    const peer = this.#newPeer(endpoint, false);
    const dialer = new Dialer(this, peer, endpoint, address);
    this.dialers.push(dialer);
    dialer.dial();
    return peer;
  }

  /** Forgets an endpoint with all that waits for it. */
  disconnect(endpoint: string): void {
    const dialer = this.dialers.find((it) => it.endpoint === endpoint);
    if (dialer === undefined) {
      throw new SocketError(
        "ENOENT",
        `Cannot disconnect: ${endpoint} isn't connected`,
      );
    }
    this.giveUp(dialer);
  }

  /** Closes one peer's connection plainly; an accepted peer is gone with it. */
  drop(peer: Peer): void {
    peer.link?.close();
  }

  /**
   * Ends everything: what waits is still sent for at most `linger` ms (-1: as long as it takes).
   * `giveUpAbsent` forgets what waits for endpoints that nobody answers at; a connection that is
   * being made at the moment still counts.
   */
  close(linger: number, giveUpAbsent = false): Promise<void> {
    if (!this.closing) {
      this.closing = true;
      for (const listener of this.listeners.splice(0)) listener.close();
      if (linger > 0) {
        const timer = this.io.setTimer(() => this.#endAll(), linger);
        this.done.then(() => this.io.clearTimer(timer));
      }
    }
    this.impatient ||= giveUpAbsent;
    for (const dialer of [...this.dialers]) {
      const useless = dialer.peer.waitingBytes === 0 || (this.impatient && !dialer.busy);
      if (linger === 0 || (useless && !dialer.peer.open)) this.giveUp(dialer);
    }
    for (const peer of this.peers) {
      if (peer?.link === undefined) continue;
      if (linger === 0 || (peer.accepted && !peer.open)) peer.link.close();
      else if (peer.open) peer.link.end();
    }
    this.#finishIfDone();
    return this.done;
  }

  markDirty(peer: Peer): void {
    this.#turn.markDirty(peer);
  }

  /** That link goes on at the end of this turn. */
  later(link: Link): void {
    this.#turn.later(link);
  }

  armTimer(): void {
    const first = this.deadlines.first();
    if (first === undefined || first.due >= this.#timerAt) return;
    if (this.#timer !== undefined) this.io.clearTimer(this.#timer);
    this.#timerAt = first.due;
    this.#timer = this.io.setTimer(
      () => this.#tick(),
      Math.max(0, first.due - this.now()),
    );
  }

  accept(connection: IoConnection, bound: string): void {
    if (this.closing || this.#census.accepted >= this.settings.connections) {
      this.count("connections");
      return connection.close();
    }
    if (this.#census.greeting.size >= this.settings.handshakes) {
      const [oldest] = this.#census.greeting;
      this.count("handshakes");
      oldest!.close();
    }
    this.#census.accepted++;
    const peer = this.#newPeer(bound, true);
    const link = peer.link = new Link(this, peer, connection);
    this.#census.greeting.add(link);
    this.tell({ type: "accept", address: bound });
    link.start();
  }

  linkOpened(link: Link): void {
    const peer = link.peer;
    this.#census.greeting.delete(link);
    if (peer.accepted || peer.identity.length === 0) {
      peer.identity = link.connection.peerIdentity;
    }
    this.#dialerOf(peer)?.succeeded();
    if (!this.handler.onOpen(peer)) {
      this.count("identity-in-use");
      return link.refuse();
    }
    this.tell({
      type: "handshake",
      address: addressOf(link),
      identity: peer.identity,
    });
    if (this.closing && !link.closed) link.end();
  }

  linkClosed(
    link: Link,
    wasOpen: boolean,
    wasEnding: boolean,
    error: Error | undefined,
  ): void {
    const peer = link.peer;
    this.#census.greeting.delete(link);
    this.#hunger.forget(link);
    peer.link = undefined;
    if (wasOpen) {
      const event = {
        type: "disconnect",
        address: addressOf(link),
        identity: peer.identity,
      } as const;
      this.tell(error === undefined ? event : { ...event, error });
    }
    const dialer = this.#dialerOf(peer);
    if (dialer === undefined) {
      if (peer.accepted) this.#census.accepted--;
      this.#forget(peer, wasOpen);
    } else if (
      link.connection.refusal !== undefined || (this.closing && wasEnding)
    ) {
      this.giveUp(dialer, wasOpen);
    } else {
      if (wasOpen) this.handler.onGone(peer, false);
      dialer.retry();
    }
    this.freed();
    this.#finishIfDone();
  }

  /** A message can't grow for lack of memory. */
  starve(link: Link): void {
    this.count("starved");
    this.#hunger.starve(link);
  }

  /** A peer's output can't grow for lack of memory: it is told when there is some. */
  starveOutput(peer: Peer): void {
    this.#hunger.starveOutput(peer);
  }

  /** Memory may have come back. */
  freed(): void {
    this.#hunger.freed();
  }

  #newPeer(endpoint: string, accepted: boolean): Peer {
    const id = this.#free.pop() ?? this.peers.length;
    return this.peers[id] = new Peer(
      this,
      id,
      ++this.#serial,
      endpoint,
      accepted,
    );
  }

  #dialerOf(peer: Peer): Dialer | undefined {
    if (peer.accepted) return undefined;
    return this.dialers.find((it) => it.peer === peer);
  }

  /** Forgets an endpoint with all that waits for it. */
  giveUp(dialer: Dialer, wasOpen = dialer.peer.open): void {
    const at = this.dialers.indexOf(dialer);
    if (at >= 0) this.dialers.splice(at, 1);
    dialer.stop();
    const link = dialer.peer.link;
    if (link === undefined) this.#forget(dialer.peer, wasOpen);
    else link.close();
    this.tell({ type: "close", address: dialer.endpoint });
    this.#finishIfDone();
  }

  #forget(peer: Peer, wasOpen: boolean): void {
    if (peer.gone) return;
    peer.gone = true;
    peer.drop();
    this.peers[peer.id] = undefined;
    this.#free.push(peer.id);
    if (wasOpen || !peer.accepted) this.handler.onGone(peer, true);
  }

  #endAll(): void {
    for (const dialer of [...this.dialers]) this.giveUp(dialer);
    for (const peer of this.peers) peer?.link?.close();
    this.#finishIfDone();
  }

  #finishIfDone(): void {
    if (!this.closing || this.dialers.length > 0) return;
    for (const peer of this.peers) if (peer !== undefined) return;
    if (this.#timer !== undefined) this.io.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#finish();
  }

  #tick(): void {
    this.#timer = undefined;
    const now = this.now();
    const late = now - this.#timerAt > LATE_MS;
    this.#timerAt = Infinity;
    for (
      let due = this.deadlines.pop(now);
      due !== undefined;
      due = this.deadlines.pop(now)
    ) {
      due.onDue(now, late);
    }
    this.armTimer();
  }
}

function addressOf(link: Link): string {
  return link.peer.accepted ? link.remote : link.peer.endpoint;
}
