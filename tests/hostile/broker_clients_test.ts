/**
 * Hostile clients against a live broker: requests of others, names of others, credit for nothing,
 * services without end.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { DEALER_GREETING, REP_READY, text } from "../conformance/vectors.ts";
import type { Dealer } from "../../protocol/mod.ts";
import { Attacker, DEALER, ready } from "./attacker.ts";
import { BrokerSiege, message, MIB, request, requestId, SIG } from "./broker_siege.ts";

/** What a Dealer hears next, as texts. */
async function hears(dealer: Dealer): Promise<string[]> {
  return (await dealer.receive()).map(String);
}

/** A native worker of the default service; gives it and how it says things about its jobs. */
async function nativeWorker(siege: BrokerSiege, slots: number): Promise<Dealer> {
  const worker = siege.dealer("backend");
  await worker.send(["", "REGISTER", `${slots}`, "rota=1", "native"]);
  await worker.receive();
  return worker;
}

Deno.test("another version of the native dialogue is told so, and is never a job", async () => {
  await using siege = await BrokerSiege.lay();
  const client = siege.dealer("frontend");
  const other = new Uint8Array(SIG);
  other[5] = 2;
  await client.send(["", other, "TRACKEXEC", requestId(1), "go", ""]);
  const [, , word, id, code] = await client.receive();
  assertEquals([word!.text(), new Uint8Array(id!), code!.text()], [
    "ERROR",
    requestId(1),
    "VERSION",
  ]);
  await client.send(["", other]);
  assertEquals((await hears(client)).slice(2, 5), ["ERROR", "", "VERSION"]);
  assertEquals([siege.waiting, siege.counted.errors], [0, { VERSION: 2 }]);
});

Deno.test("CANCEL and CREDIT for another's request change nothing, counted", async () => {
  await using siege = await BrokerSiege.lay();
  const worker = await nativeWorker(siege, 2);
  const victim = siege.dealer("frontend");
  await victim.send(request("STREAM", 1));
  const [, id] = await worker.receive();
  const thief = siege.dealer("frontend");
  for (let i = 0; i < 10; i++) {
    await thief.send(["", SIG, "CANCEL", requestId(1)]);
    await thief.send(["", SIG, "CREDIT", requestId(1), "5"]);
    await thief.send(["", SIG, "CANCEL", requestId(99)]);
  }
  await siege.untilDropped("unknown request", 20);
  await siege.untilDropped("bad credit", 10);
  await victim.send(["", SIG, "CREDIT", requestId(1), "1"]);
  assertEquals((await hears(worker)).slice(4), ["CREDIT", "1"]);
  await worker.send(["", id!, "", SIG, "PARTIAL", "chunk"]);
  assertEquals((await hears(victim)).slice(4), ["chunk"]);
});

Deno.test("credit that is no number, or more than anybody means, is refused", async () => {
  await using siege = await BrokerSiege.lay();
  const worker = await nativeWorker(siege, 2);
  const client = siege.dealer("frontend");
  await client.send(request("STREAM", 1));
  await worker.receive();
  const bad = ["0", "-1", "many", "", "1000000001", "1e3", "9".repeat(400)];
  for (const credit of bad) {
    await client.send(["", SIG, "CREDIT", requestId(1), credit]);
    assertEquals((await hears(client))[4], "BAD_REQUEST", credit);
  }
  await client.send(["", SIG, "CREDIT", requestId(1), "1000000000"]);
  assertEquals((await hears(worker)).slice(4), ["CREDIT", "1000000000"]);
  for (let i = 0; i < 5; i++) await client.send(["", SIG, "CREDIT", requestId(1), "1000000000"]);
  await siege.untilDropped("bad credit", 5);
});

Deno.test("a stream without credit brings nothing, and a worker that goes beyond it is stopped", async () => {
  await using siege = await BrokerSiege.lay();
  const worker = await nativeWorker(siege, 2);
  const client = siege.dealer("frontend");
  await client.send(request("STREAM", 1));
  const [, id] = await worker.receive();
  await client.send(["", SIG, "CREDIT", requestId(1), "2"]);
  await hears(worker);
  for (let i = 0; i < 3; i++) await worker.send(["", id!, "", SIG, "PARTIAL", `chunk ${i}`]);
  for (let i = 0; i < 2; i++) assertEquals((await hears(client)).slice(4), [`chunk ${i}`]);
  assertEquals((await hears(client)).slice(2, 5).filter((_, i) => i !== 1), [
    "ERROR",
    "WORKER_FAILED",
  ]);
  assertEquals((await hears(worker)).slice(4), ["CANCEL"]);
  for (let i = 0; i < 100; i++) await worker.send(["", id!, "", SIG, "PARTIAL", "more"]);
  await siege.untilDropped("stale result", 100);
  assertEquals(siege.counted.jobs.chunks, 2);
});

Deno.test("1,024 open streams of one client, and no more", async () => {
  await using siege = await BrokerSiege.lay();
  const client = siege.dealer("frontend");
  for (let i = 0; i < 1030; i++) await client.send(request("STREAM", i));
  for (let i = 0; i < 6; i++) assertEquals((await hears(client))[4], "BUSY");
  assertEquals(siege.waiting, 1024);
  await client.send(["", SIG, "CANCEL", requestId(0)]);
  assertEquals((await hears(client))[4], "CANCELLED");
  await client.send(request("STREAM", 2000));
  await siege.until(() => siege.waiting === 1024);
});

Deno.test("an identity in use: at the frontend the newcomer is closed, at the backend the holder", async () => {
  await using siege = await BrokerSiege.lay();
  const holder = siege.dealer("frontend", "same");
  await holder.send(["", "job"]);
  await siege.until(() => siege.waiting === 1);
  for (let i = 1; i <= 10; i++) {
    using thief = await siege.attackAs("frontend", "same", message("", "mine now"));
    await thief.end();
    assertEquals(siege.fault("frontend", "identity-in-use"), i);
  }
  assertEquals(siege.waiting, 1);
  const old = await siege.attackAs("backend", "w", message("", "REGISTER", "1", "w"));
  await siege.until(() => siege.waiting === 0);
  // It is the same worker come back: its old connection is closed, its job is done by the new one.
  const back = siege.dealer("backend", "w");
  await back.send(["", "REGISTER", "1", "w"]);
  const [, id] = await back.receive().then(() => back.receive());
  await old.end();
  await back.send(["", id!, "", "result"]);
  assertEquals(await hears(holder), ["", "result"]);
  assertEquals([siege.workers.length, siege.counted.jobs.requeued], [1, 1]);
});

Deno.test("an address in use: its holder keeps it while it lives", async () => {
  await using siege = await BrokerSiege.lay({ limits: { heartbeatSeconds: 1 } });
  const holder = siege.dealer("backend", "holder");
  await holder.send(["", "REGISTER", "1", "address"]);
  await holder.receive();
  const thief = siege.dealer("backend", "thief");
  for (let i = 0; i < 8; i++) {
    // The holder says nothing of its own; its answers to heartbeats are life enough.
    await siege.pass(1000);
    await thief.send(["", "REGISTER", "5", "address"]);
    assertEquals(await hears(thief), ["", "REFUSED", "address-in-use", "address"]);
  }
  assertEquals(siege.workers.map(({ capacity }) => capacity), [1]);
});

Deno.test("an address in use: a holder that gives no sign of life loses it", async () => {
  await using siege = await BrokerSiege.lay({ limits: { heartbeatSeconds: 1 } });
  const dead = await siege.attack("backend", message("", "REGISTER", "1", "address"));
  await siege.until(() => siege.workers.length === 1);
  const heir = siege.dealer("backend", "heir");
  await heir.send(["", "REGISTER", "5", "address"]);
  assertEquals(await hears(heir), ["", "REFUSED", "address-in-use", "address"]);
  await siege.pass(3000);
  await heir.send(["", "REGISTER", "5", "address"]);
  assertEquals((await hears(heir)).slice(0, 3), ["", "REGISTERED", "5"]);
  await dead.end();
  assertEquals(siege.workers.map(({ capacity }) => capacity), [5]);
});

Deno.test("services past the limit: BUSY and REFUSED, and names that nobody uses make room", async () => {
  await using siege = await BrokerSiege.lay({ limits: { services: 50 } });
  const client = siege.dealer("frontend");
  for (let i = 0; i < 60; i++) await client.send(request("TRACKEXEC", i, { service: `s${i}` }));
  for (let i = 0; i < 12; i++) assertEquals((await hears(client))[4], "BUSY");
  assertEquals(siege.counted.services.length, 50);
  const worker = siege.dealer("backend");
  await worker.send(["", "REGISTER", "1", "service=one more", "me"]);
  assertEquals(await hears(worker), ["", "REFUSED", "too-many-services", "me"]);
  const many = Array.from({ length: 1000 }, (_, i) => `service=many ${i}`);
  await worker.send(["", "REGISTER", "1", ...many, "me"]);
  assertEquals(await hears(worker), ["", "REFUSED", "too-many-services", "me"]);
  await client.send(["", SIG, "CANCEL", requestId(0)]);
  assertEquals((await hears(client))[4], "CANCELLED");
  await worker.send(["", "REGISTER", "1", "service=one more", "me"]);
  assertEquals((await hears(worker))[1], "REGISTERED");
  assertEquals(siege.counted.services.length, 50);
});

Deno.test("20,000 names of services that come once leave no more than the limit", async () => {
  await using siege = await BrokerSiege.lay({ limits: { services: 500 } });
  const attacker = await siege.attack("frontend");
  const heard = attacker.end();
  for (let i = 0; i < 20_000; i += 1000) {
    const parts: Uint8Array[] = [];
    for (let j = i; j < i + 1000; j++) {
      parts.push(message(...request("TRACKEXEC", j, { service: `name ${j}`, ttl: "1" })));
      parts.push(message("", SIG, "CANCEL", requestId(j)));
    }
    await attacker.say(...parts);
  }
  await siege.until(() => siege.counted.jobs.cancelled === 20_000);
  assert(siege.counted.services.length <= 500);
  attacker[Symbol.dispose]();
  await heard;
});

Deno.test("sockets that can't be clients, HTTP and noise are closed, counted, at both ports", async () => {
  await using siege = await BrokerSiege.lay();
  const http = text("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  for (const port of ["frontend", "backend"] as const) {
    const rounds: [kind: string, Uint8Array[]][] = [
      ["greeting", [http]],
      ["socket-type", [DEALER_GREETING, ready(["Socket-Type", text("SUB")])]],
      ["identity", [DEALER_GREETING, ready(DEALER, ["Identity", new Uint8Array(256).fill(97)])]],
      ["identity", [DEALER_GREETING, ready(DEALER, ["Identity", new Uint8Array([0, 1])])]],
    ];
    if (port === "frontend") rounds.push(["socket-type", [DEALER_GREETING, REP_READY]]);
    for (const [kind, parts] of rounds) {
      const before = siege.fault(port, kind);
      using attacker = await Attacker.to(siege.port(port), ...parts);
      await attacker.end();
      await siege.until(() => siege.fault(port, kind) === before + 1);
    }
  }
  assertEquals([siege.workers, siege.counted.clients], [[], 1]);
});

Deno.test("huge envelopes of clients come back as they were, and leave nothing", async () => {
  await using siege = await BrokerSiege.lay({ most: 64 * MIB });
  await siege.helper("helper");
  const client = siege.dealer("frontend");
  const huge = new Uint8Array(4 * MIB).fill(0x61);
  await client.send([huge, "", "job"]);
  const [envelope, ...rest] = await client.receive();
  assertEquals([envelope!.length, ...rest.map(String)], [huge.length, "", "done", "job"]);
  const hops = Array.from({ length: 1000 }, (_, i) => `hop ${i}`);
  await client.send([...hops, "", "job"]);
  assertEquals(await hears(client), [...hops, "", "done", "job"]);
  // One frame more than a message may have ends its sender.
  const all = Array.from({ length: 1023 }, () => "hop");
  using fits = await siege.attack("frontend", message(...all, ""));
  await siege.untilDropped("no body", 1);
  using tooMany = await siege.attack("frontend", message(...all, "", "job"));
  await tooMany.end();
  assertEquals(siege.fault("frontend", "frames"), 1);
  assert(await fits.say(message("", "job")));
  await siege.until(() => siege.counted.stored === 0);
});
