/**
 * The world as Deno gives it. The only file that uses Deno's network, its clock, its timers and its
 * randomness; it knows nothing of ZMTP.
 *
 * Deno.listen sets SO_REUSEADDR: a port can be bound again while old connections are in TIME_WAIT
 * or even open. Deno.connect tries IPv6 and IPv4 addresses of a name in turn (Happy Eyeballs), so
 * `localhost` reaches a listener of either kind. Its signal ends a connect under way and leaves an
 * established connection alone.
 *
 * @module
 */
import { SocketError } from "../errors.ts";
import { formatEndpoint } from "./endpoint.ts";
import type { Io, IoAddress, IoConnection, IoListener, IoSink, TimerId } from "./io.ts";

/** The longest time that setTimeout can wait; a longer timer calls back early, after 24.8 days. */
const LONGEST_TIMER = 0x7fff_ffff;
/** Milliseconds: the shortest time that setTimeout knows. */
const MOMENT = 1;
/** Random numbers drawn from the system at a time. */
const RANDOM_BATCH = 64;

/**
 * The real world: TCP, the monotonic clock, the system's randomness.
 *
 * @example
 * ```ts
 * import { denoIo } from "./deno_io.ts";
 *
 * const io = denoIo();
 * const listener = await io.listen({ hostname: "127.0.0.1", port: 0 }, 100);
 * listener.close();
 * ```
 */
export function denoIo(): Io {
  return new DenoIo();
}

class DenoIo implements Io {
  readonly #random = new Uint32Array(RANDOM_BATCH);
  #randomLeft = 0;

  // Deno.listen throws at once; `async` makes that a rejection, as the type says.
  // deno-lint-ignore require-await
  async listen(address: IoAddress, backlog: number): Promise<IoListener> {
    const { hostname, port } = address;
    try {
      return new DenoListener(
        Deno.listen({ hostname, port, tcpBacklog: backlog }),
      );
    } catch (error) {
      throw listenError(address, error);
    }
  }

  async connect(
    address: IoAddress,
    signal: AbortSignal,
  ): Promise<IoConnection> {
    signal.throwIfAborted();
    const { hostname, port } = address;
    let conn: Deno.TcpConn;
    try {
      conn = await Deno.connect({ hostname, port, signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : connectError(address, error);
    }
    if (signal.aborted) {
      conn.close();
      throw signal.reason;
    }
    return new DenoConnection(conn);
  }

  now(): number {
    return performance.now();
  }

  setTimer(callback: () => void, milliseconds: number): TimerId {
    // Deno gives an object that stands for a number, and takes that number back.
    return Number(setTimeout(
      callback,
      Math.min(Math.ceil(milliseconds), LONGEST_TIMER),
    ));
  }

  moment(callback: () => void): TimerId {
    return this.setTimer(callback, MOMENT);
  }

  clearTimer(id: TimerId): void {
    clearTimeout(id);
  }

  random(): number {
    if (this.#randomLeft === 0) {
      crypto.getRandomValues(this.#random);
      this.#randomLeft = RANDOM_BATCH;
    }
    return this.#random[--this.#randomLeft]! / 0x1_0000_0000;
  }
}

class DenoListener implements IoListener {
  readonly address: IoAddress;
  readonly #listener: Deno.TcpListener;
  #closed = false;

  constructor(listener: Deno.TcpListener) {
    this.#listener = listener;
    this.address = plainAddress(listener.addr);
  }

  async accept(): Promise<IoConnection> {
    if (this.#closed) throw closedError();
    let conn: Deno.TcpConn;
    try {
      conn = await this.#listener.accept();
    } catch (error) {
      throw this.#closed ? closedError() : error;
    }
    if (!this.#closed) return new DenoConnection(conn);
    conn.close();
    throw closedError();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listener.close();
  }
}

/** A connection. The callbacks are bound once, so that a read or a write makes no closure. */
class DenoConnection implements IoConnection {
  readonly local: IoAddress;
  readonly remote: IoAddress;
  readonly #conn: Deno.TcpConn;
  #sink: IoSink | undefined;
  /** Closed by the owner, or failed: nothing more is told, late rejections are swallowed. */
  #over = false;
  #reading = false;
  #writing = false;

  constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
    this.local = plainAddress(conn.localAddr);
    this.remote = plainAddress(conn.remoteAddr);
    try {
      conn.setNoDelay();
    } catch {
      // The peer is gone already; the first read says so.
    }
  }

  attach(sink: IoSink): void {
    if (this.#sink !== undefined) {
      throw new Error("Cannot attach: the connection has a sink");
    }
    this.#sink = sink;
  }

  read(into: Uint8Array): void {
    if (this.#over) return;
    if (this.#reading) throw new Error("Cannot read: a read is under way");
    if (into.length === 0) throw new RangeError("Cannot read: no room");
    this.#reading = true;
    this.#conn.read(into).then(this.#onRead, this.#onError);
  }

  write(bytes: Uint8Array): void {
    if (this.#over) return;
    if (this.#writing) throw new Error("Cannot write: a write is under way");
    if (bytes.length === 0) throw new RangeError("Cannot write: no octets");
    this.#writing = true;
    this.#conn.write(bytes).then(this.#onWritten, this.#onError);
  }

  closeWrite(): void {
    if (this.#over) return;
    // A failure means that the peer is gone; the read under way tells that.
    this.#conn.closeWrite().catch(ignore);
  }

  setKeepAlive(on: boolean): void {
    if (!this.#over) this.#conn.setKeepAlive(on);
  }

  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#conn.close();
  }

  readonly #onRead = (count: number | null): void => {
    this.#reading = false;
    if (this.#over) return;
    try {
      this.#sink!.onRead(count ?? 0);
    } catch (error) {
      this.#onThrow(error);
    }
  };

  readonly #onWritten = (count: number): void => {
    this.#writing = false;
    if (this.#over) return;
    try {
      this.#sink!.onWritten(count);
    } catch (error) {
      this.#onThrow(error);
    }
  };

  readonly #onError = (error: unknown): void => {
    if (this.#over) return;
    this.close();
    try {
      this.#sink!.onFailed(asError(error));
    } catch (thrown) {
      reportError(thrown);
    }
  };

  /** A sink that throws loses this connection and no other. What nobody can be told is reported. */
  #onThrow(error: unknown): void {
    if (this.#over) reportError(error);
    else this.#onError(error);
  }
}

function ignore(): void {}

function closedError(): SocketError {
  return new SocketError("EBADF", "Cannot accept: the listener is closed");
}

function plainAddress(address: Deno.NetAddr): IoAddress {
  return { hostname: address.hostname, port: address.port };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function notAllowed(act: string, cause: unknown): SocketError {
  return new SocketError(
    "EACCES",
    `Cannot ${act}: Deno was not given --allow-net for this address`,
    { cause },
  );
}

function listenError(address: IoAddress, cause: unknown): SocketError {
  const act = `bind ${formatEndpoint(address)}`;
  if (cause instanceof Deno.errors.NotCapable) return notAllowed(act, cause);
  if (cause instanceof Deno.errors.PermissionDenied) {
    return new SocketError(
      "EACCES",
      `Cannot ${act}: the system does not allow this port, or Deno was not given --allow-net`,
      { cause },
    );
  }
  if (cause instanceof Deno.errors.AddrInUse) {
    return new SocketError(
      "EADDRINUSE",
      `Cannot ${act}: the port is in use`,
      { cause },
    );
  }
  if (cause instanceof Deno.errors.AddrNotAvailable) {
    return new SocketError(
      "EADDRNOTAVAIL",
      `Cannot ${act}: this machine has no such address`,
      { cause },
    );
  }
  // A name that can't be looked up is a plain Error without a code.
  return new SocketError(
    "EADDRNOTAVAIL",
    `Cannot ${act}: ${asError(cause).message}`,
    { cause },
  );
}

function connectError(address: IoAddress, cause: unknown): Error {
  const act = `connect to ${formatEndpoint(address)}`;
  if (cause instanceof Deno.errors.NotCapable) return notAllowed(act, cause);
  const error = asError(cause);
  if (error.constructor !== Error || "code" in error) return error;
  return new SocketError(
    "EADDRNOTAVAIL",
    `Cannot ${act}: ${error.message}`,
    { cause },
  );
}
