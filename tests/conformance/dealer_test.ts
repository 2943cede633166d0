/**
 * DEALER, lines 35 to 37 of the checklist, on a network in memory with simulated time.
 *
 * @module
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { fullJitter } from "../../protocol/time/backoff.ts";
import {
  drain,
  ELSEWHERE,
  inWorld,
  message,
  outcome,
  PLACE,
  type RawPeer,
  record,
  type World,
  zmtp,
} from "./raw_peer.ts";

/** A message that a window of 64 KiB can't take. */
const BIG = "x".repeat(200_000);

/** Texts of numbers from `first` to `last`, as a raw peer hears them. */
function numbers(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => `"${first + i}"`);
}

/** A port where all who connect meet a ROUTER. */
function routers(w: World, endpoint = PLACE): Promise<RawPeer[]> {
  return w.listen((raw) => raw.shake("ROUTER"), endpoint);
}

zmtp(35, "DEALER sends to its peers in turn, connected and accepted alike", async (w) => {
  const dealer = w.dealer();
  const connected = await routers(w, ELSEWHERE);
  await dealer.bind(PLACE);
  dealer.connect(ELSEWHERE);
  const accepted = [await w.meet(), await w.meet()];
  for (let i = 0; i < 9; i++) await dealer.send(i);
  await w.settle();
  const shares = [...connected, ...accepted].map((raw) => raw.messages());
  for (const share of shares) assertEquals(share.length, 3);
  const next = shares.map((share) => JSON.parse(JSON.parse(share[0]!))).sort();
  assertEquals(next, [0, 1, 2]);
});

zmtp(35, "DEALER passes over a peer without room", async (w) => {
  const dealer = w.dealer({ sendHighWaterMark: 2 });
  await dealer.bind(PLACE);
  const [slow, quick] = [await w.meet(), await w.meet()];
  slow.deafen();
  await dealer.send(BIG);
  await dealer.send("first");
  await w.settle();
  for (let i = 0; i < 10; i++) {
    await dealer.send(i);
    await w.settle();
  }
  // One more fitted in front of the slow one.
  assertEquals(quick.messages(), ['"first"', ...numbers(1, 9)]);
  slow.deafen(false);
  await w.settle();
  assertEquals(slow.messages().slice(1), ['"0"']);
});

zmtp(35, "with one of two endpoints dead, half the messages wait there", async (w) => {
  const dealer = w.dealer();
  dealer.connect(PLACE);
  dealer.connect(ELSEWHERE);
  const live = await routers(w);
  await w.pass(1000);
  for (let i = 0; i < 10; i++) await dealer.send(i);
  await w.pass(60_000);
  assertEquals(live[0]!.messages(), ['"0"', '"2"', '"4"', '"6"', '"8"']);
  const late = await routers(w, ELSEWHERE);
  await w.pass(1000);
  assertEquals(late[0]!.messages(), ['"1"', '"3"', '"5"', '"7"', '"9"']);
});

zmtp(35, "with immediate only endpoints that are connected count", async (w) => {
  const dealer = w.dealer({ immediate: true });
  dealer.connect(PLACE);
  dealer.connect(ELSEWHERE);
  assertEquals(dealer.writable, false);
  const early = outcome(dealer.send(0));
  const live = await routers(w);
  await w.pass(1000);
  assertEquals([await early, dealer.writable], ["done", true]);
  for (let i = 1; i < 10; i++) await dealer.send(i);
  await w.settle();
  assertEquals(live[0]!.messages(), numbers(0, 9));
});

zmtp(35, "without an endpoint a send waits, EAGAIN after sendTimeout", async (w) => {
  const dealer = w.dealer({ sendTimeout: 50 });
  assertEquals(dealer.writable, false);
  let result = "waits";
  outcome(dealer.send("no")).then((it) => result = it);
  await w.pass(49);
  assertEquals(result, "waits");
  await w.pass(1);
  assertEquals(result, "EAGAIN");
  dealer.sendTimeout = 0;
  assertEquals(await outcome(dealer.send("no")), "EAGAIN");
  dealer.sendTimeout = -1;
  const patient = outcome(dealer.send("yes"));
  await w.pass(3_600_000);
  const raws = await routers(w);
  dealer.connect(PLACE);
  await w.settle();
  assertEquals([await patient, raws[0]!.messages()], ["done", ['"yes"']]);
});

zmtp(35, "with all peers full a send waits, and nothing is ever discarded", async (w) => {
  const dealer = w.dealer({ sendHighWaterMark: 3, sendTimeout: 50 });
  dealer.connect(PLACE);
  const sent = [0, 1, 2, 3, 4].map((i) => outcome(dealer.send(i)));
  await w.pass(50);
  assertEquals(await Promise.all(sent), ["done", "done", "done", "EAGAIN", "EAGAIN"]);
  dealer.sendTimeout = -1;
  const waiting = [5, 6, 7].map((i) => outcome(dealer.send(i)));
  const raws = await routers(w);
  await w.pass(1000);
  assertEquals(await Promise.all(waiting), ["done", "done", "done"]);
  assertEquals(raws[0]!.messages(), [...numbers(0, 2), ...numbers(5, 7)]);
});

zmtp(35, "DEALER never changes frames", async (w) => {
  const dealer = w.dealer();
  await dealer.bind(PLACE);
  const raw = await w.meet("DEALER", "named");
  await dealer.send(["", "named", "", ""]);
  raw.say(message("", "named", "", ""));
  await w.settle();
  assertEquals(raw.messages(), ['"" "named" "" ""']);
  assertEquals(await drain(dealer), ["|named||"]);
});

zmtp(35, "DEALER fair-queues what comes in", async (w) => {
  const dealer = w.dealer();
  await dealer.bind(PLACE);
  const busy = await w.meet();
  const quiet = await w.meet();
  for (let i = 0; i < 50; i++) busy.say(message(`busy ${i}`));
  await w.settle();
  quiet.say(message("quiet 0"), message("quiet 1"));
  await w.settle();
  const got = await drain(dealer);
  assert(got.indexOf("quiet 1") < 5, got.join());
  assertEquals(got.length, 52);
});

zmtp(36, "a connecting socket keeps its queue over disconnects, in order", async (w) => {
  const raws = await routers(w);
  const dealer = w.dealer();
  dealer.connect(PLACE);
  await w.settle();
  let sent = 0;
  for (let round = 0; round < 5; round++) {
    w.network.refuse(PLACE);
    w.network.cut();
    for (let i = 0; i < 3; i++) await dealer.send(sent++);
    await w.pass(5000);
    w.network.refuse(PLACE, false);
    await w.pass(1000);
  }
  assertEquals(raws.length, 6);
  assertEquals(raws.flatMap((raw) => raw.messages()), numbers(0, 14));
});

zmtp(36, "an accepted peer's queue goes with it", async (w) => {
  const dealer = w.dealer();
  await dealer.bind(PLACE);
  const first = await w.meet();
  first.deafen();
  await dealer.send(BIG);
  await w.settle();
  await dealer.send("queued");
  first.leave();
  await w.settle();
  const second = await w.meet();
  await dealer.send("fresh");
  await w.settle();
  assertEquals(second.messages(), ['"fresh"']);
});

zmtp(36, "disconnect() drops the queue", async (w) => {
  const dealer = w.dealer();
  dealer.connect(PLACE);
  await dealer.send("dropped");
  dealer.disconnect(PLACE);
  const raws = await routers(w);
  await w.pass(10_000);
  assertEquals(raws.length, 0);
  dealer.connect(PLACE);
  await dealer.send("fresh");
  await w.settle();
  assertEquals(raws.map((raw) => raw.messages()), [['"fresh"']]);
  dealer.disconnect(PLACE);
  await w.pass(10_000);
  assertEquals(raws.map((raw) => raw.left), [true]);
});

zmtp(36, "a half-sent message is not sent again, the next one is", async (w) => {
  const raws = await routers(w);
  const dealer = w.dealer();
  dealer.connect(PLACE);
  await w.settle();
  raws[0]!.deafen();
  await dealer.send(["half", BIG]);
  await dealer.send("next");
  await w.settle();
  assert(w.network.connections[0]!.held("out") > 60_000);
  await dealer.send("last");
  w.network.cut();
  await w.pass(1000);
  assertEquals(raws[0]!.messages(), []);
  assertEquals(raws[1]!.messages(), ['"next"', '"last"']);
});

Deno.test("zmtp 36: wherever the connection breaks, nothing comes twice or out of order", async () => {
  const window = 16;
  for (let cut = 1; cut < 100; cut++) {
    await inWorld(async (w) => {
      const raws = await routers(w);
      const dealer = w.dealer();
      dealer.connect(PLACE);
      await w.settle();
      w.network.connections[0]!.dropAfter(cut, "out");
      for (let i = 10; i < 40; i++) await dealer.send(i);
      await w.pass(1000);
      const got = raws.flatMap((raw) => raw.messages());
      // What was in the network when it broke is lost: 4 octets a message, and the one cut in two.
      assert(got.length >= 30 - window / 4 - 1, `cut ${cut}: ${got}`);
      assertEquals(got, [...new Set(got)].sort(), `cut ${cut}`);
      assertEquals(got.at(-1), '"39"');
    }, { window });
  }
});

zmtp(37, "a reconnect waits the interval and a random part of it, 100 ms", async (w) => {
  const dealer = w.dealer();
  const events = record(dealer, "connect:retry", "connect:delay");
  const times: number[] = [];
  dealer.events.on("connect:delay", () => times.push(w.network.now));
  dealer.connect(PLACE);
  await w.pass(60_000);
  const waits = events.flatMap((it) => it.type === "connect:retry" ? [it.interval] : []);
  assert(waits.length > 300);
  for (const wait of waits) assert(wait >= 100 && wait < 200, `${wait}`);
  assert(Math.min(...waits) < 105 && Math.max(...waits) > 195, "hardly random");
  // Each wait is kept to the fraction of a millisecond.
  for (let i = 1; i < times.length; i++) {
    assert(Math.abs(times[i]! - times[i - 1]! - waits[i - 1]!) < 0.001);
  }
});

zmtp(37, "reconnectMaxInterval makes the wait double up to it, and 0 doesn't", async (w) => {
  const growing = w.dealer({ reconnectInterval: 100, reconnectMaxInterval: 5000 });
  const steady = w.dealer({ reconnectInterval: 1000 });
  const [grown, stayed] = [record(growing, "connect:retry"), record(steady, "connect:retry")];
  growing.connect(PLACE);
  steady.connect(ELSEWHERE);
  await w.pass(120_000);
  for (const [i, { interval }] of grown.entries()) {
    const base = Math.min(100 * 2 ** i, 4900);
    assert(interval >= base && interval <= base + 100, `${i}: ${interval}`);
  }
  assert(grown.length > 20);
  for (const { interval } of stayed) assert(interval >= 1000 && interval < 2000);
});

zmtp(37, "after a handshake the wait starts anew", async (w) => {
  const dealer = w.dealer({ reconnectInterval: 100, reconnectMaxInterval: 10_000 });
  const retries = record(dealer, "connect:retry");
  dealer.connect(PLACE);
  await w.pass(20_000);
  assert(retries.at(-1)!.interval > 3000);
  const raws = await routers(w);
  await w.pass(20_000);
  raws[0]!.leave();
  await w.settle();
  assert(retries.at(-1)!.interval < 200);
});

zmtp(37, "a reconnectInterval of -1 means never", async (w) => {
  const raws = await routers(w);
  const dealer = w.dealer({ reconnectInterval: -1 });
  dealer.connect(PLACE);
  await w.settle();
  raws[0]!.leave();
  await w.pass(3_600_000);
  assertEquals(raws.length, 1);
});

Deno.test("zmtp 37: Rota's own worker and client wait up to 30 s with full jitter", () => {
  const most = (attempt: number) => fullJitter(attempt, 100, 30_000, 1 - 2 ** -32);
  for (let attempt = 0; attempt < 100; attempt++) {
    const bound = Math.min(100 * 2 ** attempt, 30_000);
    assertEquals(fullJitter(attempt, 100, 30_000, 0), 0);
    assert(most(attempt) < bound && most(attempt) > bound - 1, `${attempt}`);
  }
  assertNotEquals(fullJitter(5, 100, 30_000, 0.25), fullJitter(5, 100, 30_000, 0.75));
});
