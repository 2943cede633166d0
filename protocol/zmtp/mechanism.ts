/**
 * A security mechanism: what happens between the greeting and the first message. NULL is one; the
 * seam is here so that another (CURVE) can take its place.
 *
 * @module
 */
import type { Metadata } from "./metadata.ts";

/** One side of one connection's handshake. Commands are given as ranges of a buffer. */
export interface Mechanism {
  /** The name in the greeting, at most 20 ASCII letters. */
  readonly name: string;
  /** Whether the as-server octet is set. */
  readonly asServer: boolean;
  /** Both greetings are through: the command to send first, or undefined to wait for the peer's. */
  begin(): Uint8Array | undefined;
  /**
   * A command arrived before the handshake was complete. Gives what to do next, or throws the
   * peer's fault.
   */
  receive(bytes: Uint8Array, start: number, end: number): HandshakeStep;
}

/** What follows from one command of a handshake. */
export interface HandshakeStep {
  /** A command to send, if any; it goes out before anything else. */
  readonly reply: Uint8Array | undefined;
  /** The peer's properties once the handshake is complete. */
  readonly properties: Metadata | undefined;
  /** The reason of an ERROR that came instead: the peer will not have us. */
  readonly refused: string | undefined;
}

/** Makes a mechanism for each connection. */
export type MechanismFactory = () => Mechanism;
