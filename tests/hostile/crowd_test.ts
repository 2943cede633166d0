/**
 * Attacks by number against a live Router: crowds that never shake hands, that come and vanish, and
 * whose names collide.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import v8 from "node:v8";
import vm from "node:vm";
import { Dealer } from "../../protocol/mod.ts";
import { DEALER_GREETING, hex } from "../conformance/vectors.ts";
import { Attacker, HANDSHAKE, handshakeAs, HELLO_BYTES, MESSAGE } from "./attacker.ts";
import { MIB, Siege } from "./siege.ts";

/** What an idle connection may cost. */
const IDLE_BYTES = 20 * 1024;

Deno.test("1,000 peers that never shake hands: a new client is served within 1 s", async () => {
  await using siege = await Siege.lay({}, 1002 * IDLE_BYTES);
  await siege.attackers(1000);
  const begin = performance.now();
  await using client = new Dealer({ routingId: "new", linger: 0 });
  client.connect(siege.router.lastEndpoint!);
  await client.send("question");
  const [name] = await siege.stranger();
  await siege.router.send([name!, "answer"]);
  assertEquals(String(await client.receive()), "answer");
  const took = performance.now() - begin;
  assert(took < 1000, `it took ${took} ms`);
  assertEquals(siege.others.length, 1001);
  // Their 30 s are over: all of them go, and nobody else.
  await siege.io.advance(30_000);
  await siege.untilCounted("handshake", 1000);
  assertEquals(siege.others.length, 1);
});

Deno.test("past 1,024 peers in handshake the oldest goes, counted", async () => {
  await using siege = await Siege.lay({}, 1026 * IDLE_BYTES);
  const oldest = await siege.attack(DEALER_GREETING.subarray(0, 5));
  await siege.until(() => siege.others.length === 1);
  const client = await siege.attack(HANDSHAKE);
  await siege.until(() => siege.others.some((it) => it.open));
  await siege.attackers(1023);
  await siege.until(() => siege.others.length === 1025);
  assertEquals(siege.count("handshakes"), 0);
  await siege.attack();
  await oldest.end();
  assertEquals(siege.count("handshakes"), 1);
  assertEquals(siege.others.length, 1025);
  assert(await client.say(MESSAGE), "one that has shaken hands was closed");
  await siege.stranger();
});

Deno.test("past the limit of connections a newcomer is closed plainly, counted", async () => {
  await using siege = await Siege.lay();
  assertEquals(siege.inside.settings.connections, 10_000);
  siege.inside.settings.connections = 11;
  const inside = await siege.attackers(10, HANDSHAKE);
  for (const attacker of inside) await attacker.hear(HELLO_BYTES);
  for (let i = 1; i <= 5; i++) {
    using refused = await siege.attack();
    assertEquals(await refused.end(), new Uint8Array(0));
    assertEquals(siege.count("connections"), i);
  }
  // A place that becomes free is given away again.
  inside[0]![Symbol.dispose]();
  await siege.until(() => siege.others.length === 9);
  await siege.attack(HANDSHAKE, MESSAGE);
  await siege.stranger();
});

/** The garbage is collected now: else a heap's size says nothing. */
function heapAfterCollection(): number {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  collect();
  collect();
  return Deno.memoryUsage().heapUsed;
}

/** How a peer may come and vanish; each gives what it says before it leaves. */
const VISITS: readonly ((port: number, visit: number) => Promise<void>)[] = [
  (port) => leave(port, 0),
  (port) => leave(port, 0, DEALER_GREETING.subarray(0, 11)),
  (port) => leave(port, 64, DEALER_GREETING),
  (port, visit) => leave(port, HELLO_BYTES, handshakeAs(`v${visit}`)),
  (port) => leave(port, HELLO_BYTES, HANDSHAKE, hex("01ff")),
  (port) => leave(port, 64, HANDSHAKE, MESSAGE),
];

async function leave(port: number, hears: number, ...says: Uint8Array[]): Promise<void> {
  using attacker = await Attacker.to(port, ...says);
  await attacker.hear(hears);
}

/** Comes and vanishes that often, 50 at a time. */
async function visit(siege: Siege, times: number): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: 50 }, async () => {
    while (next < times) {
      const number = next++;
      await VISITS[number % VISITS.length]!(siege.port, number);
    }
  }));
  await siege.until(() => siege.others.length === 0);
  await siege.until(() => siege.strangers.length === Math.floor(times / VISITS.length));
  siege.strangers.length = siege.departures.length = 0;
}

Deno.test("20,000 peers that connect and vanish leave heap, timers and peers as they were", async () => {
  await using siege = await Siege.lay({}, 2 * MIB);
  await visit(siege, 1200);
  const heap = heapAfterCollection();
  const { size } = siege.inside.deadlines;
  const timers = siege.io.timers.size;
  const slots = siege.inside.peers.length;
  await visit(siege, 19_998);
  const grown = heapAfterCollection() - heap;
  assert(grown < MIB, `the heap has grown by ${grown} octets`);
  assertEquals(siege.inside.deadlines.size, size, "deadlines");
  assertEquals(siege.io.timers.size, timers, "timers");
  assert(siege.inside.peers.length <= slots + 100, "the table of peers has grown");
});

/** Nanoseconds that it takes to find one of so many peers with these names: the best of 10 rounds. */
async function lookUp(names: readonly string[]): Promise<number> {
  await using siege = await Siege.lay({}, (names.length + 2) * IDLE_BYTES);
  for (const name of names) await siege.attack(handshakeAs(name));
  await siege.until(() => siege.others.filter((it) => it.open).length === names.length);
  let best = Infinity;
  for (let round = 0; round < 10; round++) {
    const begin = performance.now();
    // An identity alone is looked up, and nothing is sent.
    for (const name of names) void siege.router.send([name]);
    best = Math.min(best, performance.now() - begin);
    await siege.trip();
  }
  return best / names.length * 1e6;
}

Deno.test("4,095 identities that would collide as decimal strings are found as fast as others", async () => {
  // V8's hash of a decimal string below 2^24 is its value, so that multiples of 4,096 share a bucket.
  const numbers = Array.from({ length: 4095 }, (_, i) => i + 1);
  const ordinary = await lookUp(numbers.map((it) => `name ${it}`));
  const hostile = await lookUp(numbers.map((it) => String(it * 4096)));
  assert(hostile < 3 * ordinary, `${hostile} ns against ${ordinary} ns`);
});
