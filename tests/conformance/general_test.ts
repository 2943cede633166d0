/**
 * What all sockets promise, lines 42, 43 and 47 of the checklist: on a network in memory with
 * simulated time, and where the system is asked, on loopback.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Dealer, Router } from "../../protocol/mod.ts";
import {
  drain,
  ELSEWHERE,
  message,
  outcome,
  PLACE,
  record,
  take,
  words,
  zmtp,
} from "./raw_peer.ts";
import { PONG } from "./vectors.ts";

/** A message that a window of 64 KiB can't take. */
const BIG = "x".repeat(200_000);

zmtp(42, "messages of a peer come in order and never twice", async (w) => {
  const router = w.router({ receiveHighWaterMark: 7 });
  await router.bind(PLACE);
  const dealers = ["a", "b", "c"].map((routingId) => w.dealer({ routingId, sendHighWaterMark: 5 }));
  for (const dealer of dealers) dealer.connect(PLACE);
  const sending = dealers.map(async (dealer) => {
    for (let i = 0; i < 200; i++) await dealer.send([`${i}`, "x".repeat(i * 7 % 1000)]);
  });
  const got: string[] = [];
  const receiving = (async () => {
    for (let i = 0; i < 600; i++) {
      const [identity, number] = words(await router.receive());
      got.push(`${identity}${number}`);
    }
  })();
  await w.pass(600_000);
  await Promise.all([...sending, receiving]);
  for (const name of ["a", "b", "c"]) {
    const expected = Array.from({ length: 200 }, (_, i) => `${name}${i}`);
    assertEquals(got.filter((it) => it.startsWith(name)), expected);
  }
}, { latency: 3, jitter: 10, window: 4000 });

zmtp(42, "bind and connect come in either order", async (w) => {
  const router = w.router();
  const early = w.dealer({ routingId: "early" });
  early.connect(PLACE);
  await early.send("before the bind");
  await w.pass(5000);
  await router.bind(PLACE);
  const late = w.dealer({ routingId: "late" });
  late.connect(PLACE);
  await late.send("after it");
  await w.pass(1000);
  assertEquals((await drain(router)).sort(), ["early|before the bind", "late|after it"]);
});

zmtp(42, "a socket binds and connects many endpoints at once", async (w) => {
  const hub = w.dealer();
  const ports = [7001, 7002, 7003];
  for (const port of ports) await hub.bind(`tcp://127.0.0.1:${port}`);
  const others = ports.map((port) => {
    const dealer = w.dealer();
    dealer.connect(`tcp://127.0.0.1:${port}`);
    return dealer;
  });
  for (const port of [7004, 7005, 7006]) {
    const dealer = w.dealer();
    await dealer.bind(`tcp://127.0.0.1:${port}`);
    hub.connect(`tcp://127.0.0.1:${port}`);
    others.push(dealer);
  }
  await w.settle();
  for (let i = 0; i < 12; i++) await hub.send(i);
  await w.settle();
  for (const other of others) assertEquals((await drain(other)).length, 2);
  for (const other of others) await other.send("back");
  await w.settle();
  assertEquals((await drain(hub)).length, 6);
});

zmtp(42, "the same endpoint can be connected to twice", async (w) => {
  const router = w.router();
  await router.bind(PLACE);
  const dealer = w.dealer();
  dealer.connect(PLACE);
  dealer.connect(PLACE);
  for (let i = 0; i < 4; i++) await dealer.send(i);
  await w.settle();
  const identities = new Set<string>();
  for (let i = 0; i < 4; i++) identities.add((await router.receive())[0].toString("hex"));
  assertEquals(identities.size, 2);
});

zmtp(42, "unbind() ends the listening and leaves the peers", async (w) => {
  const router = w.router();
  await router.bind(PLACE);
  const old = await w.meet("DEALER", "old");
  await router.unbind(PLACE);
  const late = w.dealer();
  late.connect(PLACE);
  await w.pass(5000);
  old.say(message("still here"));
  await late.send("not yet");
  await w.settle();
  assertEquals(await drain(router), ["old|still here"]);
  await router.bind(PLACE);
  await w.pass(1000);
  assertEquals(await drain(router), ["auto|not yet"]);
  // By the name that was asked for, or by the one that it has.
  for (const name of ["tcp://*:5556", "tcp://0.0.0.0:5556"]) {
    await router.bind("tcp://*:5556");
    await router.unbind(name);
  }
});

zmtp(42, "* and 0 pick a port, and lastEndpoint says which", async (w) => {
  const router = w.router();
  assertEquals(router.lastEndpoint, null);
  const seen = new Set<string>();
  for (const endpoint of ["tcp://127.0.0.1:*", "tcp://127.0.0.1:0", "tcp://*:*", "tcp://*:0"]) {
    await router.bind(endpoint);
    const last = router.lastEndpoint!;
    const host = endpoint.includes("//*") ? "0.0.0.0" : "127.0.0.1";
    assert(last.startsWith(`tcp://${host}:`), last);
    const port = Number(last.slice(last.lastIndexOf(":") + 1));
    assert(port > 0 && port < 65536, last);
    seen.add(last);
    const dealer = w.dealer();
    dealer.connect(`tcp://127.0.0.1:${port}`);
    await dealer.send(endpoint);
    await w.settle();
    assertEquals(await drain(router), [`auto|${endpoint}`]);
  }
  assertEquals(seen.size, 4);
  await router.bind("tcp://*:5555");
  assertEquals(router.lastEndpoint, "tcp://0.0.0.0:5555");
  router.connect(ELSEWHERE);
  assertEquals(router.lastEndpoint, ELSEWHERE);
});

/** The system's own ports, by the endpoint asked for and the host that is told. */
const REAL: readonly [asked: string, told: string, reached: string][] = [
  ["tcp://127.0.0.1:*", "tcp://127.0.0.1:", "127.0.0.1"],
  ["tcp://127.0.0.1:0", "tcp://127.0.0.1:", "localhost"],
  ["tcp://*:*", "tcp://0.0.0.0:", "127.0.0.1"],
  ["tcp://[::1]:*", "tcp://[::1]:", "[::1]"],
  ["tcp://localhost:*", "tcp://", "localhost"],
];

for (const [asked, told, reached] of REAL) {
  Deno.test(`zmtp 42: ${asked} picks a port of the system, reached by ${reached}`, async () => {
    await using router = new Router();
    await router.bind(asked);
    const last = router.lastEndpoint!;
    assert(last.startsWith(told), last);
    await using dealer = new Dealer();
    dealer.connect(`tcp://${reached}:${last.slice(last.lastIndexOf(":") + 1)}`);
    await dealer.send("hello");
    assertEquals(await take(router, 1), ["auto|hello"]);
  });
}

zmtp(43, "linger is -1: close() returns at once and the queue is still delivered", async (w) => {
  const dealer = w.dealer();
  assertEquals(dealer.linger, -1);
  dealer.connect(PLACE);
  for (let i = 0; i < 100; i++) await dealer.send(i);
  dealer.close();
  assertEquals(dealer.closed, true);
  await w.pass(60_000);
  const router = w.router();
  await router.bind(PLACE);
  await w.pass(1000);
  assertEquals(await drain(router), Array.from({ length: 100 }, (_, i) => `auto|${i}`));
  await w.pass(5000);
  assertEquals(w.network.connections.length, 0);
});

zmtp(43, "a peer that reads slowly still gets all, whatever timers ran before", async (w) => {
  const router = w.router({ heartbeatInterval: 1000, heartbeatTimeToLive: 1000 });
  await router.bind(PLACE);
  const raw = await w.meet("DEALER", "slow");
  raw.deafen();
  for (let i = 0; i < 10; i++) await router.send(["slow", `${i}`, BIG]);
  router.close();
  for (let i = 0; i < 60; i++) {
    await w.pass(10_000);
    raw.deafen(false);
    raw.deafen();
  }
  raw.deafen(false);
  await w.settle();
  assertEquals(raw.messages().length, 10);
  assertEquals(raw.left, true);
});

zmtp(43, "a peer that stops reading is waited for without end", async (w) => {
  const router = w.router();
  const events = record(router, "end");
  await router.bind(PLACE);
  const raw = await w.meet("DEALER", "stuck");
  raw.deafen();
  await router.send(["stuck", BIG]);
  router.close();
  await w.pass(24 * 3_600_000);
  assertEquals(events.length, 0);
  raw.deafen(false);
  await w.settle();
  assertEquals(raw.messages().length, 1);
  raw.leave();
  await w.pass(1000);
  assertEquals(events.length, 1);
});

zmtp(
  43,
  "with heartbeats on, a peer that stops reading but shows life is waited for",
  async (w) => {
    const router = w.router({ heartbeatInterval: 1000, receiveHighWaterMark: 1 });
    await router.bind(PLACE);
    const raw = await w.meet("DEALER", "slow");
    raw.say(message("pauses it"));
    raw.deafen();
    await w.settle();
    await router.send(["slow", BIG]);
    router.close();
    for (let i = 0; i < 60; i++) {
      raw.say(PONG);
      await w.pass(10_000);
    }
    raw.deafen(false);
    await w.settle();
    assertEquals(raw.messages().length, 1);
  },
);

zmtp(43, "a linger of 0 drops the queue at once", async (w) => {
  const router = w.router({ linger: 0 });
  const dealer = w.dealer({ linger: 0 });
  await router.bind(PLACE);
  dealer.connect(ELSEWHERE);
  const raw = await w.meet("DEALER", "slow");
  raw.deafen();
  await router.send(["slow", BIG]);
  await dealer.send("nobody there");
  await w.settle();
  router.close();
  dealer.close();
  raw.deafen(false);
  await w.settle();
  assertEquals([raw.left, raw.messages()], [true, []]);
  const late = w.router();
  await late.bind(ELSEWHERE);
  await w.pass(10_000);
  assertEquals(late.readable, false);
});

zmtp(43, "a linger of n ms drops what is left then", async (w) => {
  const dealer = w.dealer({ linger: 5000 });
  const events = record(dealer, "end");
  dealer.connect(PLACE);
  await dealer.send("gone");
  dealer.close();
  await w.pass(4999);
  assertEquals(events.length, 0);
  await w.pass(1);
  assertEquals(events.length, 1);
  const router = w.router();
  await router.bind(PLACE);
  await w.pass(10_000);
  assertEquals(router.readable, false);
});

zmtp(43, "linger may be set after the messages, and close() again is nothing", async (w) => {
  const dealer = w.dealer();
  dealer.connect(PLACE);
  await dealer.send("gone");
  dealer.linger = 0;
  dealer.close();
  dealer.close();
  const router = w.router();
  await router.bind(PLACE);
  await w.pass(10_000);
  assertEquals(router.readable, false);
});

zmtp(
  43,
  "dispose waits for what is queued for those who are there, and for nobody else",
  async (w) => {
    const router = w.router();
    await router.bind(PLACE);
    const dealer = w.dealer();
    dealer.connect(PLACE);
    dealer.connect(ELSEWHERE);
    await w.settle();
    await dealer.send("here");
    await dealer.send("to nobody");
    let over = false;
    dealer[Symbol.asyncDispose]().then(() => over = true);
    await w.pass(2000);
    assertEquals([over, await drain(router)], [true, ["auto|here"]]);
  },
);

zmtp(43, "dispose waits for a connection that is being made", async (w) => {
  const router = w.router();
  await router.bind(PLACE);
  const dealer = w.dealer();
  dealer.connect(PLACE);
  await dealer.send("first");
  let over = false;
  dealer[Symbol.asyncDispose]().then(() => over = true);
  await w.pass(2000);
  assertEquals([over, await drain(router)], [true, ["auto|first"]]);
});

zmtp(43, "dispose gives up when the connection that is being made fails", async (w) => {
  const dealer = w.dealer();
  dealer.connect(ELSEWHERE);
  await dealer.send("to nobody");
  let over = false;
  dealer[Symbol.asyncDispose]().then(() => over = true);
  await w.settle();
  assertEquals(over, true);
});

zmtp(47, "concurrent sends queue up to the high-water mark, in order", async (w) => {
  const dealer = w.dealer({ sendHighWaterMark: 10 });
  const sent = Array.from({ length: 12 }, (_, i) => outcome(dealer.send(i)));
  assertEquals(await Promise.all(sent.slice(10)), ["EAGAIN", "EAGAIN"]);
  const router = w.router();
  await router.bind(PLACE);
  dealer.connect(PLACE);
  await w.settle();
  assertEquals(await Promise.all(sent.slice(0, 10)), Array(10).fill("done"));
  assertEquals(await drain(router), Array.from({ length: 10 }, (_, i) => `auto|${i}`));
});

zmtp(47, "a high-water mark that is raised lets go what waits, in order", async (w) => {
  const router = w.router();
  const dealer = w.dealer({ sendHighWaterMark: 2 });
  dealer.connect(PLACE);
  const sent = [0, 1, 2, 3].map((i) => outcome(dealer.send(i)));
  await w.pass(1000);
  dealer.sendHighWaterMark = 1000;
  sent.push(outcome(dealer.send(4)));
  assertEquals(await Promise.all(sent), Array(5).fill("done"));
  await router.bind(PLACE);
  await w.pass(1000);
  assertEquals(await drain(router), ["auto|0", "auto|1", "auto|2", "auto|3", "auto|4"]);
});

zmtp(
  47,
  "concurrent receives queue up to the high-water mark, first come first served",
  async (w) => {
    const dealer = w.dealer({ receiveHighWaterMark: 3 });
    await dealer.bind(PLACE);
    const calls = Array.from({ length: 5 }, () => dealer.receive().then(words));
    assertEquals(await Promise.all(calls.slice(3).map(outcome)), ["EAGAIN", "EAGAIN"]);
    (await w.meet()).say(message("1"), message("2"), message("3"), message("4"));
    await w.settle();
    assertEquals(await Promise.all(calls.slice(0, 3)), [["1"], ["2"], ["3"]]);
    assertEquals(await take(dealer, 1), ["4"]);
  },
);

zmtp(47, "a receive that times out leaves the others in their order", async (w) => {
  const dealer = w.dealer();
  await dealer.bind(PLACE);
  const first = take(dealer, 1);
  dealer.receiveTimeout = 50;
  const second = outcome(dealer.receive());
  dealer.receiveTimeout = -1;
  const third = take(dealer, 1);
  await w.pass(50);
  assertEquals(await second, "EAGAIN");
  (await w.meet()).say(message("1"), message("2"));
  await w.settle();
  assertEquals([await first, await third], [["1"], ["2"]]);
});
