import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { SocketError } from "../errors.ts";
import { MemoryNetwork } from "./memory_io.ts";
import { codeOf, never, pair, PORT, Recorder, test } from "../../tests/memory/pair.ts";

test("connect() joins two hosts that the network lists", async () => {
  const { network, a, b, link } = await pair();
  assertEquals([link.from.host, link.to.host], ["worker", "broker"]);
  assertEquals(a.remote, PORT);
  assertEquals(b.local, PORT);
  assertEquals(a.local, b.remote);
  a.close();
  assertEquals(network.connections.length, 1);
  b.close();
  assertEquals(network.connections.length, 0);
});

test("write() and read() carry octets, never at once", async () => {
  const { network, a, b } = await pair();
  const [atA, atB] = [new Recorder(a), new Recorder(b, 2)];
  a.write(new Uint8Array([1, 2, 3]));
  assertEquals([...atA.notes, ...atB.notes], []);
  await network.settle();
  assertEquals(atA.notes, ["written 3"]);
  assertEquals(atB.notes, ["read 2", "read 1"]);
  assertEquals(atB.octets, [1, 2, 3]);
});

test("write() takes what the window holds and then waits for the reader", async () => {
  const { network, a, b, link } = await pair({ window: 10 });
  const [atA, atB] = [new Recorder(a), new Recorder(b, 4, false)];
  a.write(new Uint8Array(25));
  await network.settle();
  assertEquals(atA.notes, ["written 10"]);
  assertEquals(link.held("out"), 10);
  a.write(new Uint8Array(15));
  await network.settle();
  assertEquals(atA.notes, ["written 10"]);
  atB.resume();
  await network.settle();
  assertEquals(atA.notes[1], "written 4");
  assertEquals(atB.octets.length, 14);
});

test("closeWrite() ends one direction after what was written", async () => {
  const { network, a, b } = await pair();
  const [atA, atB] = [new Recorder(a), new Recorder(b)];
  a.write(new Uint8Array([1]));
  a.closeWrite();
  b.write(new Uint8Array([2]));
  await network.settle();
  assertEquals(atB.notes.filter((note) => note.startsWith("read")), ["read 1", "read 0"]);
  assertEquals(atA.octets, [2]);
});

test("close() tells nothing afterwards; the peer sees the end, then a broken pipe", async () => {
  const { network, a, b } = await pair();
  const [atA, atB] = [new Recorder(a), new Recorder(b)];
  a.write(new Uint8Array([1]));
  await network.settle();
  a.write(new Uint8Array([2]));
  a.close();
  a.close();
  a.read(new Uint8Array(1));
  await network.settle();
  assertEquals(atA.notes, ["written 1"]);
  assertEquals(atB.notes, ["read 1", "read 0"]);
  b.write(new Uint8Array(3));
  await network.settle();
  b.write(new Uint8Array(3));
  await network.settle();
  assertEquals(atB.notes.slice(2), ["written 3", "failed EPIPE"]);
  assertEquals(network.connections.length, 0);
});

test("a sink that throws loses its connection and no other", async () => {
  const { network, a, b } = await pair();
  const told: string[] = [];
  const atA = new Recorder(a);
  b.attach({
    onRead: () => {
      throw new Error("a bug");
    },
    onWritten: () => {},
    onFailed: (error) => told.push(error.message),
  });
  b.read(new Uint8Array(1));
  a.write(new Uint8Array([1]));
  await network.settle();
  assertEquals(told, ["a bug"]);
  assertEquals(atA.notes, ["written 1", "read 0"]);
});

test("listen() picks free ports and refuses ports in use", async () => {
  const network = new MemoryNetwork();
  const io = network.io();
  const one = await io.listen({ hostname: "127.0.0.1", port: 0 }, 1);
  const two = await io.listen({ hostname: "127.0.0.1", port: 0 }, 1);
  assert(one.address.port !== two.address.port);
  const any = { hostname: "0.0.0.0", port: one.address.port };
  const error = await assertRejects(() => io.listen(any, 1), SocketError);
  assertEquals(error.code, "EADDRINUSE");
  one.close();
  (await io.listen(any, 1)).close();
});

test("connect() reaches a listener on any interface, by each loopback name", async () => {
  const network = new MemoryNetwork();
  const io = network.io("broker");
  await io.listen({ hostname: "0.0.0.0", port: 1 }, 9);
  await io.listen({ hostname: "127.0.0.1", port: 2 }, 9);
  for (const hostname of ["10.0.0.1", "localhost", "broker"]) {
    (await io.connect({ hostname, port: 1 }, never())).close();
  }
  for (const hostname of ["localhost", "127.0.0.1", "broker"]) {
    (await io.connect({ hostname, port: 2 }, never())).close();
  }
  const error = await assertRejects(() => io.connect({ hostname: "10.0.0.1", port: 2 }, never()));
  assertEquals(codeOf(error), "ECONNREFUSED");
});

test("connect() is refused without a listener, by refuse(), or by a full backlog", async () => {
  const network = new MemoryNetwork();
  const io = network.io();
  const refused = async () => {
    const error = await assertRejects(() => io.connect(PORT, never()));
    assertEquals(codeOf(error), "ECONNREFUSED");
  };
  await refused();
  const listener = await io.listen(PORT, 1);
  network.refuse(5555);
  await refused();
  network.refuse("tcp://127.0.0.1:5555", false);
  await io.connect(PORT, never());
  await refused();
  await listener.accept();
  await io.connect(PORT, never());
});

test("connect() rejects when aborted and leaves nothing open", async () => {
  const network = new MemoryNetwork({ latency: 10 });
  const io = network.io();
  await io.listen(PORT, 1);
  const reason = new Error("enough");
  assertEquals(
    await assertRejects(() => io.connect(PORT, AbortSignal.abort(reason))),
    reason,
  );
  const controller = new AbortController();
  const late = assertRejects(() => io.connect(PORT, controller.signal));
  await network.advance(9);
  controller.abort(reason);
  assertEquals(await late, reason);
  await network.advance(100);
  assertEquals(network.connections.length, 0);
});

test("IoListener.close() rejects accept() and resets who waits", async () => {
  const network = new MemoryNetwork();
  const io = network.io();
  const idle = await io.listen(PORT, 5);
  const pending = assertRejects(() => idle.accept(), SocketError, "closed");
  idle.close();
  await pending;
  await assertRejects(() => idle.accept(), SocketError, "closed");
  const busy = await io.listen(PORT, 5);
  const waiting = new Recorder(await io.connect(PORT, never()));
  busy.close();
  await network.settle();
  assertEquals(waiting.notes, ["failed ECONNRESET"]);
  assertEquals(network.connections.length, 0);
});

test("latency delays connecting and each delivery, in order under jitter", async () => {
  const { network, a, b } = await pair({ latency: 10, jitter: 50, seed: 3 });
  assertEquals(network.now, 10);
  const [atA, atB] = [new Recorder(a), new Recorder(b)];
  for (let i = 0; i < 20; i++) {
    a.write(new Uint8Array([i]));
    await network.settle();
  }
  assertEquals(atA.notes.length, 20);
  assertEquals(atB.notes, []);
  await network.advance(60);
  assertEquals(atB.octets, Array.from({ length: 20 }, (_, i) => i));
});

test("advance() gives the same run for the same seed", async () => {
  const run = async (seed: number): Promise<string> => {
    const { network, a, b } = await pair({ latency: 1, jitter: 20, seed });
    const [atA, atB] = [new Recorder(a), new Recorder(b)];
    const log: string[] = [];
    for (let i = 0; i < 30; i++) {
      (i % 2 === 0 ? a : b).write(new Uint8Array(i + 1));
      await network.advance(3);
      log.push(`${network.now} ${atA.notes.length} ${atB.notes.length}`);
    }
    return log.join();
  };
  const first = await run(1);
  assertEquals(await run(1), first);
  assert(await run(2) !== first);
});

test("a global clock follows fake time", async () => {
  using time = new FakeTime();
  const network = new MemoryNetwork({ clock: "global", latency: 100 });
  const io = network.io();
  const listener = await io.listen(PORT, 1);
  let done = false;
  const connecting = io.connect(PORT, never()).then(() => done = true);
  const start = io.now();
  await time.tickAsync(99);
  assertEquals(done, false);
  await time.tickAsync(1);
  await network.settle();
  assertEquals(done, true);
  assertEquals(io.now() - start, 100);
  io.clearTimer(io.setTimer(() => done = false, 5));
  await time.tickAsync(10);
  assertEquals(done, true);
  await connecting;
  listener.close();
  await assertRejects(() => network.advance(1), Error, "Cannot advance");
});

test("read() and write() refuse empty buffers and a second one under way", async () => {
  const { a, b } = await pair();
  new Recorder(a);
  assertThrows(() => b.read(new Uint8Array()), RangeError, "Cannot read");
  assertThrows(() => b.write(new Uint8Array()), RangeError, "Cannot write");
  assertThrows(() => a.read(new Uint8Array(1)), Error, "under way");
  b.write(new Uint8Array(1));
  assertThrows(() => b.write(new Uint8Array(1)), Error, "under way");
});
