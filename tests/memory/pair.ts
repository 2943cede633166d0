/**
 * What the tests of the network in memory share: two hosts that are connected, and somebody at each
 * end who notes what he is told.
 *
 * @module
 */
import type { IoConnection, IoListener, IoSink } from "../../protocol/io/io.ts";
import { MemoryNetwork, type MemoryNetworkOptions } from "../../protocol/io/memory_io.ts";
import type { MemoryLink } from "../../protocol/io/memory_link.ts";

/** Where the one listens. */
export const PORT = { hostname: "127.0.0.1", port: 5555 };

/** A signal that never fires. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** The code of an error. */
export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

/** Notes what it is told, and reads on until told otherwise. */
export class Recorder implements IoSink {
  readonly notes: string[] = [];
  readonly octets: number[] = [];
  readonly #connection: IoConnection;
  readonly #into: Uint8Array;
  reading = true;

  constructor(connection: IoConnection, room = 1024, reading = true) {
    this.#connection = connection;
    this.#into = new Uint8Array(room);
    this.reading = reading;
    connection.attach(this);
    if (reading) connection.read(this.#into);
  }

  onRead(count: number): void {
    this.notes.push(`read ${count}`);
    this.octets.push(...this.#into.subarray(0, count));
    if (count > 0 && this.reading) this.#connection.read(this.#into);
  }

  resume(): void {
    this.reading = true;
    this.#connection.read(this.#into);
  }

  onWritten(count: number): void {
    this.notes.push(`written ${count}`);
  }

  onFailed(error: Error): void {
    this.notes.push(`failed ${codeOf(error) ?? error.message}`);
  }
}

/** Two hosts that are connected. */
export interface Pair {
  readonly network: MemoryNetwork;
  readonly listener: IoListener;
  readonly link: MemoryLink;
  readonly a: IoConnection;
  readonly b: IoConnection;
}

/** Connects two hosts. */
export async function pair(options?: MemoryNetworkOptions): Promise<Pair> {
  const network = new MemoryNetwork(options);
  const listener = await network.io("broker").listen(PORT, 10);
  const connecting = network.io("worker").connect(PORT, never());
  await network.advance(options?.latency ?? 0);
  const [a, b] = await Promise.all([connecting, listener.accept()]);
  return { network, listener, link: network.connections[0]!, a, b };
}

/** A test with no permission. */
export function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, permissions: "none", fn });
}
