// One write for each peer and turn. The first half is pure; the second counts writes on Deno's own
// network, because it leans on something that Deno doesn't promise: that the callbacks of all reads
// which completed together run before a microtask that the first of them has queued.

import { assert, assertEquals } from "@std/assert";
import { CountingIo } from "../../tests/conformance/counting_io.ts";
import { type Recorded, recorded } from "../../tests/conformance/engine_world.ts";
import { message, ready } from "../../tests/conformance/raw_peer.ts";
import { join, OUR_GREETING, text } from "../../tests/conformance/vectors.ts";
import type { Io } from "../io/io.ts";
import type { Link } from "./link.ts";
import type { Peer } from "./peer.ts";
import { Turn } from "./turn.ts";

const ORDER_CHANGED = "Deno runs microtasks between the reads of one batch now: " +
  "output is no longer gathered, and turn.ts must find another end of a turn";

/** A peer that tells when it is flushed. */
function dummy(name: string, log: string[]): Peer {
  return { dirty: false, link: { flush: () => log.push(`flush ${name}`) } } as unknown as Peer;
}

Deno.test("Turn.now() reads the clock once a turn", async () => {
  let reads = 0;
  const turn = new Turn({ now: () => ++reads } as unknown as Io);
  assertEquals([turn.now(), turn.now(), turn.now()], [1, 1, 1]);
  await Promise.resolve();
  assertEquals([turn.now(), turn.now()], [2, 2]);
});

Deno.test("Turn.markDirty() flushes each peer once, behind all callbacks of the turn", async () => {
  const log: string[] = [];
  const turn = new Turn({ now: () => 0 } as unknown as Io);
  const [one, two] = [dummy("one", log), dummy("two", log)];
  const batch = [1, 2, 3].map((i) =>
    Promise.resolve().then(() => {
      turn.markDirty(i === 2 ? two : one);
      log.push(`read ${i}`);
    })
  );
  await Promise.all(batch);
  await Promise.resolve();
  assertEquals(log, ["read 1", "read 2", "read 3", "flush one", "flush two"]);
  assertEquals([one.dirty, two.dirty], [false, false]);
  turn.markDirty(one);
  await Promise.resolve();
  assertEquals(log.slice(5), ["flush one"]);
});

Deno.test("Turn.later() lets links go on before anything is flushed", async () => {
  const log: string[] = [];
  const turn = new Turn({ now: () => 0 } as unknown as Io);
  const peer = dummy("peer", log);
  const link = {
    proceed: () => {
      log.push("proceed");
      turn.markDirty(peer);
    },
  } as unknown as Link;
  turn.later(link);
  await Promise.resolve();
  assertEquals(log, ["proceed", "flush peer"]);
});

Deno.test("Turn.markDirty() with patience waits until the application has stopped sending", async () => {
  const log: string[] = [];
  const turn = new Turn({ now: () => 0 } as unknown as Io, 2);
  const peer = dummy("peer", log);
  for (let i = 0; i < 5; i++) {
    turn.markDirty(peer);
    log.push(`send ${i}`);
    await Promise.resolve();
  }
  await Promise.resolve();
  assertEquals(log, ["send 0", "send 1", "send 2", "send 3", "send 4"]);
  await Promise.resolve();
  assertEquals(log.slice(5), ["flush peer"]);
});

Deno.test("Turn.markDirty() with patience ends a turn that an application keeps busy for ever", async () => {
  const log: string[] = [];
  const turn = new Turn({ now: () => 0 } as unknown as Io, 2);
  const [busy, other] = [dummy("busy", log), dummy("other", log)];
  turn.markDirty(other);
  for (let i = 0; i < 10_000 && log.length === 0; i++) {
    turn.markDirty(busy);
    await Promise.resolve();
  }
  assertEquals(log, ["flush other", "flush busy"]);
});

Deno.test("Turn.markDirty() of a peer that has no connection does no harm", async () => {
  const turn = new Turn({ now: () => 0 } as unknown as Io);
  const peer = { dirty: false, link: undefined } as unknown as Peer;
  turn.markDirty(peer);
  await Promise.resolve();
  assertEquals(peer.dirty, false);
});

/** A ROUTER's engine on counted loopback TCP, and peers that are plain connections. */
class Loopback implements AsyncDisposable {
  readonly io = new CountingIo();
  readonly conns: Deno.TcpConn[] = [];
  readonly #recorded: Recorded = recorded(this.io, { type: "ROUTER" });

  get told() {
    return this.#recorded.told;
  }

  /** A place with so many peers that have shaken hands and heard our READY. */
  static async with(count: number): Promise<Loopback> {
    const place = new Loopback();
    const { engine } = place.#recorded;
    const bound = await engine.bind("tcp://127.0.0.1:*");
    const port = Number(bound.slice(bound.lastIndexOf(":") + 1));
    for (let i = 0; i < count; i++) {
      const conn = await Deno.connect({ hostname: "127.0.0.1", port });
      place.conns.push(conn);
      await conn.write(join(OUR_GREETING, ready("DEALER", `peer ${i}`)));
      await place.hear(i, 64 + ready("ROUTER").length);
    }
    await place.told.until(() => place.told.peers.length === count);
    place.io.calls.length = 0;
    return place;
  }

  /** Reads so many octets as that peer. */
  async hear(peer: number, count: number): Promise<void> {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count;) {
      const got = await this.conns[peer]!.read(bytes.subarray(at));
      assert(got !== null, "the engine closed the connection");
      at += got;
    }
  }

  /** Writes to that peer so far. */
  writes(peer: number): number {
    const { port } = this.conns[peer]!.localAddr as Deno.NetAddr;
    return this.io.count("write", port);
  }

  /** The engine's side of a peer. */
  peer(index: number): Peer {
    const name = text(`peer ${index}`).toString();
    return this.told.peers.find((it) => it.identity.toString() === name)!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const conn of this.conns) conn.close();
    await this.#recorded.engine.close(0);
  }
}

const WORD = text("hello");
const WORD_BYTES = 2 + WORD.length;

Deno.test("over TCP: 100 messages sent in one turn are one write", async () => {
  await using place = await Loopback.with(1);
  for (let i = 0; i < 100; i++) place.peer(0).send([WORD]);
  await place.hear(0, 100 * WORD_BYTES);
  assertEquals(place.writes(0), 1);
});

Deno.test("over TCP: 100 messages that came in one read are answered in one write", async () => {
  await using place = await Loopback.with(1);
  place.told.answer = (peer) => peer.send([WORD]);
  const questions = Array.from({ length: 100 }, () => message("?"));
  await place.conns[0]!.write(join(...questions));
  await place.hear(0, 100 * WORD_BYTES);
  assertEquals([place.io.count("read"), place.writes(0)], [1, 1]);
});

Deno.test("over TCP: what many reads of one batch bring goes out in one write for each peer", async () => {
  const askers = 20;
  await using place = await Loopback.with(askers + 1);
  const target = place.peer(0);
  place.told.answer = (peer) => {
    peer.send([WORD]);
    target.send([WORD]);
  };
  // Deno writes at the call, so that all of it waits in the kernel before anything is read.
  const said = place.conns.slice(1).map((conn) => conn.write(message("?")));
  await Promise.all(said);
  await place.hear(0, askers * WORD_BYTES);
  for (let i = 1; i <= askers; i++) await place.hear(i, WORD_BYTES);
  const kinds = place.io.calls.map(({ kind }) => kind);
  assertEquals(place.io.count("read"), askers);
  assertEquals(kinds.lastIndexOf("read"), askers - 1, ORDER_CHANGED);
  for (let i = 0; i <= askers; i++) assertEquals(place.writes(i), 1, ORDER_CHANGED);
});

Deno.test("over TCP: a request that waits on the application is one write too", async () => {
  await using place = await Loopback.with(2);
  // As a socket does: the application's own promises resolve in microtasks of the same turn.
  place.told.answer = (peer) =>
    void Promise.resolve().then(() => {
      peer.send([WORD]);
      peer.send([WORD]);
    });
  await Promise.all(place.conns.map((conn) => conn.write(message("?"))));
  for (let i = 0; i < 2; i++) await place.hear(i, 2 * WORD_BYTES);
  for (let i = 0; i < 2; i++) assertEquals(place.writes(i), 1, ORDER_CHANGED);
});
