/**
 * Hostile workers against a live broker: credit that they don't have, jobs that aren't theirs, names
 * that mean something elsewhere, words that mean nothing.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Dealer, Frame } from "../../protocol/mod.ts";
import { text } from "../conformance/vectors.ts";
import { BrokerSiege, headers, message, MIB, request, SIG } from "./broker_siege.ts";

/** What a Dealer hears next, as texts. */
async function hears(dealer: Dealer): Promise<string[]> {
  return (await dealer.receive()).map(String);
}

/** A client that has asked so often. */
async function asked(siege: BrokerSiege, times: number): Promise<Dealer> {
  const client = siege.dealer("frontend");
  for (let i = 0; i < times; i++) await client.send(["", `job ${i}`]);
  const waiting = () => siege.waiting + siege.workers.reduce((sum, it) => sum + it.running, 0);
  await siege.until(() => waiting() >= times);
  return client;
}

Deno.test("READY said 1,000 times brings one job", async () => {
  await using siege = await BrokerSiege.lay();
  await asked(siege, 100);
  const worker = siege.dealer("backend");
  for (let i = 0; i < 1000; i++) await worker.send(["", "READY"]);
  const heard: string[] = [];
  for (let i = 0; i < 1001; i++) heard.push((await hears(worker))[1]!);
  await siege.trip();
  assertEquals(heard.filter((it) => it === "PONG").length, 1000);
  assertEquals(heard.filter((it) => it.startsWith("job")), ["job 0"]);
  assertEquals([siege.workers.length, siege.waiting], [1, 99]);
  assertEquals([siege.workers[0]!.free, siege.workers[0]!.capacity], [0, 1]);
});

Deno.test("REGISTER and INCREMENT said 1,000 times bring no more than twice the slots", async () => {
  await using siege = await BrokerSiege.lay();
  await asked(siege, 100);
  for (const [slots, word] of [[1, "REGISTER"], [3, "REGISTER"], [5, "INCREMENT"]] as const) {
    const before = siege.waiting;
    const worker = await siege.attack("backend");
    const address = `${word} ${slots}`;
    await worker.say(message("", "REGISTER", `${slots}`, address));
    const again = word === "REGISTER"
      ? message("", "REGISTER", `${slots}`, address)
      : message("", "INCREMENT", "65535", address);
    for (let i = 0; i < 1000; i++) await worker.say(again);
    await siege.until(() => siege.waiting <= before - 2 * slots);
    for (let i = 0; i < 5; i++) await siege.trip();
    assertEquals(siege.waiting, before - 2 * slots);
    const known = siege.workers.find((it) => it.address === address)!;
    assertEquals([known.capacity, known.running], [slots, 2 * slots]);
    assert(known.free <= slots);
  }
});

Deno.test("slots that are no number from 1 to 65,535 are refused", async () => {
  await using siege = await BrokerSiege.lay();
  const worker = siege.dealer("backend");
  const bad = ["0", "-1", "2147483648", "65536", "ten", "1.5", "", " 1", "01", "1e3", "٣", "+1"];
  for (const slots of bad) {
    await worker.send(["", "REGISTER", slots, "me"]);
    assertEquals(await hears(worker), ["", "REFUSED", "slots", "me"], slots);
  }
  assertEquals(siege.workers, []);
  await worker.send(["", "REGISTER", "65535", "me"]);
  assertEquals((await hears(worker)).slice(0, 3), ["", "REGISTERED", "65535"]);
});

Deno.test("INCREMENT and DEREGISTER of a stranger change nothing, counted", async () => {
  await using siege = await BrokerSiege.lay();
  const victim = siege.dealer("backend");
  await victim.send(["", "REGISTER", "1", "victim"]);
  await hears(victim);
  await asked(siege, 3);
  assertEquals((await hears(victim)).at(-1), "job 0");
  const stranger = siege.dealer("backend");
  await stranger.send(["", "INCREMENT", "victim"]);
  await stranger.send(["", "INCREMENT", "5", "victim"]);
  await stranger.send(["", "DEREGISTER", "victim"]);
  await siege.untilDropped("unknown worker", 3);
  for (const count of ["0", "-1", "65536", "many"]) {
    await stranger.send(["", "INCREMENT", count, "victim"]);
  }
  await siege.untilDropped("not understood", 4);
  await stranger.send(["", "PING", "victim"]);
  assertEquals(await hears(stranger), ["", "REFUSED", "unknown", "victim"]);
  await stranger.send(["", "REGISTER", "9", "victim"]);
  assertEquals(await hears(stranger), ["", "REFUSED", "address-in-use", "victim"]);
  assertEquals(siege.workers.map((it) => [it.address, it.free, it.running]), [["victim", 0, 1]]);
});

Deno.test("a result for another worker's job, a guessed one or one said twice reaches nobody", async () => {
  await using siege = await BrokerSiege.lay();
  const victim = siege.dealer("backend");
  await victim.send(["", "REGISTER", "1", "victim"]);
  await hears(victim);
  const client = await asked(siege, 1);
  const [, id] = await victim.receive();
  const thief = siege.dealer("backend");
  await thief.send(["", id!, "", "stolen"]);
  await siege.untilDropped("forged result", 1);
  await thief.send(["", "REGISTER", "10", "thief"]);
  await hears(thief);
  await thief.send(["", id!, "", "stolen"]);
  for (let i = 0; i < 100; i++) {
    const guess = new Uint8Array(id!);
    guess[1 + i % 8]! ^= 1 << (i % 7);
    await thief.send(["", guess, "", "guessed"]);
    await victim.send(["", guess, "", "guessed"]);
  }
  await siege.untilDropped("stale result", 201);
  await victim.send(["", id!, "", "real"]);
  await victim.send(["", id!, "", "twice"]);
  assertEquals(await hears(client), ["", "real"]);
  await siege.untilDropped("stale result", 202);
  await client.send(["", "another"]);
  const other = await thief.receive();
  await thief.send(["", other[1]!, "", "of the thief"]);
  assertEquals(await hears(client), ["", "of the thief"]);
});

Deno.test("a result that comes after its worker's expiry is dropped, and the client gets one", async () => {
  await using siege = await BrokerSiege.lay();
  const late = siege.dealer("backend");
  await late.send(["", "REGISTER", "1", "heartbeat=working", "late"]);
  await hears(late);
  const client = await asked(siege, 1);
  const [, id] = await late.receive();
  await siege.pass(4000);
  assertEquals(siege.workers.map(({ state }) => state), ["expired"]);
  const done = await siege.helper("helper");
  assertEquals(await hears(client), ["", "done", "job 0"]);
  await late.send(["", id!, "", "late"]);
  await siege.untilDropped("stale result", 1);
  await client.send(["", "another"]);
  assertEquals(await hears(client), ["", "done", "another"]);
  assertEquals(done(), 2);
});

Deno.test("names that mean something elsewhere, or are no text, are names", async () => {
  await using siege = await BrokerSiege.lay();
  const odd: (string | Uint8Array)[] = [
    "__proto__",
    "constructor",
    "toString",
    "default ",
    "\x1b[2J\n\u202e",
    new Uint8Array([0xff, 0xfe, 0x80]),
    new Uint8Array([0]),
    new Uint8Array(255).fill(0xc3),
  ];
  const client = siege.dealer("frontend");
  for (const [i, name] of odd.entries()) {
    const octets = typeof name === "string" ? text(name) : name;
    const worker = siege.dealer("backend");
    const service = new Uint8Array([...text("service="), ...octets]);
    await worker.send(["", "REGISTER", "1", service, octets]);
    assertEquals(new Uint8Array((await worker.receive()).at(-1)!), octets);
    const ask = request("TRACKEXEC", i, {});
    ask[5] = new Uint8Array([7, ...text("service"), 0, 0, 0, octets.length, ...octets]);
    await client.send(ask);
    const [, id] = await worker.receive();
    await worker.send(["", id!, "", "done"]);
    assertEquals((await hears(client)).slice(4), ["done"]);
  }
  assertEquals(siege.workers.length, odd.length);
  assertEquals(siege.counted.services.length, odd.length + 2);
  const shown = siege.workers.map(({ address }) => address);
  assertEquals(shown.slice(5), ["0xfffe80", "\0", `0x${"c3".repeat(255)}`]);
});

Deno.test("names of 256 octets are refused", async () => {
  await using siege = await BrokerSiege.lay();
  const long = "x".repeat(256);
  const worker = siege.dealer("backend");
  await worker.send(["", "REGISTER", "1", long]);
  assertEquals(await hears(worker), ["", "REFUSED", "address", long.slice(1)]);
  await worker.send(["", "REGISTER", "1", `service=${long}`, "me"]);
  assertEquals(await hears(worker), ["", "REFUSED", "service", "me"]);
  await worker.send(["", "REGISTER", "1", "service=", "me"]);
  assertEquals(await hears(worker), ["", "REFUSED", "service", "me"]);
  await worker.send(["", "REGISTER", "1", "colour=red", "me"]);
  assertEquals(await hears(worker), ["", "REFUSED", "option", "me"]);
  await worker.send(["", "REGISTER", "1", ""]);
  assertEquals(await hears(worker), ["", "REFUSED", "address", ""]);
  assertEquals(siege.workers, []);
  const client = siege.dealer("frontend");
  const bad = [
    request("TRACKEXEC", 1, {}, long),
    request("TRACKEXEC", 2, {}, ""),
    [...request("TRACKEXEC", 3).slice(0, 5), new Uint8Array([7, ...text("service"), 0, 0, 1, 0])],
    [...request("TRACKEXEC", 4).slice(0, 5), headers({ service: "" })],
    [...request("TRACKEXEC", 5).slice(0, 5), headers({ ttl: "soon" })],
    [...request("TRACKEXEC", 6).slice(0, 5), headers({ timeout: "-1" })],
    request("TRACKEXEC", 7).slice(0, 5),
    ["", SIG, "DANCE", request("EXEC", 8)[3]!],
  ];
  for (const frames of bad) {
    await client.send(frames);
    assertEquals((await hears(client))[4], "BAD_REQUEST");
  }
  assertEquals(siege.counted.errors, { BAD_REQUEST: bad.length });
  assertEquals(siege.counted.jobs.rejected, bad.length);
});

Deno.test("1,024 workers behind one connection, and no more", async () => {
  await using siege = await BrokerSiege.lay();
  const proxy = siege.dealer("backend");
  for (let i = 0; i < 1030; i++) await proxy.send([`w${i}`, "", "REGISTER", "1", `address ${i}`]);
  const heard: string[] = [];
  for (let i = 0; i < 1030; i++) heard.push((await hears(proxy)).slice(2, 4).join(" "));
  assertEquals(heard.filter((it) => it === "REGISTERED 1").length, 1024);
  assertEquals(heard.filter((it) => it === "REFUSED too-many-workers").length, 6);
  await proxy.send(["one more", "", "READY"]);
  await siege.untilDropped("too many workers", 1);
  assertEquals(siege.workers.length, 1024);
  // Another connection has room of its own.
  const other = siege.dealer("backend");
  await other.send(["", "READY"]);
  assertEquals(await hears(other), ["", "PONG"]);
});

Deno.test("a worker that says nothing that is understood is counted and changes nothing", async () => {
  await using siege = await BrokerSiege.lay();
  const worker = siege.dealer("backend");
  const nonsense: (readonly (string | Frame)[])[] = [
    ["", "HELLO"],
    ["", "READY", "READY"],
    ["", "REGISTER"],
    ["", "REGISTER", "1"],
    ["", "INCREMENT"],
    ["", "DEREGISTER"],
    ["", "ready"],
    ["", "x".repeat(100_000)],
    ["", "PONG"],
    ["", "EXIT"],
  ];
  for (const frames of nonsense) await worker.send([...frames]);
  await siege.untilDropped("not understood", nonsense.length);
  for (const frames of [["READY"], ["READY", "READY"], ["REGISTER", "1", "me"]]) {
    await worker.send(frames);
  }
  await siege.untilDropped("no envelope", 3);
  await worker.send([""]);
  await worker.send(["id", ""]);
  await siege.untilDropped("no body", 2);
  assertEquals(siege.workers, []);
});

Deno.test("a worker that takes jobs and never answers holds its share until it leaves", async () => {
  await using siege = await BrokerSiege.lay();
  const client = siege.dealer("frontend");
  for (let i = 0; i < 200; i++) await client.send(["", `job ${i}`]);
  await siege.until(() => siege.waiting === 200);
  const hoarder = await siege.attack("backend", message("", "REGISTER", "10", "hoarder"));
  for (let i = 0; i < 100; i++) await hoarder.say(message("", "INCREMENT", "10", "hoarder"));
  await siege.until(() => siege.waiting === 180);
  const done = await siege.helper("helper", 10);
  await siege.until(() => done() === 180);
  // Whatever it claims in the end: what it held is done by another one.
  await hoarder.say(message("", "REGISTER", "1", "hoarder"));
  hoarder[Symbol.dispose]();
  await siege.until(() => done() === 200);
  const answers = new Set<string>();
  for (let i = 0; i < 200; i++) answers.add((await hears(client)).at(-1)!);
  assertEquals(answers.size, 200);
  assertEquals(siege.counted.jobs.requeued, 20);
});

Deno.test("huge envelopes of workers cost nothing that lasts", async () => {
  await using siege = await BrokerSiege.lay({ most: 80 * MIB });
  const worker = siege.dealer("backend");
  const huge = new Uint8Array(8 * MIB).fill(0x61);
  for (let i = 0; i < 5; i++) {
    await worker.send([huge, "", "READY"]);
    await worker.send([huge, "", "REGISTER", "1", `huge ${i}`]);
  }
  const many = Array.from({ length: 1000 }, (_, i) => `hop ${i}`);
  await worker.send([...many, "", "READY"]);
  await siege.untilDropped("long envelope", 11);
  assertEquals(siege.workers, []);
  // A chain of proxies is no harm.
  const hops = Array.from({ length: 10 }, (_, i) => `hop ${i} `.repeat(20));
  await worker.send([...hops, "", "READY"]);
  assertEquals(await hears(worker), [...hops, "", "PONG"]);
});
