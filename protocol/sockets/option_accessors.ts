/**
 * Options as properties, as zeromq.js has them. Those that Deno's network can't set say so.
 *
 * @module
 */
import type { SocketCore } from "./core.ts";
import { checkFixed, FIXED_OPTIONS } from "./options.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The options of a socket as properties; setting a bad value is a TypeError with code EINVAL.
 *
 * @example
 * ```ts
 * import { ArgumentError, Dealer } from "../mod.ts";
 *
 * await using dealer = new Dealer();
 * dealer.sendHighWaterMark = 10;
 * try {
 *   dealer.sendHighWaterMark = -5;
 * } catch (error) {
 *   if (!(error instanceof ArgumentError) || error.code !== "EINVAL") throw error;
 * }
 * if (dealer.sendHighWaterMark !== 10) throw new Error("changed");
 * ```
 */
export abstract class OptionAccessors {
  readonly #core: SocketCore;

  /** Takes the socket's inside. */
  constructor(core: SocketCore) {
    this.#core = core;
  }

  /** Our identity as text; null for none. Set it as text or octets. */
  get routingId(): string | null {
    const { routingId } = this.#core.options;
    return routingId === null ? null : decoder.decode(routingId);
  }
  set routingId(value: string | Uint8Array | null) {
    this.#core.set("routingId", value);
  }

  /** Messages that may wait for one peer; 0 for no limit. */
  get sendHighWaterMark(): number {
    return this.#core.options.sendHighWaterMark;
  }
  set sendHighWaterMark(value: number) {
    this.#core.set("sendHighWaterMark", value);
  }

  /** Messages of one peer that may wait to be received; 0 for no limit. */
  get receiveHighWaterMark(): number {
    return this.#core.options.receiveHighWaterMark;
  }
  set receiveHighWaterMark(value: number) {
    this.#core.set("receiveHighWaterMark", value);
  }

  /** How long `send` waits for room, in ms; -1 for ever, 0 fails at once. */
  get sendTimeout(): number {
    return this.#core.options.sendTimeout;
  }
  set sendTimeout(value: number) {
    this.#core.set("sendTimeout", value);
  }

  /** How long `receive` waits, in ms; -1 for ever, 0 fails at once. */
  get receiveTimeout(): number {
    return this.#core.options.receiveTimeout;
  }
  set receiveTimeout(value: number) {
    this.#core.set("receiveTimeout", value);
  }

  /** How long what waits is still sent after `close`, in ms; -1 for ever, 0 drops it. */
  get linger(): number {
    return this.#core.options.linger;
  }
  set linger(value: number) {
    this.#core.set("linger", value);
  }

  /** Use only endpoints that are connected right now. */
  get immediate(): boolean {
    return this.#core.options.immediate;
  }
  set immediate(value: boolean) {
    this.#core.set("immediate", value);
  }

  /** Send an empty message on each new connection. */
  get probeRouter(): boolean {
    return this.#core.options.probeRouter;
  }
  set probeRouter(value: boolean) {
    this.#core.set("probeRouter", value);
  }

  /** Time between heartbeats in ms; 0 for none. */
  get heartbeatInterval(): number {
    return this.#core.options.heartbeatInterval;
  }
  set heartbeatInterval(value: number) {
    this.#core.set("heartbeatInterval", value);
  }

  /** What the peer may take as our death, in ms; 0 for nothing. */
  get heartbeatTimeToLive(): number {
    return this.#core.options.heartbeatTimeToLive;
  }
  set heartbeatTimeToLive(value: number) {
    this.#core.set("heartbeatTimeToLive", value);
  }

  /** Silence after a heartbeat that ends a connection, in ms; -1 for the interval, 0 for never. */
  get heartbeatTimeout(): number {
    return this.#core.options.heartbeatTimeout;
  }
  set heartbeatTimeout(value: number) {
    this.#core.set("heartbeatTimeout", value);
  }

  /** How long a handshake may take, in ms; 0 for ever. */
  get handshakeInterval(): number {
    return this.#core.options.handshakeInterval;
  }
  set handshakeInterval(value: number) {
    this.#core.set("handshakeInterval", value);
  }

  /** Octets in one frame; -1 for no limit of its own. Holds for connections from now on. */
  get maxMessageSize(): number {
    return this.#core.options.maxMessageSize;
  }
  set maxMessageSize(value: number) {
    this.#core.set("maxMessageSize", value);
  }

  /** Wait before connecting again, in ms; -1 for never. */
  get reconnectInterval(): number {
    return this.#core.options.reconnectInterval;
  }
  set reconnectInterval(value: number) {
    this.#core.set("reconnectInterval", value);
  }

  /** If above 0 that wait doubles up to this, in ms. */
  get reconnectMaxInterval(): number {
    return this.#core.options.reconnectMaxInterval;
  }
  set reconnectMaxInterval(value: number) {
    this.#core.set("reconnectMaxInterval", value);
  }

  /** How long connecting may take, in ms; 0 leaves it to the system. */
  get connectTimeout(): number {
    return this.#core.options.connectTimeout;
  }
  set connectTimeout(value: number) {
    this.#core.set("connectTimeout", value);
  }

  /** Connections that may wait to be accepted. */
  get backlog(): number {
    return this.#core.options.backlog;
  }
  set backlog(value: number) {
    this.#core.set("backlog", value);
  }

  /** IPv6 endpoints always work. */
  get ipv6(): boolean {
    return FIXED_OPTIONS.ipv6;
  }
  set ipv6(value: boolean) {
    checkFixed("ipv6", value);
  }

  /** 1 has the system probe idle connections, 0 doesn't; -1 is the system's own setting. */
  get tcpKeepalive(): number {
    return this.#core.options.tcpKeepalive;
  }
  set tcpKeepalive(value: number) {
    this.#core.set("tcpKeepalive", value);
  }

  /** The system's own setting. */
  get tcpKeepaliveCount(): number {
    return FIXED_OPTIONS.tcpKeepaliveCount;
  }
  set tcpKeepaliveCount(value: number) {
    checkFixed("tcpKeepaliveCount", value);
  }

  /** The system's own setting. */
  get tcpKeepaliveIdle(): number {
    return FIXED_OPTIONS.tcpKeepaliveIdle;
  }
  set tcpKeepaliveIdle(value: number) {
    checkFixed("tcpKeepaliveIdle", value);
  }

  /** The system's own setting. */
  get tcpKeepaliveInterval(): number {
    return FIXED_OPTIONS.tcpKeepaliveInterval;
  }
  set tcpKeepaliveInterval(value: number) {
    checkFixed("tcpKeepaliveInterval", value);
  }

  /** The system's own setting. */
  get receiveBufferSize(): number {
    return FIXED_OPTIONS.receiveBufferSize;
  }
  set receiveBufferSize(value: number) {
    checkFixed("receiveBufferSize", value);
  }

  /** The system's own setting. */
  get sendBufferSize(): number {
    return FIXED_OPTIONS.sendBufferSize;
  }
  set sendBufferSize(value: number) {
    checkFixed("sendBufferSize", value);
  }
}
