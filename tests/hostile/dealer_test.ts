/**
 * A Dealer that connects to a hostile listener: it is told, it comes back with growing patience or
 * not at all, it keeps what it has to send, and another peer is served meanwhile.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { Dealer, Router } from "../../protocol/mod.ts";
import {
  ERROR_400,
  hex,
  join,
  ROUTER_GREETING,
  ROUTER_READY,
  text,
  ZMTP2_GREETING,
} from "../conformance/vectors.ts";
import { type Act, Ambush } from "./ambush.ts";
import { type Attacker, commandFrame, longHeader, ready } from "./attacker.ts";

const MIB = 1024 * 1024;
const WELCOME = join(ROUTER_GREETING, ROUTER_READY);
/** What a Dealer named "us" says to shake hands. */
const HELLO_BYTES = 64 + 45;
/** Waits doubling from 100 ms up to 1.6 s. */
const GROWING = { reconnectInterval: 100, reconnectMaxInterval: 1600 };

/** Says these octets and leaves when the Dealer has. */
const says = (...parts: readonly Uint8Array[]): Act => async (attacker) => {
  await attacker.say(...parts);
  await attacker.end();
};

/** Says these octets, reads the Dealer's hello, and leaves. */
const leavesAfter = (...parts: readonly Uint8Array[]): Act => async (attacker) => {
  await attacker.say(...parts);
  await attacker.hear(parts.length === 0 ? 1 : 64);
};

Deno.test("ERROR instead of READY: an event, and the Dealer never comes back", async () => {
  const refusals = [
    ["handshake:error:auth", ERROR_400],
    ["handshake:error:protocol", commandFrame(join(text("\x05ERROR\x05"), text("never")))],
    ["handshake:error:protocol", commandFrame(join(text("\x05ERROR"), hex("ff")))],
  ] as const;
  for (const [type, refusal] of refusals) {
    await using ambush = await Ambush.lay([says(ROUTER_GREETING, refusal)], GROWING);
    await ambush.until(() => ambush.eventsOf("close").length === 1);
    assertEquals(ambush.eventsOf(type).length, 1, "no event says why");
    assertEquals(ambush.count("refused"), 1);
    await ambush.io.advance(3_600_000);
    await ambush.trip();
    // There is not even a timer left, so that no time brings it back.
    assertEquals(ambush.inside.deadlines.size, 0);
    assertEquals(ambush.taken, 1);
    assertEquals(ambush.eventsOf("connect:retry"), []);
  }
});

Deno.test("after ERROR from the only endpoint a send finds nobody", async () => {
  await using ambush = await Ambush.lay([says(ROUTER_GREETING, ERROR_400)]);
  await using lonely = new Dealer({ linger: 0, sendTimeout: 0 });
  let closed = false;
  lonely.events.on("close", () => closed = true);
  await ambush.until(() => ambush.taken === 1);
  lonely.connect(ambush.hostile);
  await lonely.send("kept until it is known that nobody wants it");
  await ambush.until(() => closed);
  await assertRejects(() => lonely.send("x"), Error, "no peer has room");
});

Deno.test("garbage from a listener: it is left at once, and tried again with growing patience", async () => {
  const garbage: readonly [fault: string, ...said: Uint8Array[]][] = [
    ["greeting", text("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["version", ZMTP2_GREETING],
    ["greeting", hex("00*64")],
    ["mechanism", ROUTER_GREETING.map((octet, i) => i === 12 ? 0x50 : octet)],
    ["too-early", ROUTER_GREETING, hex("000161")],
    ["metadata", ROUTER_GREETING, ready(["x", hex("00"), 2])],
    ["size", ROUTER_GREETING, longHeader(4, 2n ** 63n)],
    ["identity", ROUTER_GREETING, ready(["Socket-Type", text("ROUTER")], ["Identity", hex("00")])],
    ["socket-type", ROUTER_GREETING, ready(["Socket-Type", text("PUB")])],
  ];
  await using ambush = await Ambush.lay(garbage.map(([, ...said]) => says(...said)), GROWING);
  const waits: number[] = [];
  const faults = new Map<string, number>();
  for (const [fault] of garbage) {
    const n = waits.length + 1;
    waits.push(await ambush.retry(n));
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
    assertEquals(ambush.count(fault), faults.get(fault), fault);
  }
  assertEquals(waits.slice(0, 6), [150, 250, 450, 850, 1550, 1550]);
  assertEquals(ambush.eventsOf("handshake"), []);
});

Deno.test("a listener that closes in the middle is tried again, and nothing of it is kept", async () => {
  const acts = [
    leavesAfter(),
    leavesAfter(ROUTER_GREETING.subarray(0, 10)),
    leavesAfter(ROUTER_GREETING),
    leavesAfter(ROUTER_GREETING, ROUTER_READY.subarray(0, 20)),
  ];
  await using ambush = await Ambush.lay([...acts, () => Promise.resolve()], GROWING);
  const waits: number[] = [];
  for (let n = 1; n <= acts.length; n++) waits.push(await ambush.retry(n));
  assertEquals(waits, [150, 250, 450, 850]);
  assertEquals(ambush.count("cut-short"), 2);
  assertEquals(ambush.eventsOf("handshake"), []);
});

Deno.test("a listener that closes inside a message: no part of it arrives, and patience starts anew", async () => {
  const inside: Act = async (attacker) => {
    await attacker.say(WELCOME, hex("010161"), longHeader(0, 1000), new Uint8Array(999));
    await attacker.hear(HELLO_BYTES);
  };
  await using ambush = await Ambush.lay([inside], GROWING);
  for (let n = 1; n <= 3; n++) assertEquals(await ambush.retry(n), 150);
  await ambush.until(() => ambush.count("cut-short") >= 3);
  await ambush.until(() => ambush.eventsOf("disconnect").length >= 3);
});

Deno.test("faults after the handshake end the connection, and the Dealer comes back", async () => {
  const faults: readonly [string, Uint8Array][] = [
    ["size", longHeader(0, 2n ** 64n - 1n)],
    ["flags", hex("ff0161")],
    ["command", hex("0400")],
  ];
  await using ambush = await Ambush.lay(faults.map(([, said]) => says(WELCOME, said)));
  for (const [i, [fault]] of faults.entries()) {
    await ambush.until(() => ambush.count(fault) === 1);
    await ambush.retry(i + 1);
  }
});

Deno.test("a listener that never says a word is left after 30 s", async () => {
  await using ambush = await Ambush.lay([says()]);
  for (let n = 1; n <= 2; n++) {
    await ambush.until(() => ambush.taken === n);
    await ambush.until(() => ambush.eventsOf("connect").length === n);
    await ambush.io.advance(29_999);
    await ambush.trip();
    assertEquals(ambush.count("handshake"), n - 1);
    await ambush.io.advance(1);
    await ambush.until(() => ambush.count("handshake") === n);
    assertEquals(ambush.eventsOf("handshake:error:other").length, n);
    await ambush.retry(n);
  }
});

Deno.test("a listener that never reads: the Dealer's queue ends at its mark", async () => {
  const deaf: Act = async (attacker: Attacker) => {
    await attacker.say(WELCOME);
    await new Promise<void>((resolve) => release = resolve);
  };
  let release = () => {};
  await using ambush = await Ambush.lay([deaf], { sendHighWaterMark: 10 }, 64 * MIB);
  await ambush.until(() => ambush.eventsOf("handshake").length === 1);
  const peer = ambush.inside.peers.find((it) => it?.endpoint === ambush.hostile)!;
  const large = new Uint8Array(MIB);
  while (!peer.full) {
    await ambush.dealer.send(large);
    await ambush.trip();
  }
  // The deaf one is full: all turns are the good one's, and no send waits for the deaf one.
  for (let i = 0; i < 50; i++) await ambush.dealer.send(large);
  assertEquals(peer.waitingMessages, 10);
  await ambush.trip();
  release();
});

Deno.test("what waited for a hostile listener reaches a good one in its place, once and in order", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const endpoint = `tcp://127.0.0.1:${listener.addr.port}`;
  await using dealer = new Dealer({ linger: 0, reconnectInterval: 1 });
  dealer.connect(endpoint);
  for (let i = 0; i < 100; i++) await dealer.send(`message ${i}`);
  for (const said of [hex("0000"), ROUTER_GREETING, join(ROUTER_GREETING, hex("000161"))]) {
    using conn = await listener.accept();
    await conn.write(said);
    await conn.read(new Uint8Array(64));
  }
  listener.close();
  await using router = new Router({ linger: 0, receiveTimeout: 20_000 });
  await router.bind(endpoint);
  for (let i = 0; i < 100; i++) {
    const [, message] = await router.receive();
    assertEquals(message!.text(), `message ${i}`);
  }
});
