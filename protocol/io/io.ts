/**
 * The one door to the world: network, clock, timers and randomness behind one type. Each back-end
 * is one file beside this one. A type alone; nothing here runs.
 *
 * Reads and writes are completions: one is asked for, and the sink is told once when it is done.
 * So a back-end may sit on promises or on callbacks, and no promise is needed per message.
 *
 * @module
 */

/** An address as the network knows it. */
export interface IoAddress {
  /** An IP address or a host name, without brackets. */
  readonly hostname: string;
  /** The port; 0 asks for a free one when listening. */
  readonly port: number;
}

/** Who is told what became of a connection's reads and writes. */
export interface IoSink {
  /** The read that was asked for brought `count` octets; 0 is the end of the peer's stream. */
  onRead(count: number): void;
  /** The write that was asked for took `count` octets, at least 1, perhaps not all. */
  onWritten(count: number): void;
  /** The connection failed. Told at most once, never after `close()`. */
  onFailed(error: Error): void;
}

/** One TCP connection. At most one read and one write are under way at a time. */
export interface IoConnection {
  readonly local: IoAddress;
  readonly remote: IoAddress;
  /** Says who is told. Called once, before the first read or write. */
  attach(sink: IoSink): void;
  /** Asks for octets. The buffer belongs to the back-end until `onRead`. Never completes at once. */
  read(into: Uint8Array): void;
  /** Asks to send octets. The buffer belongs to the back-end until `onWritten`. Never completes at once. */
  write(bytes: Uint8Array): void;
  /** Sends no more: the peer sees the end of our stream; reading goes on. */
  closeWrite(): void;
  /** Ends it. Nothing is told afterwards. May be called again. */
  close(): void;
}

/** A listening port. */
export interface IoListener {
  /** Where it really listens. */
  readonly address: IoAddress;
  /** The next connection. Rejects when a connection could not be taken, or after `close()`. */
  accept(): Promise<IoConnection>;
  /** Listens no more. */
  close(): void;
}

/** Something that can be cancelled. */
export type TimerId = number;

/** The world. */
export interface Io {
  /** Listens. Rejects with a SocketError: EADDRINUSE, EADDRNOTAVAIL, EACCES. */
  listen(address: IoAddress, backlog: number): Promise<IoListener>;
  /** Connects. Rejects with any Error; aborting rejects too and leaves nothing open. */
  connect(address: IoAddress, signal: AbortSignal): Promise<IoConnection>;
  /** Milliseconds of a clock that never jumps. */
  now(): number;
  /** Calls back once after that many milliseconds. */
  setTimer(callback: () => void, milliseconds: number): TimerId;
  /** Forgets a timer. */
  clearTimer(id: TimerId): void;
  /** A number from 0 up to, not including, 1. */
  random(): number;
}
