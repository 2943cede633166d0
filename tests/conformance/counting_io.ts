/**
 * A world with a tally: every read and write of every connection is written down in the
 * order in which it happens, so that a test can count system calls.
 *
 * @module
 */
import { denoIo } from "../../protocol/io/deno_io.ts";
import type { Io, IoAddress, IoConnection, IoListener, IoSink } from "../../protocol/io/io.ts";

/** One read that completed or one write that began. */
export interface Call {
  readonly kind: "read" | "write";
  /** The port of the other side: says which connection it was. */
  readonly port: number;
  readonly bytes: number;
}

/** Deno's network unless told another one, counted. */
export class CountingIo implements Io {
  /** All calls so far, the oldest first. */
  readonly calls: Call[] = [];
  readonly #io: Io;

  constructor(io: Io = denoIo()) {
    this.#io = io;
  }

  async listen(address: IoAddress, backlog: number): Promise<IoListener> {
    const listener = await this.#io.listen(address, backlog);
    return {
      address: listener.address,
      accept: async () => this.#counted(await listener.accept()),
      close: () => listener.close(),
    };
  }

  async connect(address: IoAddress, signal: AbortSignal): Promise<IoConnection> {
    return this.#counted(await this.#io.connect(address, signal));
  }

  now(): number {
    return this.#io.now();
  }

  setTimer(callback: () => void, milliseconds: number): number {
    return this.#io.setTimer(callback, milliseconds);
  }

  clearTimer(id: number): void {
    this.#io.clearTimer(id);
  }

  random(): number {
    return this.#io.random();
  }

  /** The calls of one kind, to or from one port if it is given. */
  count(kind: Call["kind"], port?: number): number {
    return this.calls.filter((it) => it.kind === kind && (port === undefined || it.port === port))
      .length;
  }

  #counted(connection: IoConnection): IoConnection {
    const { local, remote } = connection;
    const note = (kind: Call["kind"], bytes: number) =>
      void this.calls.push({ kind, port: remote.port, bytes });
    return {
      local,
      remote,
      attach: (sink: IoSink) =>
        connection.attach({
          onRead: (count) => {
            note("read", count);
            sink.onRead(count);
          },
          onWritten: (count) => sink.onWritten(count),
          onFailed: (error) => sink.onFailed(error),
        }),
      read: (into) => connection.read(into),
      write: (bytes) => {
        note("write", bytes.length);
        connection.write(bytes);
      },
      closeWrite: () => connection.closeWrite(),
      setKeepAlive: (on) => connection.setKeepAlive(on),
      close: () => connection.close(),
    };
  }
}
