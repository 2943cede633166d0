/**
 * Heartbeats through sockets, on a network in memory with simulated time: lines 23 to 25 of the
 * checklist.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Io } from "../../protocol/io/io.ts";
import { inspect } from "../../protocol/sockets/inspect.ts";
import { drain, message, outcome, PLACE, record, take, zmtp } from "./raw_peer.ts";
import { hex, join, PING, PONG, ROUTER_READY } from "./vectors.ts";

const HOUR = 3_600_000;
/** A message that a window of 64 KiB can't take. */
const BIG = "x".repeat(200_000);

/** PING with a ttl in tenths of a second. */
function pingFor(tenths: number): Uint8Array {
  return join(hex("0407 0450494e47"), new Uint8Array([tenths >> 8, tenths & 255]));
}

zmtp(23, "a peer silent for the timeout after our PING is closed, and dialled again", async (w) => {
  const raws = await w.listen((raw) => raw.shake("ROUTER"));
  const dealer = w.dealer({ heartbeatInterval: 1000, heartbeatTimeout: 3000 });
  const gone = record(dealer, "disconnect");
  dealer.connect(PLACE);
  await w.pass(3999);
  assertEquals([raws[0]!.left, raws[0]!.count("PING 0000")], [false, 3]);
  await w.pass(1);
  assertEquals([raws[0]!.left, gone.length], [true, 1]);
  assert(gone[0]!.error instanceof Error);
  await w.pass(200);
  assertEquals(raws.length, 2);
  assertEquals(raws[1]!.left, false);
});

zmtp(23, "a silent peer that came in is closed and becomes unknown", async (w) => {
  const router = w.router({ heartbeatInterval: 1000, mandatory: true });
  await router.bind(PLACE);
  const raw = await w.meet("DEALER", "one");
  await w.pass(1999);
  assertEquals(await outcome(router.send(["one", "x"])), "done");
  await w.pass(1);
  assertEquals(raw.left, true);
  assertEquals(await outcome(router.send(["one", "x"])), "EHOSTUNREACH");
});

zmtp(23, "a PONG, a message, or one octet of an endless frame is life", async (w) => {
  await w.router({ heartbeatInterval: 1000, heartbeatTimeout: 2000 }).bind(PLACE);
  const [pongs, talks, drips] = [await w.meet(), await w.meet(), await w.meet()];
  drips.say(hex("02 0000000000100000"));
  for (let i = 0; i < 100; i++) {
    pongs.say(PONG);
    talks.say(message("hi"));
    drips.say(hex("61"));
    await w.pass(1999);
  }
  assertEquals([pongs.left, talks.left, drips.left], [false, false, false]);
  await w.pass(3000);
  assertEquals([pongs.left, talks.left, drips.left], [true, true, true]);
});

zmtp(
  23,
  "a received ttl counts from the last octet, a new one replaces it, 0 ends it",
  async (w) => {
    await w.router().bind(PLACE);
    const [dies, lives] = [await w.meet(), await w.meet()];
    for (const raw of [dies, lives]) raw.say(pingFor(10));
    await w.pass(999);
    for (const raw of [dies, lives]) raw.say(hex("0001"));
    await w.pass(999);
    assertEquals([dies.left, lives.left], [false, false]);
    for (const raw of [dies, lives]) raw.say(hex("61"));
    dies.say(pingFor(20));
    lives.say(pingFor(0));
    await w.pass(1999);
    assertEquals([dies.left, lives.left], [false, false]);
    await w.pass(1);
    assertEquals(dies.left, true);
    await w.pass(HOUR);
    assertEquals(lives.left, false);
  },
);

zmtp(23, "a half-open connection is found, and what waits goes over the next", async (w) => {
  const router = w.router();
  await router.bind(PLACE);
  const dealer = w.dealer({
    heartbeatInterval: 1000,
    heartbeatTimeout: 1000,
    routingId: "me",
  });
  dealer.connect(PLACE);
  await w.pass(10_000);
  w.network.connections[0]!.halfOpen();
  router.handover = true;
  await w.pass(2400);
  await dealer.send("found");
  await w.pass(10);
  assertEquals(await drain(router), ["me|found"]);
});

zmtp(
  24,
  "the defaults are interval 0, ttl 0 and timeout -1, which stands for the interval",
  (w) => {
    const socket = w.dealer();
    assertEquals(
      [socket.heartbeatInterval, socket.heartbeatTimeToLive, socket.heartbeatTimeout],
      [0, 0, -1],
    );
    return Promise.resolve();
  },
);

zmtp(24, "without an interval no PING goes out, and silence is no death", async (w) => {
  await w.router().bind(PLACE);
  const raw = await w.meet();
  await w.pass(24 * HOUR);
  assertEquals([raw.left, raw.heard().length], [false, 1]);
});

zmtp(24, "with an interval alone PING has ttl 0, and death comes one interval later", async (w) => {
  await w.router({ heartbeatInterval: 700 }).bind(PLACE);
  const raw = await w.meet();
  await w.pass(699);
  assertEquals(raw.heard().length, 1);
  await w.pass(1);
  assertEquals(raw.heard().slice(1), ["PING 0000"]);
  await w.pass(699);
  assertEquals(raw.left, false);
  await w.pass(1);
  assertEquals(raw.left, true);
});

zmtp(
  24,
  "a timeout of 0 never judges, and a ttl goes out in tenths, 655 at most",
  async (w) => {
    const router = w.router({ heartbeatInterval: 1000, heartbeatTimeout: 0 });
    router.heartbeatTimeToLive = 2500;
    await router.bind(PLACE);
    const raw = await w.meet();
    await w.pass(1000);
    router.heartbeatTimeToLive = 600_000;
    await w.pass(1000);
    assertEquals(raw.heard().slice(1), ["PING 0019", "PING 028f"]);
    await w.pass(HOUR);
    assertEquals(raw.left, false);
  },
);

zmtp(
  25,
  "with our output blocked no heartbeat judges, but 30 s without progress or life do",
  async (w) => {
    const router = w.router({ heartbeatInterval: 1000 });
    await router.bind(PLACE);
    const raw = await w.meet("DEALER", "one");
    raw.deafen();
    await router.send(["one", BIG]);
    await w.pass(29_999);
    assertEquals(raw.left || w.network.connections.length === 0, false);
    await w.pass(1);
    assertEquals(w.network.connections.filter((it) => it.held("in") > 0).length, 1);
    raw.deafen(false);
    await w.settle();
    assertEquals(raw.left, true);
  },
);

zmtp(25, "with our output blocked each bit of progress gives 30 s more", async (w) => {
  const router = w.router({ heartbeatInterval: 1000 });
  await router.bind(PLACE);
  const raw = await w.meet("DEALER", "one");
  raw.deafen();
  const pieces = 10;
  await router.send(["one", BIG.repeat(pieces)]);
  for (let i = 0; i < pieces; i++) {
    await w.pass(29_000);
    // One read of what fits into the window, no more.
    raw.deafen(false);
    raw.deafen();
    await w.settle();
  }
  raw.deafen(false);
  await w.settle();
  assertEquals([raw.left, raw.messages().length], [false, 1]);
});

zmtp(
  25,
  "with a write deadline, one that talks but never reads gains no time by being paused and resumed",
  async (w) => {
    const router = w.router({ heartbeatInterval: 1000, receiveHighWaterMark: 2 });
    inspect(router).settings.writeDeadline = 30_000;
    const gone = record(router, "disconnect");
    await router.bind(PLACE);
    const raw = await w.meet("DEALER", "one");
    raw.deafen();
    await router.send(["one", BIG]);
    for (let i = 0; i < 29; i++) {
      raw.say(message("1"), message("2"), message("3"));
      await w.pass(500);
      await drain(router);
      await w.pass(500);
      await drain(router);
    }
    assertEquals(gone.length, 0);
    await w.pass(1000);
    assertEquals(gone.length, 1);
  },
);

zmtp(
  25,
  "a peer that we have paused gets an empty PONG each second, and its timers stand",
  async (w) => {
    const router = w.router({ heartbeatInterval: 1000, receiveHighWaterMark: 1 });
    await router.bind(PLACE);
    const raw = await w.meet();
    raw.say(PING, message("1"), message("2"));
    await w.settle();
    const before = raw.heard();
    await w.pass(600_500);
    assertEquals(raw.left, false);
    assertEquals(raw.heard().slice(before.length), Array(600).fill("PONG"));
    // Read again, it is judged again: by its ttl of 1 s.
    assertEquals(await take(router, 2), ["auto|1", "auto|2"]);
    await w.pass(999);
    assertEquals(raw.left, false);
    await w.pass(1);
    assertEquals(raw.left, true);
  },
);

zmtp(25, "a 3.0 peer that we have paused gets no PONG", async (w) => {
  const router = w.router({ receiveHighWaterMark: 1 });
  await router.bind(PLACE);
  const raw = await w.dial();
  raw.say(hex("ff00000000000000007f 03004e554c4c 00*48"), ROUTER_READY, message("1"));
  await w.pass(60_000);
  assertEquals([raw.left, raw.heard().length], [false, 1]);
});

const beat = { heartbeatInterval: 1500, heartbeatTimeToLive: 3000 };
const few = { ...beat, receiveHighWaterMark: 1 };
const numbers = Array.from({ length: 20 }, (_, i) => `${i}`);

zmtp(25, "our slow application is not taken for death by the peer", async (w) => {
  const router = w.router(few);
  await router.bind(PLACE);
  const dealer = w.dealer(beat);
  const events = record(dealer, "disconnect");
  dealer.connect(PLACE);
  for (const i of numbers) await dealer.send(i);
  await w.pass(HOUR);
  for (const i of numbers) {
    assertEquals(await take(router, 1), [`auto|${i}`]);
    await w.pass(60_000);
  }
  assertEquals(events, []);
});

zmtp(25, "the peer's slow application is not taken for death by us", async (w) => {
  const router = w.router(beat);
  const events = record(router, "disconnect");
  await router.bind(PLACE);
  const dealer = w.dealer({ ...few, routingId: "slow" });
  dealer.connect(PLACE);
  await w.settle();
  for (const i of numbers) await router.send(["slow", i]);
  await w.pass(HOUR);
  for (const i of numbers) {
    assertEquals(await take(dealer, 1), [i]);
    await w.pass(60_000);
  }
  assertEquals(events, []);
});

zmtp(
  25,
  "slow applications on both sides with full networks are not taken for death",
  async (w) => {
    const router = w.router(few);
    await router.bind(PLACE);
    const dealer = w.dealer({ ...few, routingId: "slow" });
    const events = [record(router, "disconnect"), record(dealer, "disconnect")];
    dealer.connect(PLACE);
    await w.settle();
    const body = "x".repeat(60_000);
    for (const i of numbers) {
      await router.send(["slow", i, body]);
      await dealer.send([i, body]);
    }
    for (const i of numbers) {
      await w.pass(HOUR);
      assertEquals(await take(dealer, 1), [`${i}|${body}`]);
      assertEquals(await take(router, 1), [`slow|${i}|${body}`]);
    }
    assertEquals(events, [[], []]);
  },
);

zmtp(25, "a process that stood still judges nobody by its own late tick", async (w) => {
  let skipped = 0;
  const base = w.network.io("router");
  const io: Io = { ...base, now: () => base.now() + skipped };
  const router = w.router({ io, heartbeatInterval: 1000 });
  await router.bind(PLACE);
  const raw = await w.meet();
  raw.say(pingFor(10));
  await w.pass(900);
  skipped = 60_000;
  await w.pass(1000);
  assertEquals(raw.left, false);
  raw.say(message("still here"));
  await w.pass(500);
  assertEquals([raw.left, await drain(router)], [false, ["auto|still here"]]);
  assert(raw.heard().includes("PONG"));
});
