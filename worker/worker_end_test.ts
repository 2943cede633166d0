// How a worker ends and what it leaves undone, before a broker that is played by hand and before a
// real one. Time is simulated.

import { assertEquals, assertRejects } from "@std/assert";
import { HANDS } from "../tests/kit/broker_world.ts";
import { TestCluster } from "../tests/kit/test_cluster.ts";
import { WorkerWorld } from "../tests/kit/worker_world.ts";
import type { Handlers } from "./mod.ts";

/** Handlers that a test lets go on, and how they were stopped. */
function slowHandlers() {
  const finish: ((text: string) => void)[] = [];
  const stopped: string[] = [];
  const handlers: Handlers = {
    slow: ({ signal }) => {
      signal.addEventListener("abort", () => stopped.push(String(signal.reason)));
      return new Promise<string>((resolve) => finish.push(resolve));
    },
    heedful: ({ signal }) =>
      new Promise((_, reject) => signal.onabort = () => reject(signal.reason)),
  };
  return { handlers, finish, stopped };
}

const frames = (heard: string[]) => heard.map((it) => it.slice(it.indexOf("[")));

for (const hand of HANDS) {
  Deno.test(`close() runs a job that was on its way, answers it, and then leaves (${hand} time)`, async () => {
    await using world = new WorkerWorld(hand);
    await world.open();
    const worker = await world.worker({ handlers: { hello: () => "hello" } });
    const closed = worker.close();
    await world.settle();
    assertEquals(frames(world.take()), ['["", DEREGISTER, "w1"]', '["", PING, "w1"]']);
    await world.say('["", <job 1>, "", "hello"]');
    assertEquals(frames(world.take()), ['["", <job 1>, "", "hello"]', '["", INCREMENT, "w1"]']);
    assertEquals(world.network.connections.length, 1);
    await world.say('["", PONG]');
    await closed;
    await worker.closed;
    assertEquals([world.now, world.network.connections.length], [0, 0]);
  });
}

Deno.test("close() waits a second at most for a broker that says nothing", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const worker = await world.worker();
  const state = { closed: false };
  worker.close().then(() => state.closed = true);
  await world.advance(999);
  assertEquals(state.closed, false);
  await world.advance(2000);
  assertEquals(state.closed, true);
});

for (const hand of HANDS) {
  Deno.test(`close() lets jobs finish and pings meanwhile (${hand} time)`, async () => {
    const { handlers, finish, stopped } = slowHandlers();
    await using world = new WorkerWorld(hand);
    await world.open();
    const worker = await world.worker({ handlers });
    await world.say('["", <job 1>, "", "slow"]');
    const closed = worker.close();
    await world.say('["", PONG]');
    world.take();
    await world.advance(2500);
    await world.say('["", PONG]');
    assertEquals(frames(world.take()), ['["", PING, "w1"]', '["", PING, "w1"]']);
    finish[0]!("done");
    await world.settle();
    await closed;
    assertEquals(frames(world.take()), ['["", <job 1>, "", "done"]', '["", INCREMENT, "w1"]']);
    assertEquals(stopped, []);
  });

  Deno.test(`EXIT ends a worker once its jobs are done (${hand} time)`, async () => {
    const { handlers, finish } = slowHandlers();
    await using world = new WorkerWorld(hand);
    await world.open();
    const worker = await world.worker({ handlers });
    await world.say('["", <job 1>, "", "slow"]');
    const state = { closed: false };
    worker.closed.then(() => state.closed = true);
    await world.say('["", EXIT]');
    await world.say('["", PONG]');
    await world.advance(2000);
    assertEquals([state.closed, worker.status.running], [false, 1]);
    finish[0]!("last words");
    await world.settle();
    assertEquals(state.closed, true);
    const said = frames(world.take()).filter((it) => it.includes("last words"));
    assertEquals(said, ['["", <job 1>, "", "last words"]']);
  });
}

Deno.test("close() stops jobs after drainSeconds and leaves them to others", async () => {
  const { handlers, stopped } = slowHandlers();
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({ handlers, drainSeconds: 5 });
  const call = cluster.client().call("slow");
  await cluster.settle();
  const closed = worker.close();
  await cluster.advance(4999);
  assertEquals([stopped, worker.status.running], [[], 1]);
  await cluster.worker({ handlers: { slow: (job) => `attempt ${job.attempt}` } });
  await cluster.advance(2000);
  assertEquals(stopped, ["AbortError: The worker shuts down"]);
  assertEquals((await call).text(), "attempt 2");
  await closed;
});

Deno.test("close() waits for handlers that heed their signal", async () => {
  const { handlers } = slowHandlers();
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({ handlers, drainSeconds: 0 });
  cluster.client().call("heedful").catch(() => {});
  await cluster.settle();
  assertEquals(worker.status.running, 1);
  const closed = worker.close();
  await cluster.advance(3000);
  await closed;
  assertEquals([worker.status.running, worker.status.failed], [0, 1]);
});

Deno.test("close({ now: true }) waits for nothing, also when it comes second", async () => {
  const { handlers, stopped } = slowHandlers();
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({ handlers });
  cluster.client().call("slow").catch(() => {});
  await cluster.settle();
  const gently = worker.close();
  await cluster.settle();
  assertEquals(stopped, []);
  const atOnce = worker.close({ now: true });
  await cluster.advance(2000);
  await Promise.all([gently, atOnce]);
  assertEquals(stopped.length, 1);
  await assertRejects(() => worker.register(), Error, "the worker is closed");
});

Deno.test("close() takes the worker out of the table first, and loses no call", async () => {
  await using cluster = await TestCluster.start({ latency: 5 });
  const client = cluster.client();
  const handlers: Handlers = { work: () => "done" };
  const started = cluster.worker({ handlers });
  await cluster.advance(100);
  const worker = await started;
  const calls = Array.from({ length: 50 }, () => client.call("work"));
  await cluster.advance(7);
  const closed = worker.close();
  const other = cluster.worker({ handlers });
  await cluster.advance(1000);
  for (const call of calls) assertEquals((await call).text(), "done");
  await closed;
  await other;
  const { requeued, completed } = cluster.broker.views.snapshot().jobs;
  assertEquals([requeued, completed], [0, 50], "no job was lost with the worker");
});

Deno.test("EXIT of an operator ends a worker once its jobs are done", async () => {
  const { handlers, finish } = slowHandlers();
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({ handlers, address: "w1" });
  const call = cluster.client().call("slow");
  await cluster.settle();
  const state = { closed: false };
  worker.closed.then(() => state.closed = true);
  assertEquals(cluster.broker.views.exit("w1"), 1);
  await cluster.advance(3000);
  assertEquals([state.closed, worker.status.registered], [false, false]);
  finish[0]!("last words");
  await cluster.settle();
  assertEquals([(await call).text(), state.closed], ["last words", true]);
});

Deno.test("EXIT before REGISTERED ends the start with an error", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const started = world.start();
  await world.settle();
  const failed = assertRejects(() => started, Error, "the worker was told to leave");
  await world.say('["", EXIT]');
  await world.advance(3000);
  await failed;
});

Deno.test("register() and deregister() resolve when it is so", async () => {
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({ manual: true, handlers: { hello: () => "hello" } });
  await cluster.settle();
  const workers = () => cluster.broker.views.snapshot().workers;
  assertEquals([worker.status.connected, worker.status.registered, workers()], [true, false, 0]);
  await worker.register();
  await worker.register();
  assertEquals([worker.status.registered, workers()], [true, 1]);
  await worker.deregister();
  await worker.deregister();
  assertEquals([worker.status.registered, workers()], [false, 0]);
  const call = cluster.client().call("hello");
  await cluster.advance(10_000);
  assertEquals(worker.status.completed, 0);
  await worker.register();
  assertEquals((await call).text(), "hello");
});

Deno.test("register() rejects if the worker is told to leave before, or refused", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const worker = await world.start({ manual: true });
  await world.settle();
  const told = assertRejects(() => worker.register(), Error, "was told to leave");
  const left = worker.deregister();
  await told;
  await world.settle();
  await world.say('["", REGISTERED, 10, "w1"]');
  await world.say('["", PONG]');
  await left;
  const refused = assertRejects(() => worker.register(), Error, "refused it (option)");
  await world.settle();
  await world.say('["", REFUSED, option, "w1"]');
  await refused;
});

Deno.test("deregister() resolves when the broker is away: it has nobody to leave", async () => {
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker();
  cluster.killBroker();
  await cluster.settle();
  await worker.deregister();
  await cluster.startBroker();
  await cluster.advance(60_000);
  assertEquals([worker.status.connected, worker.status.registered], [true, false]);
});
