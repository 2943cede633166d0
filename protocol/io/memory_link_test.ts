import { assertEquals } from "@std/assert";
import type { IoConnection, IoListener, IoSink } from "./io.ts";
import { MemoryNetwork, type MemoryNetworkOptions } from "./memory_io.ts";
import type { MemoryLink } from "./memory_link.ts";

const PORT = { hostname: "127.0.0.1", port: 5555 };

function never(): AbortSignal {
  return new AbortController().signal;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

/** Notes what it is told, and reads on until told otherwise. */
class Recorder implements IoSink {
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

interface Pair {
  readonly network: MemoryNetwork;
  readonly listener: IoListener;
  readonly link: MemoryLink;
  readonly a: IoConnection;
  readonly b: IoConnection;
}

async function pair(options?: MemoryNetworkOptions): Promise<Pair> {
  const network = new MemoryNetwork(options);
  const listener = await network.io("broker").listen(PORT, 10);
  const connecting = network.io("worker").connect(PORT, never());
  await network.advance(options?.latency ?? 0);
  const [a, b] = await Promise.all([connecting, listener.accept()]);
  return { network, listener, link: network.connections[0]!, a, b };
}

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, permissions: "none", fn });
}

test("cut() fails both sides and loses what was under way", async () => {
  const { network, a, b } = await pair({ latency: 10 });
  const [atA, atB] = [new Recorder(a), new Recorder(b)];
  a.write(new Uint8Array([1]));
  await network.settle();
  assertEquals(network.cut("broker", "nobody"), 0);
  assertEquals(network.cut("broker", "worker"), 1);
  assertEquals(atA.notes, ["written 1"]);
  await network.advance(100);
  assertEquals(atA.notes, ["written 1", "failed ECONNRESET"]);
  assertEquals(atB.notes, ["failed ECONNRESET"]);
  assertEquals(network.connections.length, 0);
});

test("cut() before attach() is told after it, and not after close()", async () => {
  const { network, a, b, link } = await pair();
  link.cut();
  const atA = new Recorder(a);
  b.close();
  const atB = new Recorder(b);
  await network.settle();
  assertEquals(atA.notes, ["failed ECONNRESET"]);
  assertEquals(atB.notes, []);
});

test("halfOpen() lets octets and the end vanish both ways", async () => {
  const { network, a, b, link } = await pair({ latency: 5, window: 10 });
  const [atA, atB] = [new Recorder(a), new Recorder(b)];
  a.write(new Uint8Array(4));
  await network.settle();
  link.halfOpen();
  a.write(new Uint8Array(100));
  b.write(new Uint8Array(100));
  await network.advance(100);
  a.close();
  await network.advance(100);
  assertEquals(atA.notes, ["written 4", "written 100"]);
  assertEquals(atB.notes, ["written 100"]);
  assertEquals(network.connections, [link]);
});

test("stall() fills the window of one direction until released", async () => {
  const { network, a, b, link } = await pair({ window: 10 });
  const [atA, atB] = [new Recorder(a), new Recorder(b)];
  link.stall("out");
  a.write(new Uint8Array(10));
  b.write(new Uint8Array(3));
  await network.settle();
  a.write(new Uint8Array(1));
  await network.settle();
  assertEquals(atA.octets.length, 3);
  assertEquals(atB.octets.length, 0);
  assertEquals(link.held("out"), 10);
  link.stall("out", false);
  await network.settle();
  assertEquals(atB.octets.length, 11);
  assertEquals(link.held(), 0);
});

test("delay() slows one direction", async () => {
  const { network, a, b, link } = await pair();
  const [atA, atB] = [new Recorder(a), new Recorder(b)];
  link.delay(50, "in");
  a.write(new Uint8Array(1));
  b.write(new Uint8Array(1));
  await network.settle();
  assertEquals([atA.octets.length, atB.octets.length], [0, 1]);
  await network.advance(49);
  assertEquals(atA.octets.length, 0);
  await network.advance(1);
  assertEquals(atA.octets.length, 1);
});

test("dropAfter() cuts after exactly so many octets", async () => {
  const { network, a, b, link } = await pair();
  const [atA, atB] = [new Recorder(a), new Recorder(b)];
  link.dropAfter(5);
  a.write(new Uint8Array(3));
  b.write(new Uint8Array(1));
  await network.settle();
  a.write(new Uint8Array(9));
  await network.settle();
  assertEquals(atA.octets.length + atB.octets.length, 5);
  assertEquals(atB.notes.at(-1), "failed ECONNRESET");
  assertEquals(atA.notes.at(-1), "failed ECONNRESET");
});
