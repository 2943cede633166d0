/**
 * What an engine is told: the socket type, limits and times. Plain data; sockets and the broker
 * fill it from their options.
 *
 * @module
 */
import type { SocketType } from "../zmtp/socket_type.ts";
import { WIRE_LIMITS, type WireLimits } from "../zmtp/limits.ts";
import { NO_BYTES } from "../zmtp/memory.ts";
import type { Event } from "./events.ts";
import type { Peer } from "./peer.ts";
import type { MessageView } from "../zmtp/message_reader.ts";

/** Settings of one engine; times in milliseconds, 0 or -1 for never where that makes sense. */
export interface EngineSettings {
  type: SocketType;
  /** Our identity, announced in READY. */
  identity: Uint8Array;
  limits: WireLimits;
  /**
   * The type that we announce to a peer of that type. If it is given, our READY is held until the
   * peer's has come: a broker is a DEALER to a REP and a ROUTER to all others.
   */
  announce: ((theirs: string) => SocketType) | undefined;
  /** From TCP open to the peer's READY. */
  handshakeInterval: number;
  heartbeatInterval: number;
  heartbeatTimeToLive: number;
  /** Silence after a PING that ends a connection; -1 means as long as the interval, 0 never. */
  heartbeatTimeout: number;
  /** Messages that may wait for one peer; 0 for no limit. */
  sendHighWaterMark: number;
  /** Octets that may wait for one peer. */
  outputBytes: number;
  /** A write without progress ends the connection after this; 0 for never. */
  writeDeadline: number;
  /** How long the largest unfinished message may wait for memory. */
  starvedInterval: number;
  reconnectInterval: number;
  reconnectMaxInterval: number;
  /** Spread reconnects over all of the wait, from nothing on: best for a crowd. */
  fullJitter: boolean;
  connectTimeout: number;
  /** 1 or 0: the system probes idle connections, or doesn't; -1: as the system is set. */
  tcpKeepalive: number;
  /** Connections that wait in the kernel to be accepted. */
  backlog: number;
  /** Accepted connections in all: more would need more descriptors than most systems give. */
  connections: number;
  /** Accepted connections that haven't shaken hands: past it the oldest of these goes. */
  handshakes: number;
}

/** The settings that hold unless told otherwise. */
export function defaultSettings(type: SocketType): EngineSettings {
  return {
    type,
    identity: NO_BYTES,
    limits: WIRE_LIMITS,
    announce: undefined,
    handshakeInterval: 30_000,
    heartbeatInterval: 0,
    heartbeatTimeToLive: 0,
    heartbeatTimeout: -1,
    sendHighWaterMark: 1000,
    outputBytes: 64 * 1024 * 1024,
    writeDeadline: 0,
    starvedInterval: 10_000,
    reconnectInterval: 100,
    reconnectMaxInterval: 0,
    fullJitter: false,
    connectTimeout: 0,
    tcpKeepalive: -1,
    backlog: 511,
    connections: 10_000,
    handshakes: 1024,
  };
}

/** Whoever sits on the fast lane. Every call returns soon, and none may feed another peer. */
export interface EngineHandler {
  /** A peer shook hands. False refuses it with a plain close. */
  onOpen(peer: Peer): boolean;
  /** A whole message: views that live until this returns. */
  onMessage(peer: Peer, message: MessageView): void;
  /** Output for this peer went below its marks again. */
  onRoom(peer: Peer): void;
  /** An open peer's connection is gone; `final` if the peer is gone with it. */
  onGone(peer: Peer, final: boolean): void;
  onEvent(event: Event): void;
}
