/**
 * A world that is watched: whoever taps it sees the octets that are read and written, is told after
 * each thing that the process did, and knows how many of its timers are set.
 *
 * @module
 */
import type {
  Io,
  IoAddress,
  IoConnection,
  IoListener,
  IoSink,
  TimerId,
} from "../../protocol/io/io.ts";

/** Who watches. */
export interface Tap {
  /** Octets were read, or are to be written. */
  wire(bytes: Uint8Array, from: number, to: number): void;
  /** The process has done something, and is done with it. */
  after(): void;
}

/** A world that is watched. */
export class TappedIo implements Io {
  readonly #world: Io;
  readonly #tap: Tap;
  readonly #timers: Set<TimerId> = new Set();

  constructor(world: Io, tap: Tap) {
    this.#world = world;
    this.#tap = tap;
  }

  /** Timers that are set. */
  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#world.now();
  }

  random(): number {
    return this.#world.random();
  }

  setTimer(callback: () => void, milliseconds: number): TimerId {
    const id = this.#world.setTimer(() => {
      this.#timers.delete(id);
      callback();
      this.#tap.after();
    }, milliseconds);
    this.#timers.add(id);
    return id;
  }

  clearTimer(id: TimerId): void {
    this.#timers.delete(id);
    this.#world.clearTimer(id);
  }

  async listen(address: IoAddress, backlog: number): Promise<IoListener> {
    const listener = await this.#world.listen(address, backlog);
    return {
      address: listener.address,
      accept: async () => this.#watch(await listener.accept()),
      close: () => listener.close(),
    };
  }

  async connect(address: IoAddress, signal: AbortSignal): Promise<IoConnection> {
    return this.#watch(await this.#world.connect(address, signal));
  }

  #watch(connection: IoConnection): IoConnection {
    const tap = this.#tap;
    let buffer = new Uint8Array(0);
    const watched = (sink: IoSink): IoSink => ({
      onRead: (count) => {
        tap.wire(buffer, 0, count);
        sink.onRead(count);
        tap.after();
      },
      onWritten: (count) => {
        sink.onWritten(count);
        tap.after();
      },
      onFailed: (error) => {
        sink.onFailed(error);
        tap.after();
      },
    });
    return {
      local: connection.local,
      remote: connection.remote,
      attach: (sink) => connection.attach(watched(sink)),
      read: (into) => {
        buffer = into as Uint8Array<ArrayBuffer>;
        connection.read(into);
      },
      write: (bytes) => {
        tap.wire(bytes, 0, bytes.length);
        connection.write(bytes);
      },
      closeWrite: () => connection.closeWrite(),
      setKeepAlive: (on) => connection.setKeepAlive(on),
      close: () => connection.close(),
    };
  }
}
