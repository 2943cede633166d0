/**
 * The one door to the world: network, clock, timers and randomness behind one type. Each back-end
 * is one file beside this one. A type alone; nothing here runs.
 *
 * Reads and writes are completions: one is asked for, and the sink is told once when it is done.
 * So a back-end may sit on promises or on callbacks, and no promise is needed per message.
 *
 * @module
 */

/**
 * An address as the network knows it.
 *
 * @example
 * ```ts
 * import type { IoAddress } from "./io.ts";
 *
 * const anyFreePort: IoAddress = { hostname: "127.0.0.1", port: 0 };
 * ```
 */
export interface IoAddress {
  /** An IP address or a host name, without brackets. */
  readonly hostname: string;
  /** The port; 0 asks for a free one when listening. */
  readonly port: number;
}

/**
 * Who is told what became of a connection's reads and writes.
 *
 * @example
 * ```ts
 * import type { IoSink } from "./io.ts";
 *
 * const told: string[] = [];
 * const sink: IoSink = {
 *   onRead: (count) => told.push(`read ${count}`),
 *   onWritten: (count) => told.push(`wrote ${count}`),
 *   onFailed: (error) => told.push(error.message),
 * };
 * ```
 */
export interface IoSink {
  /** The read that was asked for brought `count` octets; 0 is the end of the peer's stream. */
  onRead(count: number): void;
  /** The write that was asked for took `count` octets, at least 1, perhaps not all. */
  onWritten(count: number): void;
  /** The connection failed. Told at most once, never after `close()`. */
  onFailed(error: Error): void;
}

/**
 * One TCP connection. At most one read and one write are under way at a time.
 *
 * @example
 * ```ts
 * import type { IoConnection } from "./io.ts";
 * import { MemoryNetwork } from "./memory_io.ts";
 *
 * const network = new MemoryNetwork();
 * const address = { hostname: "127.0.0.1", port: 5555 };
 * const listener = await network.io("there").listen(address, 10);
 * const accepted = listener.accept();
 * const signal = new AbortController().signal;
 * const connection: IoConnection = await network.io("here").connect(address, signal);
 * await accepted;
 * connection.close();
 * ```
 */
export interface IoConnection {
  /** Where we are. */
  readonly local: IoAddress;
  /** Where the peer is. */
  readonly remote: IoAddress;
  /** Says who is told. Called once, before the first read or write. */
  attach(sink: IoSink): void;
  /** Asks for octets. The buffer belongs to the back-end until `onRead`. Never completes at once. */
  read(into: Uint8Array): void;
  /** Asks to send octets. The buffer belongs to the back-end until `onWritten`. Never completes at once. */
  write(bytes: Uint8Array): void;
  /** Sends no more: the peer sees the end of our stream; reading goes on. */
  closeWrite(): void;
  /** Has the system probe an idle connection, or not; without this its own setting holds. */
  setKeepAlive(on: boolean): void;
  /** Ends it. Nothing is told afterwards. May be called again. */
  close(): void;
}

/**
 * A listening port.
 *
 * @example
 * ```ts
 * import type { IoListener } from "./io.ts";
 * import { MemoryNetwork } from "./memory_io.ts";
 *
 * const io = new MemoryNetwork().io();
 * const listener: IoListener = await io.listen({ hostname: "127.0.0.1", port: 0 }, 10);
 * if (listener.address.port === 0) throw new Error("no port was picked");
 * listener.close();
 * ```
 */
export interface IoListener {
  /** Where it really listens. */
  readonly address: IoAddress;
  /** The next connection. Rejects when a connection could not be taken, or after `close()`. */
  accept(): Promise<IoConnection>;
  /** Listens no more. */
  close(): void;
}

/**
 * A timer that can be cancelled.
 *
 * @example
 * ```ts
 * import type { TimerId } from "./io.ts";
 * import { MemoryNetwork } from "./memory_io.ts";
 *
 * const io = new MemoryNetwork().io();
 * const timer: TimerId = io.setTimer(() => {}, 1000);
 * io.clearTimer(timer);
 * ```
 */
export type TimerId = number;

/**
 * The world as a socket sees it: network, clock, timers, randomness.
 *
 * @example
 * ```ts
 * import type { Io } from "./io.ts";
 * import { MemoryNetwork } from "./memory_io.ts";
 *
 * const network = new MemoryNetwork({ seed: 7 });
 * const io: Io = network.io("here");
 * let rang = false;
 * io.setTimer(() => rang = true, 50);
 * await network.advance(50);
 * if (!rang || io.now() !== 50) throw new Error("time stood still");
 * ```
 */
export interface Io {
  /** Listens. Rejects with a SocketError: EADDRINUSE, EADDRNOTAVAIL, EACCES. */
  listen(address: IoAddress, backlog: number): Promise<IoListener>;
  /** Connects. Rejects with any Error; aborting rejects too and leaves nothing open. */
  connect(address: IoAddress, signal: AbortSignal): Promise<IoConnection>;
  /** Milliseconds of a clock that never jumps. */
  now(): number;
  /** Calls back once after that many milliseconds. */
  setTimer(callback: () => void, milliseconds: number): TimerId;
  /**
   * Calls back once after the shortest time that counts, in which the network gets on; `clearTimer()`
   * forgets it too. Only where time passes by itself: nobody waits for it on a clock that is moved.
   */
  moment?(callback: () => void): TimerId;
  /** Forgets a timer. */
  clearTimer(id: TimerId): void;
  /** A number from 0 up to, not including, 1. */
  random(): number;
}
