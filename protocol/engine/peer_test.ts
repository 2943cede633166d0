import { assertEquals } from "@std/assert";
import { inEngineWorld } from "../../tests/conformance/engine_world.ts";
import { ELSEWHERE, message, PLACE } from "../../tests/conformance/raw_peer.ts";
import { text } from "../../tests/conformance/vectors.ts";
import type { Peer } from "./peer.ts";

const KIB = 1024;

function waiting(peer: Peer): [number, number] {
  return [peer.waitingMessages, peer.waitingBytes];
}

Deno.test("Peer.send() gathers while nobody is connected, and all of it arrives", () =>
  inEngineWorld(async (w) => {
    const { engine } = w.engine();
    const peer = engine.connect(PLACE);
    assertEquals(waiting(peer), [0, 0]);
    peer.send([text("a"), text("b")]);
    peer.send([text("c")]);
    assertEquals(waiting(peer), [2, 9]);
    assertEquals(peer.open, false);
    const raws = await w.listen((raw) => raw.shake("ROUTER"));
    await w.pass(500);
    assertEquals(raws[0]!.messages(), ['"a" "b"', '"c"']);
    assertEquals([peer.open, ...waiting(peer)], [true, 0, 0]);
  }));

Deno.test("Peer.full at its mark in messages, and at its mark in octets", () =>
  inEngineWorld((w) => {
    const full = (settings: { sendHighWaterMark?: number; outputBytes?: number }, size: number) => {
      const { engine } = w.engine(settings);
      const peer = engine.connect(PLACE);
      let count = 0;
      for (; !peer.full && count < 5000; count++) peer.send([new Uint8Array(size)]);
      return count;
    };
    assertEquals(full({ sendHighWaterMark: 3 }, 1), 3);
    assertEquals(full({}, 1), 1000);
    assertEquals(full({ sendHighWaterMark: 0 }, 1), 5000);
    assertEquals(full({ sendHighWaterMark: 0, outputBytes: 36 }, 10), 3);
    assertEquals(full({ sendHighWaterMark: 0, outputBytes: 37 }, 10), 4);
    return Promise.resolve();
  }));

Deno.test("Peer.full counts what is being written as well as what is gathered", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine({ sendHighWaterMark: 4 });
    await engine.bind(PLACE);
    const raw = await w.meet();
    raw.deafen();
    const peer = told.peers[0]!;
    const large = [new Uint8Array(120 * KIB)];
    peer.send(large);
    peer.send(large);
    await w.settle();
    assertEquals([peer.writingMessages, peer.waitingMessages], [2, 2]);
    peer.send(large);
    assertEquals([peer.full, peer.waitingMessages], [false, 3]);
    peer.send(large);
    assertEquals([peer.full, peer.waitingMessages], [true, 4]);
  }));

Deno.test("onRoom is told once, and only to one who asked while the peer was full", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine({ sendHighWaterMark: 2 });
    await engine.bind(PLACE);
    await w.meet();
    const peer = told.peers[0]!;
    const rooms = () => told.log.filter((line) => line === "room").length;
    peer.send([text("1")]);
    peer.send([text("2")]);
    await w.settle();
    assertEquals(rooms(), 0);
    peer.send([text("3")]);
    peer.send([text("4")]);
    assertEquals(peer.full, true);
    await w.settle();
    assertEquals([rooms(), peer.full], [1, false]);
    peer.send([text("5")]);
    await w.settle();
    assertEquals(rooms(), 1);
  }));

Deno.test("Peer.takeBatch() moves what is gathered to what is being written", () =>
  inEngineWorld((w) => {
    const peer = w.engine().engine.connect(PLACE);
    assertEquals(peer.takeBatch(), undefined);
    peer.batch();
    assertEquals(peer.takeBatch(), undefined);
    peer.send([text("one")]);
    const batch = peer.takeBatch()!;
    assertEquals(batch.bytes.slice(0, batch.length), message("one"));
    peer.send([text("four")]);
    assertEquals([peer.writingMessages, peer.writingBytes, ...waiting(peer)], [1, 5, 2, 11]);
    batch.release();
    peer.written();
    assertEquals(waiting(peer), [1, 6]);
    return Promise.resolve();
  }));

Deno.test("Peer.batch() starts as large as the last one was, from 2 KiB to 256 KiB", () =>
  inEngineWorld((w) => {
    const peer = w.engine().engine.connect(PLACE);
    const sizes: number[] = [];
    for (const size of [100 * KIB, 10, 1000 * KIB, 10]) {
      sizes.push(peer.batch().bytes.length / KIB);
      peer.send([new Uint8Array(size)]);
      peer.takeBatch()!.release();
      peer.written();
    }
    assertEquals(sizes, [2, 128, 2, 256]);
    return Promise.resolve();
  }));

Deno.test("Peer.drop() forgets all output and gives its memory back", () =>
  inEngineWorld((w) => {
    const { engine } = w.engine();
    const peer = engine.connect(PLACE);
    peer.send([new Uint8Array(1000 * KIB)]);
    engine.disconnect(PLACE);
    assertEquals([...waiting(peer), engine.budget.used, peer.gone], [0, 0, 0, true]);
    return Promise.resolve();
  }));

Deno.test("Peer.full when all peers together hold too much: but each may have a little waiting", () =>
  inEngineWorld((w) => {
    const { engine, told } = w.engine({ sendHighWaterMark: 0 });
    const [one, two] = [engine.connect(PLACE), engine.connect(ELSEWHERE)];
    engine.budget.limit = 100 * KIB;
    one.send([new Uint8Array(20 * KIB)]);
    assertEquals([one.full, two.full], [false, false]);
    engine.budget.charge(100 * KIB);
    two.send([new Uint8Array(10 * KIB)]);
    assertEquals([one.full, two.full], [true, false]);
    // Far beyond the limit nobody gets more.
    engine.budget.charge(64 * KIB * KIB);
    assertEquals([one.full, two.full], [true, true]);
    engine.budget.discharge(64 * KIB * KIB);
    engine.freed();
    assertEquals([told.log, one.full, two.full], [["room"], true, false]);
    engine.budget.discharge(100 * KIB);
    engine.freed();
    assertEquals([told.log, one.full, two.full], [["room", "room"], false, false]);
    return Promise.resolve();
  }));
