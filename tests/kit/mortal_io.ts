/**
 * A process that can be killed, seen as its view of the world: once dead it listens no more, connects
 * no more, and none of its timers rings.
 *
 * @module
 */
import type { Io, IoAddress, IoConnection, IoListener, TimerId } from "../../protocol/io/io.ts";
import type { MemoryNetwork } from "../../protocol/io/memory_io.ts";

/** The world of one host until it dies. */
export class MortalIo implements Io {
  readonly #network: MemoryNetwork;
  readonly #host: string;
  readonly #io: Io;
  readonly #listeners: Set<IoListener> = new Set();
  #dead = false;

  constructor(network: MemoryNetwork, host: string) {
    this.#network = network;
    this.#host = host;
    this.#io = network.io(host);
  }

  /**
   * Dies as a process does at kill -9. All its connections are reset, and what is under way is lost;
   * with `plainly` they are closed, and what it has written still arrives.
   */
  die(plainly = false): void {
    this.#dead = true;
    for (const listener of this.#listeners) listener.close();
    if (!plainly) return this.cut();
    for (const { from, fromEnd, toEnd } of this.#network.between(this.#host)) {
      (from.host === this.#host ? fromEnd : toEnd).close();
    }
  }

  /** Loses its connections and lives on. */
  cut(): void {
    this.#network.cut(this.#host);
  }

  /** Is cut off without knowing it: nothing it sends arrives, and nothing arrives at it. */
  isolate(): void {
    for (const link of this.#network.between(this.#host)) link.halfOpen();
  }

  async listen(address: IoAddress, backlog: number): Promise<IoListener> {
    const listener = await this.#io.listen(address, backlog);
    this.#listeners.add(listener);
    return listener;
  }

  async connect(address: IoAddress, signal: AbortSignal): Promise<IoConnection> {
    if (!this.#dead) {
      const connection = await this.#io.connect(address, signal);
      if (!this.#dead) return connection;
      // It died while it was connecting.
      connection.close();
    }
    return await new Promise(() => {});
  }

  now(): number {
    return this.#io.now();
  }

  setTimer(callback: () => void, milliseconds: number): TimerId {
    if (this.#dead) return 0;
    return this.#io.setTimer(() => this.#dead || callback(), milliseconds);
  }

  clearTimer(id: TimerId): void {
    this.#io.clearTimer(id);
  }

  random(): number {
    return this.#io.random();
  }
}
