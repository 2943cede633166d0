/**
 * Attacks on memory and on time against live sockets: messages that never end, peers that never
 * read, resets.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Reply, Request as RequestSocket } from "../../protocol/mod.ts";
import { inspect } from "../../protocol/sockets/inspect.ts";
import { DEALER_GREETING, hex, join, REQ_READY } from "../conformance/vectors.ts";
import { Attacker, HANDSHAKE, handshakeAs, longHeader, MESSAGE, resetter } from "./attacker.ts";
import { MIB, Siege } from "./siege.ts";

Deno.test("50 peers each with an unfinished message share the budget, and the largest goes", async () => {
  const limit = 16 * MIB;
  await using siege = await Siege.lay({}, limit + MIB);
  siege.inside.budget.limit = limit;
  const size = 2 * MIB;
  const part = join(longHeader(0, size), new Uint8Array(size - 1));
  const attackers = await siege.attackers(50, HANDSHAKE);
  const said = attackers.map((attacker) => attacker.say(part));
  await siege.until(() => siege.count("starved") > 0);
  // A deadline after the other: the largest unfinished message is closed, until all others fit.
  const starving = () => siege.others.some((it) => it.link?.paused);
  for (let closed = 0; starving(); closed = siege.count("hungry")) {
    await siege.io.advance(9_000);
    assertEquals(siege.count("hungry"), closed, "closed before its 10 s were over");
    await siege.io.advance(1_000);
    await siege.until(() => siege.count("hungry") > closed);
    for (let i = 0; i < 20; i++) await siege.trip();
  }
  const left = siege.others.length;
  assert(left >= 6, `only ${left} are left of those that fit`);
  assertEquals(siege.count("hungry") + left, 50);
  // Those that are left may end their messages.
  assertEquals((await Promise.all(said)).filter(Boolean).length >= left, true);
  await Promise.all(attackers.map((attacker) => attacker.say(hex("00"))));
  for (let i = 0; i < left; i++) assertEquals((await siege.stranger())[1]!.length, size);
});

Deno.test("what goes to a peer that never reads is dropped at its mark, counted, and it is closed", async () => {
  await using siege = await Siege.lay({}, 4 * MIB);
  siege.inside.settings.writeDeadline = 30_000;
  const attacker = await siege.attack(handshakeAs("deaf"), MESSAGE);
  await siege.stranger();
  const kilobyte = new Uint8Array(1024);
  while (siege.count("no-room") === 0) {
    for (let i = 0; i < 100; i++) await siege.router.send(["deaf", kilobyte]);
    await siege.trip();
  }
  assert(siege.others[0]!.waitingMessages <= 1000);
  // The good peer is not held up, and neither is a send to the deaf one.
  await siege.trip();
  for (let closed = false; !closed; closed = siege.count("stuck") > 0) {
    await siege.io.advance(30_000);
    await siege.trip();
  }
  assertEquals(siege.others, []);
  await siege.router.send(["deaf", kilobyte]);
  assertEquals(siege.count("no-peer"), 1);
  attacker[Symbol.dispose]();
});

Deno.test("what waits for a peer that never reads is bounded in octets too", async () => {
  await using siege = await Siege.lay({ sendHighWaterMark: 0 }, 20 * MIB);
  siege.inside.settings.outputBytes = 8 * MIB;
  await siege.attack(handshakeAs("deaf"), MESSAGE);
  await siege.stranger();
  const large = new Uint8Array(MIB);
  while (siege.count("no-room") < 10) {
    await siege.router.send(["deaf", large]);
    await siege.trip();
  }
  assert(siege.others[0]!.waitingBytes < 9 * MIB + 100);
});

Deno.test("mandatory: a send to a peer that never reads ends with EAGAIN at sendTimeout", async () => {
  await using siege = await Siege.lay({ sendHighWaterMark: 10, sendTimeout: 500 }, 32 * MIB);
  await siege.attack(handshakeAs("deaf"), MESSAGE);
  await siege.stranger();
  const large = new Uint8Array(MIB);
  while (siege.count("no-room") === 0) {
    await siege.router.send(["deaf", large]);
    await siege.trip();
  }
  siege.router.mandatory = true;
  const sent = assertRejects(() => siege.router.send(["deaf", large]), Error, "no peer has room");
  await siege.io.advance(500);
  await sent;
  siege.router.mandatory = false;
});

Deno.test("a client that asks a Reply and never reads loses its answers, and others are served", async () => {
  await using reply = new Reply({ linger: 0, sendHighWaterMark: 10 });
  await reply.bind("tcp://127.0.0.1:*");
  const port = Number(reply.lastEndpoint!.split(":").at(-1));
  const { counters, budget } = inspect(reply);
  const serving = (async () => {
    for await (const [question] of reply) {
      const deaf = question!.text() === "a";
      await reply.send(deaf ? new Uint8Array(MIB) : question!);
    }
  })();
  using deaf = await Attacker.to(port, DEALER_GREETING, REQ_READY);
  await deaf.hear(64);
  const questions = join(...Array.from({ length: 100 }, () => hex("0100 000161")));
  await deaf.say(questions);
  await using request = new RequestSocket({ linger: 0, receiveTimeout: 20_000 });
  request.connect(reply.lastEndpoint!);
  for (let i = 0; (counters.get("no-room") ?? 0) === 0; i++) {
    await request.send(`question ${i}`);
    assertEquals(String(await request.receive()), `question ${i}`);
  }
  assert(budget.peak < 32 * MIB, `${budget.peak} octets at the peak`);
  reply.close();
  await serving;
});

Deno.test("a reset with unread data costs only its sender", async () => {
  await using siege = await Siege.lay();
  for (let i = 1; i <= 20; i++) {
    const peer = await resetter(siege.port, HANDSHAKE, hex("0103"));
    await siege.until(() => siege.others.length === 1 && siege.others[0]!.open);
    peer.reset();
    await siege.untilCounted("cut-short", i);
  }
  assertEquals(siege.departures.length, 20);
  for (const error of siege.departures) assert(error instanceof Deno.errors.ConnectionReset);
});

Deno.test("a reset of a peer that is not read at the moment costs only its sender", async () => {
  await using siege = await Siege.lay({}, 2 * MIB);
  const peer = await resetter(siege.port, HANDSHAKE);
  await siege.until(() => siege.others.length === 1 && siege.others[0]!.open);
  // As a full queue would: after the read that is under way, all stays with the kernel.
  siege.others[0]!.pause();
  await peer.say(MESSAGE);
  await siege.until(() => siege.others[0]!.link!.input.waiting > 0);
  await siege.trip();
  await peer.say(MESSAGE, MESSAGE);
  peer.reset();
  await siege.trip();
  assertEquals(siege.others.length, 1);
  siege.others[0]!.resume();
  await siege.until(() => siege.others.length === 0);
  assertEquals(siege.departures.length, 1);
  assert(siege.strangers.length >= 1 && siege.strangers.length <= 3);
});

Deno.test("a reset while the Router writes costs only its sender", async () => {
  await using siege = await Siege.lay({}, 64 * MIB);
  const peer = await resetter(siege.port, handshakeAs("deaf"), MESSAGE);
  await siege.stranger();
  const large = new Uint8Array(MIB);
  for (let i = 0; i < 20; i++) await siege.router.send(["deaf", large]);
  await siege.until(() => siege.others[0]!.link!.writing);
  peer.reset();
  await siege.until(() => siege.others.length === 0);
  assertEquals(siege.departures.length, 1);
  assert(siege.inside.budget.used < MIB, "its output is kept");
});
