/**
 * Connections that break, hang or come all at once, on a network in memory: Rota's own workers and
 * clients find out, come back, and every call ends with one answer.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConnectionLostError } from "../../client/mod.ts";
import type { Job } from "../../worker/mod.ts";
import { Cluster } from "../kit/cluster.ts";
import { Gate } from "../kit/gate.ts";

const echo = { echo: (job: Job) => job.text() };

/** What a worker said, by kind. */
const events = (log: readonly { readonly event: string }[]) => log.map(({ event }) => event);

Deno.test("a worker that stood still inside a job keeps its connection, and the job runs once", async () => {
  for (const still of [400, 2900, 3100, 3600, 9000]) {
    await using cluster = await Cluster.start();
    const gate = new Gate();
    const { io, log } = await cluster.worker("worker", { handlers: { ask: gate.handler } });
    const answer = cluster.client("client").call("ask", "now");
    await cluster.until(() => gate.jobs.length === 1);
    await cluster.advance(700);
    io.stop();
    await cluster.advance(still);
    io.continue();
    gate.open();
    assertEquals((await cluster.over(answer)).text(), "answer to now");
    await cluster.advance(10_000);
    assertEquals([gate.jobs.length, cluster.counted.jobs.requeued], [1, 0], `${still} ms`);
    const blocked = "a handler kept the heartbeat waiting; threads would help";
    const said = events(log).filter((event) => event !== blocked);
    assertEquals(said, ["connected", "registered", "job"], `${still} ms`);
    assertEquals(events(log).includes(blocked), still > 1000, `${still} ms`);
    assertEquals(cluster.counted.workers, 1);
  }
});

Deno.test("a worker whose connection is half-open finds out by silence and registers anew", async () => {
  await using cluster = await Cluster.start();
  const gate = new Gate();
  const { worker, log } = await cluster.worker("worker", { handlers: { ask: gate.handler } });
  const answer = cluster.client("client").call("ask", "now");
  await cluster.until(() => gate.jobs.length === 1);
  for (const link of cluster.network.between("worker", "broker")) link.halfOpen();
  await cluster.advance(4000);
  assert(events(log).includes("broker silent; connecting anew"));
  // The broker drops the old connection for the new one, or finds out by itself.
  await cluster.until(() => gate.jobs.length === 2, 20_000);
  gate.open();
  gate.open();
  assertEquals((await cluster.over(answer)).text(), "answer to now");
  assertEquals([worker.status.registered, cluster.counted.workers], [true, 1]);
  assertEquals([cluster.counted.jobs.completed, cluster.counted.jobs.requeued], [1, 1]);
});

Deno.test("a client whose connection is half-open asks again; the job runs once", async () => {
  await using cluster = await Cluster.start();
  const gate = new Gate();
  await cluster.worker("worker", { handlers: { ask: gate.handler } });
  const client = cluster.client("client");
  const answer = client.call("ask", "now");
  await cluster.until(() => gate.jobs.length === 1);
  for (const link of cluster.network.between("client", "broker")) link.halfOpen();
  // Its own heartbeat tells the client; the broker's tells the broker.
  await cluster.advance(15_000);
  assertEquals([client.connected, cluster.counted.clients], [true, 1]);
  gate.open();
  assertEquals((await cluster.over(answer)).text(), "answer to now");
  assertEquals([gate.jobs.length, cluster.counted.jobs.accepted], [1, 1]);
});

Deno.test("a call whose answer was lost with its connection is answered from memory", async () => {
  await using cluster = await Cluster.start();
  const gate = new Gate();
  await cluster.worker("worker", { handlers: { ask: gate.handler } });
  const answer = cluster.client("client").call("ask", "now");
  await cluster.until(() => gate.jobs.length === 1);
  const [link] = cluster.network.between("client", "broker");
  link!.stall("in");
  gate.open();
  await cluster.until(() => cluster.counted.jobs.completed === 1);
  link!.cut();
  assertEquals((await cluster.over(answer)).text(), "answer to now");
  assertEquals([gate.jobs.length, cluster.counted.jobs.accepted], [1, 1]);
});

Deno.test("a stream that has begun ends with its connection; one that hasn't comes whole", async () => {
  await using cluster = await Cluster.start();
  const gate = new Gate();
  let streams = 0;
  const count = async function* (job: Job) {
    streams++;
    yield "first";
    await gate.handler(job);
    yield "second";
  };
  await cluster.worker("worker", { handlers: { count } });
  const client = cluster.client("client");
  const begun = client.stream("count");
  assertEquals((await cluster.over(begun.next())).value!.text(), "first");
  cluster.network.cut("client", "broker");
  await assertRejects(() => cluster.over(begun.next()), ConnectionLostError);
  // The other one is on its way to the broker when its connection breaks.
  await cluster.until(() => client.connected);
  const fresh = client.stream("count");
  cluster.network.cut("client", "broker");
  assertEquals((await cluster.over(fresh.next())).value!.text(), "first");
  await cluster.until(() => gate.jobs.length === streams);
  for (const _ of gate.jobs) gate.open();
  assertEquals((await cluster.over(fresh.next())).value!.text(), "second");
  assertEquals((await cluster.over(fresh.next())).done, true);
});

Deno.test("1,000 workers reconnect at once while jobs flow", async () => {
  await using cluster = await Cluster.start({}, { latency: 1 });
  for (let i = 0; i < 1000; i++) await cluster.worker(`worker ${i}`, { handlers: echo, slots: 1 });
  assertEquals(cluster.counted.workers, 1000);
  const client = cluster.client("client");
  const calls: Promise<string>[] = [];
  const ask = () => {
    const text = `call ${calls.length}`;
    calls.push(client.call("echo", text).then((result) => result.text()));
  };
  for (let i = 0; i < 2000; i++) ask();
  // Three attempts are allowed: each loss may cost a job one of them, and no more.
  for (let round = 0; round < 2; round++) {
    for (const link of cluster.network.connections) if (link.to.address.port === 5556) link.cut();
    for (let i = 0; i < 200; i++) {
      ask();
      await cluster.advance(1);
    }
  }
  const texts = await cluster.over(Promise.all(calls));
  assertEquals(texts, Array.from({ length: 2400 }, (_, i) => `call ${i}`));
  await cluster.until(() => cluster.counted.workers === 1000);
  assertEquals([cluster.counted.jobs.dead, cluster.counted.jobs.waiting], [0, 0]);
});
