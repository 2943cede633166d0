/**
 * A TCP relay that counts heartbeat commands and can fall silent, so that a test waits for what
 * passes on the wire instead of sleeping.
 *
 * @module
 */

/** How long `seen` waits at most. */
const PATIENCE_MS = 8000;

interface Waiting {
  readonly command: string;
  readonly count: number;
  readonly done: () => void;
}

/** A relay on a port of its own. */
export class WatchedWire implements AsyncDisposable {
  #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  #port = 0;
  #silent = false;
  #connections = new Set<Deno.TcpConn>();
  #running = new Set<Promise<void>>();
  #counts = { out: new Map<string, number>(), back: new Map<string, number>() };
  #waiting = new Set<Waiting>();
  #accepting = this.#accept();

  /** Leads to an endpoint; returns the endpoint to connect to instead. */
  to(endpoint: string): string {
    this.#port = Number(endpoint.slice(endpoint.lastIndexOf(":") + 1));
    return `tcp://127.0.0.1:${this.#listener.addr.port}`;
  }

  /** Waits until both directions have carried a command `count` times. */
  seen(command: "PING" | "PONG", count: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => reject(new Error(`No ${count} ${command} each way, but ${this.#summary()}`)),
      PATIENCE_MS,
    );
    const waiting = { command, count, done: resolve };
    this.#waiting.add(waiting);
    this.#check();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    });
  }

  /** Passes nothing on any more, not even that a side has left: each has to notice by itself. */
  silence(): void {
    this.#silent = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#connections) close(connection);
    await this.#accepting;
    await Promise.all(this.#running);
  }

  async #accept(): Promise<void> {
    for await (const near of this.#listener) {
      this.#connections.add(near);
      const relay = this.#relay(near);
      this.#running.add(relay);
      relay.finally(() => this.#running.delete(relay));
    }
  }

  async #relay(near: Deno.TcpConn): Promise<void> {
    if (this.#silent) return;
    const far = await Deno.connect({ hostname: "127.0.0.1", port: this.#port }).catch(() =>
      undefined
    );
    if (!far) return close(near);
    this.#connections.add(far);
    await Promise.all([
      this.#pass(near, far, this.#counts.out),
      this.#pass(far, near, this.#counts.back),
    ]);
  }

  async #pass(from: Deno.TcpConn, to: Deno.TcpConn, counts: Map<string, number>): Promise<void> {
    const buffer = new Uint8Array(65536);
    try {
      for (let size; (size = await from.read(buffer)) !== null;) {
        if (this.#silent) continue;
        const piece = buffer.subarray(0, size);
        count(piece, counts);
        this.#check();
        for (let done = 0; done < size;) done += await to.write(piece.subarray(done));
      }
    } catch {
      // One end was cut.
    }
    if (this.#silent) return; // not even the end of one side reaches the other
    close(from);
    close(to);
  }

  #check(): void {
    for (const { command, count, done } of this.#waiting) {
      const { out, back } = this.#counts;
      if ((out.get(command) ?? 0) >= count && (back.get(command) ?? 0) >= count) done();
    }
  }

  #summary(): string {
    return JSON.stringify({ out: [...this.#counts.out], back: [...this.#counts.back] });
  }
}

/** Counts command names with their length octet. In idle traffic none is cut in two. */
function count(piece: Uint8Array, counts: Map<string, number>): void {
  const text = new TextDecoder("latin1").decode(piece);
  for (const command of ["PING", "PONG"]) {
    const found = text.split(`\x04${command}`).length - 1;
    if (found > 0) counts.set(command, (counts.get(command) ?? 0) + found);
  }
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // It was closed before.
  }
}
