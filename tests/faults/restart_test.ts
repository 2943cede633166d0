/**
 * A broker that crashes and comes back, on a network in memory: workers register again by
 * themselves, clients ask again what was not answered, every call ends, and nobody gets the answer
 * to another's question.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { Dealer } from "../../protocol/mod.ts";
import type { Job } from "../../worker/mod.ts";
import { Cluster } from "../kit/cluster.ts";
import { Gate } from "../kit/gate.ts";

const echo = { echo: (job: Job) => job.text() };

for (const away of [0, 1, 5000, 120_000]) {
  Deno.test(`a broker that was away for ${away} ms: workers register again, calls end`, async () => {
    await using cluster = await Cluster.start();
    await cluster.worker("slots", { handlers: echo, slots: 2 });
    await cluster.worker("ready", { handlers: {}, dialect: "ready", defaultHandler: echoAll });
    const client = cluster.client("client");
    const before = client.call("echo", "before");
    assertEquals((await cluster.over(before)).text(), "before");
    // Calls on their way, calls while nobody is there, and calls afterwards.
    const calls = [client.call("echo", "0"), client.call("echo", "1")];
    cluster.crash();
    calls.push(client.call("echo", "2"));
    await cluster.advance(away);
    calls.push(client.call("echo", "3"));
    await cluster.startBroker();
    const results = await cluster.over(Promise.all(calls));
    assertEquals(results.map((result) => result.text()), ["0", "1", "2", "3"]);
    await cluster.until(() => cluster.counted.workers === 2);
    assertEquals(cluster.counted.freeSlots, 3);
    assertEquals(client.pending, 0);
  });
}

/** What a READY worker says to a job that Rota's client made: command and payload as they come. */
function echoAll(job: Job): string {
  return job.frames.at(-1)!.text();
}

Deno.test("a result from before a restart is never taken for that of another job", async () => {
  for (const dialect of ["register", "ready"] as const) {
    await using cluster = await Cluster.start();
    const gate = new Gate();
    const options = { dialect, defaultHandler: gate.handler, slots: 1, handlers: {} };
    const { worker } = await cluster.worker("worker", options);
    const first = cluster.client("first");
    const lost = first.call("first question", "first question");
    lost.catch(() => {});
    await cluster.until(() => gate.jobs.length === 1);
    cluster.crash();
    await first.close();
    await cluster.startBroker();
    await cluster.until(() => worker.status.registered);
    // The new broker's first job stands where the old one's stood.
    const second = cluster.client("second");
    const answer = second.call("second question", "second question");
    await cluster.until(() => cluster.counted.jobs.running === 1);
    // The old job ends only now, with a result that nobody waits for any more.
    gate.open();
    await cluster.until(() => gate.jobs.length === 2);
    await cluster.advance(100);
    gate.open();
    assertEquals((await cluster.over(answer)).text(), "answer to second question", dialect);
    await assertRejects(() => lost);
  }
});

Deno.test("a job whose broker is lost is told to stop; an EXEC goes on", async () => {
  await using cluster = await Cluster.start();
  const gate = new Gate();
  await cluster.worker("worker", { handlers: { ask: gate.handler, do: gate.handler } });
  const client = cluster.client("client");
  const asked = client.call("ask", "why?");
  await cluster.over(client.send("do", "it", { accepted: true }));
  await cluster.until(() => gate.jobs.length === 2);
  assertEquals(gate.jobs.map(({ signal }) => signal.aborted), [false, false]);
  cluster.crash();
  await cluster.settle();
  assertEquals(gate.jobs.map(({ kind, signal }) => `${kind} ${signal.aborted}`), [
    "TRACKEXEC true",
    "EXEC false",
  ]);
  await cluster.startBroker();
  await cluster.until(() => gate.jobs.length === 3);
  for (let i = 0; i < 3; i++) gate.open();
  assertEquals((await cluster.over(asked)).text(), "answer to why?");
});

Deno.test("a plain worker's answer from before a restart fits no job of today", async () => {
  await using cluster = await Cluster.start();
  const io = cluster.network.io("plain");
  await using worker = new Dealer({ io, linger: 0, reconnectInterval: 1 });
  worker.connect(cluster.broker.backend);
  const client = cluster.client("client");
  const answer = client.call("ask");
  /** The id of the job that the present broker hands out first. */
  const jobId = async () => {
    await worker.send(["", "REGISTER", "1", "plain"]);
    await cluster.over(worker.receive());
    const [, id] = await cluster.over(worker.receive());
    return id!;
  };
  const old = await jobId();
  cluster.crash();
  await cluster.startBroker();
  const id = await jobId();
  assertEquals(cluster.broker.views.running().map(({ job }) => job), [0]);
  await worker.send(["", old, "", "stale"]);
  await cluster.settle();
  assertEquals(cluster.counted.dropped, { "stale result": 1 });
  await worker.send(["", id, "", "fresh"]);
  assertEquals((await cluster.over(answer)).text(), "fresh");
});
