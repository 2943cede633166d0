/**
 * Judges by the clock whether a connection is alive: handshake deadline, heartbeat, time-to-live,
 * write deadline. Pure: the time is an argument.
 *
 * @module
 */
import type { Connection } from "../zmtp/connection.ts";
import type { EngineSettings } from "./settings.ts";

/** While we don't read a peer it hears from us this often, so that it doesn't take us for dead. */
const PAUSED_PONG_MS = 1000;

/** A write without progress ends a connection with heartbeats after this, unless told otherwise. */
export const WRITE_PATIENCE_MS = 30_000;

/** Heartbeats asked for, a peer that neither takes our output nor says anything is given so long. */
const BLOCKED_MS = 30_000;

/** What follows from a look at the clock. */
export type Verdict =
  | "fine"
  | "handshake"
  | "ping"
  | "pong"
  | "dead"
  | "stuck"
  | "hungry";

/** The times of one connection. */
export class Liveness {
  /** What ended the connection, if anything did. */
  failed: Error | undefined;
  readonly #settings: EngineSettings;
  readonly #connection: Connection;
  #started: number;
  /** When the last octet came, or when we last had no right to expect one. */
  #seen: number;
  /** When the last octet came, or when we began to listen again. */
  #heard: number;
  #pinged: number;
  /** When the PING was sent that nothing has come after; -1 if there is none. */
  #asked = -1;
  #progress: number;
  #ponged = 0;
  /** Since when an unfinished message is the largest while memory is short; -1 if it isn't. */
  #starved = -1;

  constructor(settings: EngineSettings, connection: Connection, now: number) {
    this.#settings = settings;
    this.#connection = connection;
    this.#started =
      this.#seen =
      this.#heard =
      this.#pinged =
      this.#progress =
        now;
  }

  /** When the last octet came. */
  get lastSeen(): number {
    return this.#seen;
  }

  /** Any octet is life. */
  seen(now: number): void {
    this.#seen = this.#heard = now;
    this.#asked = -1;
  }

  opened(now: number): void {
    this.#pinged = now;
  }

  progress(now: number): void {
    this.#progress = now;
  }

  pausedAt(now: number): void {
    this.#ponged = now;
  }

  /** This connection holds the most while others can't grow. */
  starvedSince(now: number): void {
    if (this.#starved < 0) this.#starved = now;
  }

  /** Memory is not short any more, or this connection doesn't hold it. */
  sated(): void {
    this.#starved = -1;
  }

  /** Whether it has a deadline for lack of memory. */
  get starving(): boolean {
    return this.#starved >= 0;
  }

  /** We read it again: its silence meanwhile was ours. What it didn't take of our output was not. */
  resumed(now: number): void {
    this.#seen = this.#heard = now;
    this.#asked = -1;
  }

  /** Whatever was due is forgiven: we ourselves stood still. */
  excuse(now: number): void {
    this.#seen = this.#heard = this.#progress = now;
    if (this.#connection.state !== "OPEN") {
      this.#started = Math.max(this.#started, now - this.#patience() + 1000);
    }
    this.#asked = -1;
  }

  /** When to look again; Infinity for never. */
  next(writing: boolean, paused: boolean): number {
    const settings = this.#settings;
    let at = Infinity;
    if (this.#connection.state !== "OPEN") {
      if (settings.handshakeInterval > 0) {
        at = this.#started + settings.handshakeInterval;
      }
      return at;
    }
    if (this.#starved >= 0) at = this.#starved + settings.starvedInterval;
    if (writing) at = Math.min(at, this.#stuckAt(paused));
    if (paused) return Math.min(at, this.#ponged + PAUSED_PONG_MS);
    if (this.#beats()) {
      at = Math.min(at, this.#pinged + settings.heartbeatInterval);
      if (this.#asked >= 0) at = Math.min(at, this.#asked + this.#timeout());
    }
    if (this.#connection.peerTtl > 0) {
      at = Math.min(at, this.#seen + this.#connection.peerTtl);
    }
    return at;
  }

  /** Until when a connection may take for the last that we send it; Infinity for ever. */
  lastCall(): number {
    if (this.#connection.state !== "OPEN") return this.next(true, false);
    return this.#stuckAt(false);
  }

  /** The verdict at this time. */
  judge(now: number, writing: boolean, paused: boolean): Verdict {
    if (this.#connection.state !== "OPEN") {
      const deadline = this.#started + this.#settings.handshakeInterval;
      return this.#settings.handshakeInterval > 0 && now >= deadline ? "handshake" : "fine";
    }
    if (
      this.#starved >= 0 &&
      now >= this.#starved + this.#settings.starvedInterval
    ) return "hungry";
    if (writing && now >= this.#stuckAt(paused)) return "stuck";
    if (paused) {
      if (now < this.#ponged + PAUSED_PONG_MS) return "fine";
      this.#ponged = now;
      // Behind output that nobody takes a PONG would only wait, and more of them each second.
      return this.#connection.knowsPing && !writing ? "pong" : "fine";
    }
    // libzmq can't answer while its own queue is full: blocked output is the write deadline's case.
    const blocked = writing && now > this.#progress;
    if (blocked) {
      this.#seen = this.#pinged = now;
      this.#asked = -1;
      return "fine";
    }
    const ttl = this.#connection.peerTtl;
    if (ttl > 0 && now >= this.#seen + ttl) return "dead";
    if (!this.#beats()) return "fine";
    if (this.#asked >= 0 && now >= this.#asked + this.#timeout()) return "dead";
    if (now >= this.#pinged + this.#settings.heartbeatInterval) {
      this.#pinged = now;
      if (this.#asked < 0) this.#asked = now;
      return "ping";
    }
    return "fine";
  }

  #beats(): boolean {
    return this.#settings.heartbeatInterval > 0 && this.#connection.knowsPing;
  }

  /** Silence after a PING that is death; as in libzmq, 0 means that none is. */
  #timeout(): number {
    const { heartbeatTimeout, heartbeatInterval } = this.#settings;
    if (heartbeatTimeout === 0) return Infinity;
    return heartbeatTimeout < 0 ? heartbeatInterval : heartbeatTimeout;
  }

  #patience(): number {
    return this.#settings.handshakeInterval;
  }

  /**
   * When output that makes no progress ends the connection. A write deadline is strict. Without one
   * a peer that shows life is only slow, however long: a full queue on its side is not its death.
   * And while we ourselves don't read it we can't know.
   */
  #stuckAt(paused: boolean): number {
    const { writeDeadline, heartbeatInterval } = this.#settings;
    if (writeDeadline > 0) return this.#progress + writeDeadline;
    if (heartbeatInterval === 0 || paused) return Infinity;
    return Math.max(this.#progress, this.#heard) + BLOCKED_MS;
  }
}
