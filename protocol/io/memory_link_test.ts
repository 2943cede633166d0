import { assertEquals } from "@std/assert";
import { pair, Recorder, test } from "../../tests/memory/pair.ts";

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
