/**
 * What all sockets share: the engine under them, waiting sends and receives, options, closing. How
 * messages are routed is the pattern's business.
 *
 * @module
 */
import { Budget } from "../engine/budget.ts";
import { Engine } from "../engine/engine.ts";
import type { Event } from "../engine/events.ts";
import type { Peer } from "../engine/peer.ts";
import { defaultSettings, type EngineHandler } from "../engine/settings.ts";
import { Turn } from "../engine/turn.ts";
import { ArgumentError, SocketError } from "../errors.ts";
import { denoIo } from "../io/deno_io.ts";
import type { Io } from "../io/io.ts";
import { WIRE_LIMITS } from "../zmtp/limits.ts";
import { NO_BYTES } from "../zmtp/memory.ts";
import type { MessageView } from "../zmtp/message_reader.ts";
import type { SocketType } from "../zmtp/socket_type.ts";
import { controlOf, Observer, type ObserverControl } from "./events.ts";
import { Easing } from "./easing.ts";
import { FairQueue, Pipe } from "./fair_queue.ts";
import { type Frame, FrameMaker } from "./frame.ts";
import {
  checkFixed,
  checkOption,
  defaultOptions,
  FIXED_OPTIONS,
  hasOption,
  type OptionValues,
} from "./options.ts";
import { Waiters } from "./waiters.ts";

/** How one socket type routes messages. */
export interface Pattern {
  /** An endpoint was connected to: its pipe may be used before the handshake. */
  connected(pipe: Pipe): void;
  /** A peer shook hands; false refuses it. */
  opened(pipe: Pipe): boolean;
  /** A pipe is gone for good. */
  left(pipe: Pipe): void;
  /** A message arrived: views that live until this returns. */
  arrived(pipe: Pipe, message: MessageView): void;
  /** Sends if it can be done now. Throws for what waiting would not help. */
  trySend(frames: Uint8Array[]): boolean;
  /** Which way a message goes: none overtakes another on the same way, or waits for other ways. */
  wayOf(frames: Uint8Array[]): string;
  /** Whether a send would go out now. */
  writable(): boolean;
  /** A receive is asked for; throws if it is out of turn. */
  beforeReceive(): void;
  /** What the application gets of a message taken from the queue. */
  afterReceive(frames: Frame[], pipe: Pipe): Frame[];
}

/**
 * Microtasks without a send after which the application is taken to wait for something else. A loop
 * of receive and send takes two or three for each message, one through helpers a few more.
 */
const PATIENCE = 8;
const SENT: Promise<void> = Promise.resolve();
const PROBE: readonly Uint8Array[] = [NO_BYTES];

/** One socket's inside. */
export class SocketCore implements EngineHandler {
  readonly type: SocketType;
  readonly options: OptionValues = defaultOptions();
  readonly events: Observer = new Observer();
  readonly observed: ObserverControl = controlOf(this.events);
  readonly queue: FairQueue = new FairQueue();
  readonly maker: FrameMaker = new FrameMaker();
  readonly budget: Budget = new Budget();
  readonly io: Io;
  pattern!: Pattern;
  closed = false;
  lastEndpoint: string | null = null;
  #engine: Engine | undefined;
  readonly #easing: Easing;
  readonly #sends: Waiters<Uint8Array[], void>;
  readonly #receives: Waiters<void, Frame[]>;

  constructor(type: SocketType, options: object & { io?: Io }) {
    this.type = type;
    this.io = options.io ?? denoIo();
    for (const [name, value] of Object.entries(options)) {
      if (name === "io" || value === undefined) continue;
      if (Object.hasOwn(FIXED_OPTIONS, name)) {
        checkFixed(name as keyof typeof FIXED_OPTIONS, value);
      } else {
        this.set(name as keyof OptionValues, value);
      }
    }
    this.#easing = new Easing(this.io);
    this.#sends = new Waiters(this.io, "send", "no peer has room");
    this.#receives = new Waiters(this.io, "receive", "nothing came");
  }

  /** Sets an option; it holds for endpoints and peers from now on. */
  set(name: keyof OptionValues, value: unknown): void {
    if (!hasOption(this.type, name)) {
      throw new ArgumentError(
        "EINVAL",
        `Cannot set ${name}: a ${this.type} has no such option`,
      );
    }
    (this.options as unknown as Record<string, unknown>)[name] = checkOption(
      name,
      value,
    );
    this.queue.highWaterMark = this.options.receiveHighWaterMark;
    if (this.#engine === undefined) return;
    this.#configure(this.#engine);
    // A mark may have been raised.
    this.pump();
  }

  get engine(): Engine {
    if (this.#engine === undefined) {
      const settings = defaultSettings(this.type);
      const turn = new Turn(this.io, PATIENCE);
      this.#engine = new Engine(this.io, settings, this, this.budget, turn);
      this.#configure(this.#engine);
    }
    return this.#engine;
  }

  #configure(engine: Engine): void {
    const { settings } = engine;
    const options = this.options;
    settings.identity = options.routingId ?? NO_BYTES;
    settings.handshakeInterval = options.handshakeInterval;
    settings.heartbeatInterval = options.heartbeatInterval;
    settings.heartbeatTimeToLive = options.heartbeatTimeToLive;
    settings.heartbeatTimeout = options.heartbeatTimeout;
    settings.sendHighWaterMark = options.sendHighWaterMark;
    settings.reconnectInterval = options.reconnectInterval;
    settings.reconnectMaxInterval = options.reconnectMaxInterval;
    settings.connectTimeout = options.connectTimeout;
    settings.tcpKeepalive = options.tcpKeepalive;
    settings.backlog = options.backlog;
    const frameBytes = options.maxMessageSize;
    if (settings.limits.frameBytes !== frameBytes) engine.limit({ ...WIRE_LIMITS, frameBytes });
  }

  /** Throws if the socket is closed. */
  check(act: string): void {
    if (this.closed) {
      throw new SocketError("EBADF", `Cannot ${act}: the socket is closed`);
    }
  }

  async bind(endpoint: string): Promise<void> {
    this.check("bind");
    this.lastEndpoint = await this.engine.bind(endpoint);
  }

  unbind(endpoint: string): Promise<void> {
    try {
      this.check("unbind");
      this.engine.unbind(endpoint);
      return SENT;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  connect(endpoint: string): Pipe {
    this.check("connect");
    const peer = this.engine.connect(endpoint);
    this.lastEndpoint = endpoint;
    const pipe = new Pipe(peer);
    peer.tag = pipe;
    this.pattern.connected(pipe);
    this.pump();
    return pipe;
  }

  disconnect(endpoint: string): void {
    this.check("disconnect");
    this.engine.disconnect(endpoint);
  }

  send(frames: Uint8Array[]): Promise<void> {
    try {
      this.check("send");
      if (!this.#waitsBehind(frames) && this.pattern.trySend(frames)) {
        return this.#easing.promise ?? SENT;
      }
    } catch (error) {
      return Promise.reject(error);
    }
    const most = this.options.sendHighWaterMark;
    return this.#sends.wait(frames, this.options.sendTimeout, most);
  }

  /** The next message: never without a frame, since the wire has no message without one. */
  receive(): Promise<Frame[]> {
    try {
      const frames = this.take();
      if (frames !== undefined) return Promise.resolve(frames);
    } catch (error) {
      return Promise.reject(error);
    }
    const most = this.options.receiveHighWaterMark;
    return this.#receives.wait(undefined, this.options.receiveTimeout, most);
  }

  /** The next message if one is here and nobody waits for it. Throws like `receive()`. */
  take(): Frame[] | undefined {
    this.check("receive");
    this.pattern.beforeReceive();
    if (!this.#receives.empty) return undefined;
    const frames = this.queue.shift(this.budget);
    if (frames === undefined) return undefined;
    this.engine.freed();
    return this.pattern.afterReceive(frames, this.queue.from!);
  }

  /** Whether someone waits in `receive()`. */
  get awaited(): boolean {
    return !this.#receives.empty;
  }

  /** A message for the application. */
  deliver(pipe: Pipe, frames: Frame[]): void {
    if (this.closed) return;
    if (!this.#receives.empty && this.queue.empty) {
      this.#receives.shift(this.pattern.afterReceive(frames, pipe));
    } else {
      this.queue.push(pipe, frames, this.maker.size, this.budget);
    }
  }

  /** Much waits for that peer: the application may send more when some of it is written. */
  ease(peer: Peer): void {
    peer.awaitRoom();
    this.#easing.begin();
  }

  /** Sends what waited, as far as there is room now. */
  pump(): void {
    if (this.#sends.empty) return;
    const blocked = new Set<string>();
    this.#sends.sweep((frames) => {
      const way = this.pattern.wayOf(frames);
      if (blocked.has(way)) return false;
      if (this.pattern.trySend(frames)) return true;
      blocked.add(way);
      return false;
    }, undefined);
  }

  #waitsBehind(frames: Uint8Array[]): boolean {
    if (this.#sends.empty) return false;
    const way = this.pattern.wayOf(frames);
    return this.#sends.some((waiting) => this.pattern.wayOf(waiting) === way);
  }

  /** Closes; what waits is still sent as `linger` says. */
  close(giveUpAbsent: boolean): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      this.#easing.close();
      this.#sends.cut();
      this.#receives.cut();
      this.queue.clear(this.budget);
      const engine = this.#engine;
      const end = () => {
        this.observed.emit({ type: "end", address: this.lastEndpoint ?? "" });
        this.observed.finish();
      };
      if (engine === undefined) end();
      else engine.done.then(end);
    }
    return this.#engine?.close(this.options.linger, giveUpAbsent) ?? SENT;
  }

  onOpen(peer: Peer): boolean {
    const pipe = peer.tag instanceof Pipe ? peer.tag : peer.tag = new Pipe(peer);
    if (!this.pattern.opened(pipe as Pipe)) return false;
    if ((pipe as Pipe).paused) peer.pause();
    if (this.options.probeRouter && this.type !== "REP") peer.send(PROBE);
    this.pump();
    return true;
  }

  onMessage(peer: Peer, message: MessageView): void {
    this.pattern.arrived(peer.tag as Pipe, message);
  }

  onRoom(_peer: Peer): void {
    this.#easing.end();
    this.pump();
  }

  onGone(peer: Peer, final: boolean): void {
    this.#easing.end();
    if (final && peer.tag instanceof Pipe) this.pattern.left(peer.tag);
    this.pump();
  }

  onEvent(event: Event): void {
    this.observed.emit(event);
  }
}
