/**
 * Attacks on a live broker's memory: peers that never read, backlogs without end, jobs that workers
 * keep, resets. What is promised to others is kept, and nothing grows without bound.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Dealer } from "../../protocol/mod.ts";
import { join } from "../conformance/vectors.ts";
import { HANDSHAKE, longHeader, resetter } from "./attacker.ts";
import { BrokerSiege, message, MIB, request } from "./broker_siege.ts";

const KIB = 1024;

/** A worker of the default service that answers each job with so many octets. */
async function talkative(siege: BrokerSiege, octets: number): Promise<void> {
  const worker = siege.dealer("backend");
  const result = new Uint8Array(octets);
  await worker.send(["", "REGISTER", "100", "talkative"]);
  (async () => {
    for await (const [, id, delimiter] of worker) {
      if (delimiter?.length !== 0) continue;
      await worker.send(["", id!, "", result]);
      await worker.send(["", "INCREMENT", "talkative"]);
    }
  })().catch(() => {});
}

/** Takes so many answers of a client; gives the last frames of them. */
async function answers(client: Dealer, count: number): Promise<string[]> {
  const last: string[] = [];
  while (last.length < count) last.push((await client.receive()).at(-1)!.text());
  return last;
}

/** `job 0` to `job n - 1`. */
function jobs(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `job ${i}`);
}

Deno.test("a client that never reads isn't read either, and is closed after 30 s", async () => {
  await using siege = await BrokerSiege.lay({ most: 48 * MIB });
  await talkative(siege, 64 * KIB);
  const question = message("", "tell me");
  const deaf = await siege.attack("frontend", ...Array.from({ length: 300 }, () => question));
  // Its answers fill the kernel's buffers and then its mark; from there on it is not read.
  const peer = () => siege.inside.front.peers.find((it) => it?.paused);
  await siege.until(() => peer() !== undefined && siege.counted.jobs.running === 0);
  assert(peer()!.waitingBytes >= 8 * MIB);
  let said = 0;
  const flood = (async () => {
    while (await deaf.say(question)) said++;
  })();
  await siege.pass(25_000);
  assertEquals([siege.waiting, siege.fault("frontend", "stuck")], [0, 0]);
  await siege.pass(10_000);
  await flood;
  assertEquals(siege.fault("frontend", "stuck"), 1);
  await siege.until(() => siege.counted.clients === 1 && siege.counted.buffers.used < MIB);
  assert(said > 100);
});

Deno.test("answers that a client never reads don't take more than all buffers may", async () => {
  await using siege = await BrokerSiege.lay({
    most: 48 * MIB,
    limits: { bufferBytes: 32 * MIB },
  });
  // First the jobs, so that nothing keeps them from being taken; then the answers.
  const deaf = await siege.attack("frontend");
  for (let i = 0; i < 20; i++) {
    await deaf.say(...Array.from({ length: 100 }, () => message("", "tell me")));
  }
  await siege.until(() => siege.waiting === 2000);
  const slow = siege.dealer("frontend");
  await slow.send(["", "tell me too"]);
  await siege.until(() => siege.waiting === 2001);
  await talkative(siege, 64 * KIB);
  assertEquals((await slow.receive()).at(-1)!.length, 64 * KIB);
  await siege.until(() => siege.counted.jobs.running === 0 && siege.waiting === 0);
  await siege.until(() => siege.fault("frontend", "drowned") === 1);
  assertEquals(siege.counted.clients, 2);
});

Deno.test("a worker that never reads gets no more than its mark; others do the rest", async () => {
  await using siege = await BrokerSiege.lay({ most: 48 * MIB });
  const client = siege.dealer("frontend");
  const body = new Uint8Array(64 * KIB);
  const count = 1000;
  for (let i = 0; i < count; i++) await client.send(["", body, `job ${i}`]);
  await siege.until(() => siege.waiting === count);
  const deaf = await siege.attack("backend", message("", "REGISTER", "65535", "deaf"));
  await siege.until(() => siege.workers[0]?.state === "blocked");
  const took = siege.workers[0]!.running;
  assert(took < count / 2, `it was given ${took} jobs`);
  const done = await siege.helper("helper", 10);
  await siege.until(() => done() === count - took);
  await siege.pass(35_000);
  await deaf.end();
  assertEquals(siege.fault("backend", "stuck"), 1);
  assertEquals((await answers(client, count)).sort(), jobs(count).sort());
  assertEquals([done(), siege.counted.jobs.requeued], [count, took]);
});

Deno.test("a worker that asks without end and reads no answer is answered up to its mark", async () => {
  await using siege = await BrokerSiege.lay({ most: 24 * MIB });
  const floods = [["", "PING"], ["", "READY"], ["", "REGISTER", "0", "me"], ["", "PING", "who?"]];
  for (const frames of floods) {
    using deaf = await siege.attack("backend", message("", "READY"));
    const block = join(...Array.from({ length: 10_000 }, () => message(...frames)));
    // It is read all the same, as every worker is: whoever works may be slow to read.
    for (let said = 0; said < 24 * MIB; said += block.length) assert(await deaf.say(block));
    const [, peer] = siege.inside.back.peers;
    await siege.until(() => peer!.waitingBytes >= 8 * MIB);
    assert(peer!.waitingBytes < 9 * MIB, `${peer!.waitingBytes} octets wait`);
    deaf[Symbol.dispose]();
    await siege.until(() => siege.workers.length === 0);
  }
});

Deno.test("a backlog that is full in jobs: opaque clients wait, native ones are told BUSY", async () => {
  await using siege = await BrokerSiege.lay({ backlogJobs: 100 });
  const opaque = [siege.dealer("frontend"), siege.dealer("frontend"), siege.dealer("frontend")];
  const each = 2000;
  const sending = opaque.map(async (client) => {
    for (let i = 0; i < each; i++) await client.send(["", `job ${i}`]);
  });
  await siege.until(() => siege.waiting >= 100);
  const native = siege.dealer("frontend");
  for (let i = 0; i < 50; i++) {
    await native.send(request("TRACKEXEC", i));
    assertEquals((await native.receive())[4]!.text(), "BUSY");
  }
  // One job more of each client that isn't read any more.
  assert(siege.waiting <= 103, `${siege.waiting} wait`);
  const { accepted } = siege.counted.jobs;
  await siege.pass(10_000);
  assert(siege.waiting <= 103);
  assert(siege.counted.jobs.accepted - accepted < 100_000);
  const done = await siege.helper("helper", 10);
  await Promise.all(sending);
  for (const client of opaque) assertEquals(await answers(client, each), jobs(each));
  assertEquals(done(), opaque.length * each);
  await native.send(request("TRACKEXEC", 99));
  assertEquals((await native.receive())[2]!.text(), "RESPONSE");
  assertEquals(siege.counted.errors, { BUSY: 50 });
});

Deno.test("a backlog that is full in octets is full as well", async () => {
  await using siege = await BrokerSiege.lay({ backlogBytes: MIB, most: 24 * MIB });
  const client = siege.dealer("frontend");
  const body = new Uint8Array(32 * KIB);
  const count = 500;
  const sending = (async () => {
    for (let i = 0; i < count; i++) await client.send(["", body, `job ${i}`]);
  })();
  await siege.until(() => siege.counted.jobs.waitingBytes >= MIB);
  const native = siege.dealer("frontend");
  await native.send(request("EXEC", 1));
  assertEquals((await native.receive())[4]!.text(), "BUSY");
  await siege.pass(5000);
  assert(siege.counted.jobs.waitingBytes < MIB + 2 * 33 * KIB);
  assert(siege.counted.stored < MIB + 3 * 33 * KIB);
  await siege.helper("helper");
  await sending;
  assertEquals(await answers(client, count), jobs(count));
});

Deno.test("jobs that workers keep count too: past their limit no more are taken", async () => {
  await using siege = await BrokerSiege.lay({
    most: 24 * MIB,
    mayBeBusy: true,
    limits: { runningBytes: 4 * MIB },
  });
  // A worker that takes whatever it is given, and answers nothing.
  const hoarder = siege.dealer("backend");
  await hoarder.send(["", "REGISTER", "65535", "hoarder"]);
  const hoard: string[][] = [];
  const hoarding = (async () => {
    for await (const frames of hoarder) hoard.push(frames.map(String));
  })();
  const client = siege.dealer("frontend");
  const body = new Uint8Array(64 * KIB);
  const count = 300;
  const sending = (async () => {
    for (let i = 0; i < count; i++) await client.send(["", body, `job ${i}`]);
  })();
  await siege.until(() => siege.counted.stored >= 4 * MIB);
  const native = siege.dealer("frontend");
  await native.send(request("TRACKEXEC", 1));
  assertEquals((await native.receive())[4]!.text(), "BUSY");
  await siege.pass(5000);
  assert(siege.counted.stored < 4 * MIB + 3 * 66 * KIB, `${siege.counted.stored} are stored`);
  assertEquals(siege.waiting, 0);
  // Who gives them up makes room: all are done in the end, and none is lost.
  hoarder.close();
  await hoarding;
  await siege.helper("helper", 10);
  await sending;
  assertEquals((await answers(client, count)).sort(), jobs(count).sort());
});

Deno.test("clients with unfinished messages are closed before a worker is whose result needs room", async () => {
  await using siege = await BrokerSiege.lay({
    most: 24 * MIB,
    limits: { bufferBytes: 16 * MIB },
  });
  await talkative(siege, 3 * MIB);
  const client = siege.dealer("frontend");
  await client.send(["", "warm up"]);
  await client.receive();
  const size = 3.5 * MIB;
  for (let i = 0; i < 6; i++) {
    const hog = await siege.attack("frontend");
    hog.say(longHeader(0, size), new Uint8Array(size - 1)).then(() => hog.end());
  }
  await siege.until(() => siege.fault("frontend", "starved") > 0);
  await client.send(["", "tell me"]);
  await siege.until(() => siege.fault("backend", "starved") > 0);
  // One of them goes every ten seconds, until there is room for all who are left.
  let answered = false;
  const answer = client.receive().finally(() => answered = true);
  for (let seconds = 0; !answered && seconds < 200; seconds++) await siege.pass(1000);
  assertEquals((await answer).at(-1)!.length, 3 * MIB);
  assert(siege.fault("frontend", "hungry") >= 1);
  assertEquals([siege.fault("backend", "hungry"), siege.workers.length], [0, 1]);
});

Deno.test("answers for a crowd that is away are held up to a limit, then counted as lost", async () => {
  await using siege = await BrokerSiege.lay({ most: 24 * MIB });
  const count = 100;
  for (let i = 0; i < count; i++) {
    using _client = await siege.attackAs("frontend", `c${i}`, message("", "tell me"));
    await siege.until(() => siege.waiting === i + 1);
  }
  await siege.until(() => siege.counted.clients === 1);
  await talkative(siege, MIB);
  await siege.until(() => siege.waiting === 0 && siege.counted.jobs.running === 0);
  const { holdings } = siege.inside.core.state;
  assert(holdings.used > 60 * MIB && holdings.used < 70 * MIB, `${holdings.used} octets are held`);
  // One that comes back in time has its answer; the others' time passes.
  const back = siege.dealer("frontend", "c0");
  assertEquals((await back.receive()).at(-1)!.length, MIB);
  await siege.pass(11_000);
  assertEquals(holdings.used, 0);
  assertEquals(siege.dropped("nobody waits"), count - 1);
});

Deno.test("resets with unread data at both ports cost only their senders", async () => {
  await using siege = await BrokerSiege.lay({ most: 24 * MIB });
  const client = siege.dealer("frontend");
  for (let i = 1; i <= 10; i++) {
    const worker = await resetter(
      siege.port("backend"),
      HANDSHAKE,
      message("", "REGISTER", "9", `w${i}`),
    );
    await siege.until(() => siege.workers.length === 1);
    await client.send(["", `job ${i}`]);
    await siege.until(() => siege.workers[0]?.running === 1);
    // In the middle of a message, with a job that it has not read.
    await worker.say(message("", "INCREMENT", `w${i}`).subarray(0, 5));
    worker.reset();
    await siege.until(() => siege.waiting === 1);
    const other = await resetter(siege.port("frontend"), HANDSHAKE, message("", "vanishes"));
    await siege.until(() => siege.waiting === 2);
    other.reset();
    await siege.until(() => siege.waiting === 1);
    const helper = siege.dealer("backend");
    await helper.send(["", "READY"]);
    await helper.receive();
    assertEquals((await helper.receive()).map(String), ["", `job ${i}`]);
    await helper.send(["", `result ${i}`]);
    assertEquals((await client.receive()).map(String), ["", `result ${i}`]);
    helper.close();
    await siege.until(() => siege.workers.length === 0);
  }
  assertEquals([siege.counted.jobs.requeued, siege.dropped("client gone")], [10, 10]);
});
