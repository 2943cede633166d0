/**
 * The broker's shell in memory: what it does when time passes. Each test runs twice, with the
 * network's own clock and with fake global timers.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import {
  BrokerWorld,
  HANDS,
  headers,
  requestId,
  SIG,
  type WorldPeer,
} from "../tests/kit/broker_world.ts";
import { Broker } from "./broker.ts";
import type { BrokerOptions } from "./options.ts";
import { MemoryNetwork } from "../protocol/io/memory_io.ts";

/** A test with each hand that can move time. */
function test(
  title: string,
  options: BrokerOptions,
  body: (world: BrokerWorld) => Promise<void>,
): void {
  for (const hand of HANDS) {
    Deno.test(`Broker ${title} (${hand} time)`, async () => {
      await using world = await BrokerWorld.start(hand, options);
      await body(world);
    });
  }
}

/** Addresses and states of all workers. */
function table(world: BrokerWorld): string[] {
  return world.broker.views.workers().map(({ address, state }) => `${address} ${state}`);
}

/** A native job. */
function trackexec(client: WorldPeer, id: number, all: Record<string, string> = {}): Promise<void> {
  return client.say("", SIG, "TRACKEXEC", requestId(id), "go", headers(all), "please");
}

/** Answers the oldest job that a REGISTER worker has, and frees its slot. */
async function answer(worker: WorldPeer, address: string, result: string): Promise<void> {
  const [, id] = worker.next();
  await worker.say("", id!, "", result);
  await worker.say("", "INCREMENT", address);
}

test("answers heartbeats at once, and asks for signs of life itself", {}, async (world) => {
  const ready = await world.worker("ready", "ready");
  await ready.say("", "READY");
  const slots = await world.worker("slots", "slots");
  await slots.say("", "REGISTER", "2", "here");
  assertEquals(ready.take(), [["", "PONG"]]);
  assertEquals(slots.take(), [["", "REGISTERED", "2", "expire=3", "here"]]);
  for (let i = 0; i < 5; i++) {
    await world.advance(2990);
    await ready.say("", "PING");
    await slots.say("", "PING", "here");
    assertEquals([...ready.take(), ...slots.take()], [["", "PONG"], ["", "PONG"]]);
  }
  assertEquals(table(world), ["ready idle", "here idle"]);
  await slots.say("", "PING", "there");
  assertEquals(slots.take(), [["", "REFUSED", "unknown", "there"]]);
});

test("finds a half-open connection by its own heartbeat, and runs its job elsewhere", {
  limits: { heartbeatSeconds: 1, heartbeatTimeoutSeconds: 10 },
}, async (world) => {
  const dead = await world.worker("dead", "dead");
  await dead.say("", "REGISTER", "1", "dead");
  const client = await world.client("client");
  await client.say("", "job");
  const alive = await world.worker("alive", "alive");
  await alive.say("", "REGISTER", "1", "alive");
  dead.take();
  alive.take();
  for (const link of world.network.between("dead", "broker")) link.halfOpen();
  await world.advance(10_000);
  assertEquals(table(world), ["dead busy", "alive idle"]);
  await world.advance(1100);
  assertEquals(table(world), ["alive busy"]);
  assertEquals(world.counted.jobs.requeued, 1);
  assertEquals(world.counted.backend.faults.dead, 1);
  await answer(alive, "alive", "done");
  assertEquals(client.take(), [["", "done"]]);
});

test(
  "expires an idle READY worker after 3 s of silence; PING brings it back",
  {},
  async (world) => {
    const worker = await world.worker("worker", "worker");
    await worker.say("", "READY");
    await world.advance(2990);
    assertEquals(table(world), ["worker idle"]);
    await world.advance(20);
    assertEquals(table(world), ["worker expired"]);
    assertEquals(world.counted.workersExpired, 1);
    const client = await world.client("client");
    await client.say("", "job");
    assertEquals(worker.take(), [["", "PONG"]]);
    await worker.say("", "PING");
    assertEquals(worker.take(), [["", "PONG"], ["", "job"]]);
    await worker.say("", "result");
    assertEquals(client.take(), [["", "result"]]);
  },
);

test("expires only those who should be heard of", {}, async (world) => {
  const client = await world.client("client");
  const names = ["busy", "never-pinged", "pinged", "works", "pings-working"];
  const workers = new Map<string, WorldPeer>();
  for (const name of names) workers.set(name, await world.worker(name, name));
  // A busy READY worker is silent by design; one with slots may know no PING.
  await workers.get("busy")!.say("", "READY");
  await client.say("", "job 1");
  await workers.get("works")!.say("", "REGISTER", "1", "works");
  await workers.get("works")!.say("", "PING", "works");
  await client.say("", "job 2");
  await workers.get("pings-working")!.say(
    "",
    "REGISTER",
    "1",
    "heartbeat=working",
    "pings-working",
  );
  await client.say("", "job 3");
  await workers.get("never-pinged")!.say("", "REGISTER", "1", "never-pinged");
  await workers.get("pinged")!.say("", "REGISTER", "1", "pinged");
  await workers.get("pinged")!.say("", "PING", "pinged");
  await world.advance(3010);
  // The job of the one that should ping while it works runs elsewhere.
  assertEquals(table(world).sort(), [
    "busy busy",
    "never-pinged busy",
    "pinged expired",
    "pings-working expired",
    "works busy",
  ]);
  assertEquals(world.counted.jobs.requeued, 1);
  // Its late answer is dropped; the next heartbeat brings it back.
  const late = workers.get("pings-working")!;
  const [, id] = late.heard.at(-1)!;
  await late.say("", id!, "", "late");
  assertEquals(client.take(), []);
  assertEquals(world.counted.dropped, { "stale result": 1 });
  await late.say("", "PING", "pings-working");
  assertEquals(world.counted.workers, 4);
});

test("forgets finished requests at the queue check, and not before", {
  queueCheckSeconds: 5,
  limits: { finishedSeconds: 2 },
}, async (world) => {
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "1", "w");
  worker.take();
  const client = await world.client("client");
  await trackexec(client, 1);
  await answer(worker, "w", "first");
  const first = ["", "SIG", "RESPONSE", "#1", "first"];
  assertEquals(client.take(), [first]);
  await world.advance(4000);
  await trackexec(client, 1);
  assertEquals([client.take(), worker.take()], [[first], []]);
  await world.advance(1100);
  await trackexec(client, 1);
  await answer(worker, "w", "second");
  assertEquals(client.take(), [["", "SIG", "RESPONSE", "#1", "second"]]);
});

test("ends jobs that are too old to start", {}, async (world) => {
  const client = await world.client("client");
  await trackexec(client, 1, { ttl: "500" });
  await trackexec(client, 2, { timeout: "700", ttl: "90000" });
  await trackexec(client, 3, { ttl: "0" });
  const expired = (id: number) => ["", "SIG", "ERROR", `#${id}`, "EXPIRED"];
  const heard = () => client.take().map((frames) => frames.slice(0, 5));
  await world.advance(10);
  assertEquals(heard(), [expired(3)]);
  await world.advance(480);
  assertEquals(heard(), []);
  await world.advance(20);
  assertEquals(heard(), [expired(1)]);
  await world.advance(200);
  assertEquals(heard(), [expired(2)]);
  assertEquals([world.counted.jobs.expired, world.counted.jobs.waiting], [3, 0]);
});

test("tells a worker how long its client still waits", {}, async (world) => {
  const client = await world.client("client");
  await trackexec(client, 1, { timeout: "5000", own: "kept" });
  await world.advance(2000);
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "1", "rota=1", "w");
  worker.next();
  assertEquals(worker.next().slice(7, 8), [headers({ timeout: "3000", own: "kept" })]);
  // Once it runs, its age is the client's business: it asked for the time that it waits.
  await world.advance(4000);
  assertEquals(world.counted.jobs.running, 1);
});

test("takes an attempt that lasts longer than runSeconds for lost", {
  runSeconds: 2,
  maxAttempts: 2,
}, async (world) => {
  const slow = await world.worker("slow", "slow");
  await slow.say("", "READY");
  const client = await world.client("client");
  await client.say("", "job");
  await world.advance(1990);
  assertEquals([world.counted.jobs.running, world.counted.jobs.requeued], [1, 0]);
  await world.advance(20);
  assertEquals([world.counted.jobs.waiting, world.counted.jobs.requeued], [1, 1]);
  const other = await world.worker("other", "other");
  await other.say("", "READY");
  assertEquals(other.take(), [["", "PONG"], ["", "job"]]);
  // The late result frees the slow worker, and that is all that it does.
  await slow.say("", "late");
  assertEquals([client.take(), world.counted.dropped], [[], { "stale result": 1 }]);
  await world.advance(2010);
  assertEquals(world.broker.views.dead().map(({ code }) => code), ["WORKER_LOST"]);
});

test("ends jobs of a worker whose slots are all free, after a second", {}, async (world) => {
  const client = await world.client("client");
  await trackexec(client, 1);
  await client.say("", SIG, "EXEC", requestId(2), "go", "");
  await client.say("", "opaque");
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "3", "w");
  await worker.say("", "INCREMENT", "3", "w");
  await world.advance(990);
  assertEquals(world.counted.jobs.running, 3);
  await world.advance(20);
  assertEquals(client.take().map((frames) => frames.slice(0, 5)), [
    ["", "SIG", "ERROR", "#1", "NO_RESULT"],
  ]);
  assertEquals([world.counted.jobs.completed, world.counted.jobs.dead], [1, 1]);
});

test("lets a client with an identity come back for its reply within 10 s", {}, async (world) => {
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "3", "w");
  worker.take();
  for (const [away, answers] of [[9000, 1], [10_100, 0]] as const) {
    const client = await world.client("client", "me");
    await client.say("", "job");
    await client.leave();
    await world.advance(away / 2);
    await answer(worker, "w", "result");
    await world.advance(away / 2);
    const again = await world.client("client", "me");
    assertEquals(again.take(), Array(answers).fill(["", "result"]));
    await again.leave();
  }
  assertEquals(world.counted.clients, 0);
});

test("drops at once what an opaque client without an identity left behind", {}, async (world) => {
  const worker = await world.worker("worker");
  const client = await world.client("client");
  await client.say("", "waits");
  await client.leave();
  assertEquals([world.counted.jobs.waiting, world.counted.dropped], [0, { "client gone": 1 }]);
  await worker.say("", "REGISTER", "1", "w");
  worker.take();
  const other = await world.client("client");
  await other.say("", "runs");
  await other.leave();
  assertEquals(world.counted.jobs.running, 1);
  await answer(worker, "w", "result");
  assertEquals(world.counted.jobs.running, 0);
  assertEquals(world.counted.dropped, { "client gone": 2, "nobody waits": 1 });
});

test("cancels what a native client left behind after its grace, but not its EXECs", {
  limits: { clientGraceSeconds: 4 },
}, async (world) => {
  const client = await world.client("client");
  await trackexec(client, 1);
  await client.say("", SIG, "EXEC", requestId(2), "go", "");
  await trackexec(client, 3);
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "1", "rota=1", "w");
  worker.next();
  const [, first] = worker.next();
  await client.leave();
  await world.advance(3990);
  assertEquals([world.counted.jobs.running, world.counted.jobs.waiting], [1, 2]);
  await world.advance(20);
  assertEquals(worker.take(), [["", "id", "", "SIG", "CANCEL"]]);
  assertEquals([world.counted.jobs.running, world.counted.jobs.waiting], [1, 1]);
  await worker.say("", first!, "", SIG, "ERROR", "CANCELLED", "stopped");
  await worker.say("", "INCREMENT", "w");
  assertEquals(worker.take().map((frames) => frames.slice(3, 5)), [["SIG", "EXEC"]]);
});

test("gives an answer to whoever repeats the request", {}, async (world) => {
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "1", "w");
  worker.take();
  const client = await world.client("client");
  await trackexec(client, 1);
  await client.leave();
  const again = await world.client("again");
  await trackexec(again, 1);
  await answer(worker, "w", "result");
  assertEquals(again.take(), [["", "SIG", "RESPONSE", "#1", "result"]]);
  assertEquals([worker.take(), world.counted.jobs.accepted], [[], 1]);
});

test("expires nobody when it stood still itself", {}, async (world) => {
  const ready = await world.worker("ready", "ready");
  await ready.say("", "READY");
  const slots = await world.worker("slots", "slots");
  await slots.say("", "REGISTER", "1", "heartbeat=working", "slots");
  await slots.say("", "PING", "slots");
  // Whenever the tick comes: long after it was due, or just after.
  for (const still of [20_000, 3010, 3300, 3490, 5000]) {
    for (const before of [0, 500, 1500, 2900]) {
      await world.advance(before);
      await ready.say("", "PING");
      await slots.say("", "PING", "slots");
      world.io.stop();
      for (let left = still; left > 0; left -= 1000) {
        await world.advance(Math.min(left, 1000));
        await ready.say("", "PING");
        await slots.say("", "PING", "slots");
      }
      world.io.continue();
      await world.settle();
      const what = `${still} ms, ${before} ms after the last heartbeat`;
      assertEquals(table(world), ["ready idle", "slots idle"], what);
    }
  }
  assertEquals(world.counted.workersExpired, 0);
  // Who says nothing afterwards either is dead.
  await world.advance(7000);
  assertEquals(table(world).sort(), ["ready expired", "slots expired"]);
});

test("keeps its clients' grace when it stood still itself", {}, async (world) => {
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "1", "w");
  worker.take();
  const client = await world.client("client", "me");
  await client.say("", "job");
  await client.leave();
  await world.advance(8000);
  world.io.stop();
  await world.advance(5000);
  const again = await world.client("client", "me");
  world.io.continue();
  await world.advance(10);
  await answer(worker, "w", "result");
  assertEquals(again.take(), [["", "result"]]);
});

test("close() lets jobs finish, takes no new ones and says so", {}, async (world) => {
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "1", "w");
  worker.take();
  const native = await world.client("native");
  const opaque = await world.client("opaque");
  await trackexec(native, 1);
  await opaque.say("", "waits");
  let closed = false;
  const closing = world.broker.close().then(() => closed = true);
  await world.advance(100);
  await trackexec(native, 2);
  await opaque.say("", "unread");
  assertEquals(native.take().map((frames) => frames.slice(2, 5)), [["ERROR", "#2", "SHUTDOWN"]]);
  const late = await world.client("late");
  await late.say("", "job");
  await world.advance(5000);
  assertEquals([closed, world.counted.jobs.accepted], [false, 2]);
  await answer(worker, "w", "one");
  await answer(worker, "w", "two");
  assertEquals(native.take(), [["", "SIG", "RESPONSE", "#1", "one"]]);
  assertEquals(opaque.take(), [["", "two"]]);
  await world.advance(2000);
  assertEquals([closed, late.take(), world.counted.dropped], [true, [], {}]);
  await closing;
});

test("close() tells whoever still waits when the time to drain is over", {
  drainSeconds: 4,
}, async (world) => {
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "1", "w");
  worker.take();
  const native = await world.client("native");
  const opaque = await world.client("opaque");
  await trackexec(native, 1);
  await trackexec(native, 2);
  await opaque.say("", "waits");
  const closing = world.broker.close();
  await world.advance(3990);
  assertEquals(native.take(), []);
  await world.advance(20);
  const told = native.take().map((frames) => frames.slice(2, 5));
  assertEquals(told.sort(), [["ERROR", "#1", "SHUTDOWN"], ["ERROR", "#2", "SHUTDOWN"]]);
  assertEquals(world.counted.dropped, { shutdown: 1 });
  assertEquals(worker.take(), [["", "id", "", "go", "please"]]);
  await world.advance(2000);
  await closing;
});

test("close() tells workers to leave if asked to", { exitWorkers: true }, async (world) => {
  const worker = await world.worker("worker");
  await worker.say("", "REGISTER", "1", "w");
  worker.take();
  const closing = world.broker.close();
  await world.advance(2000);
  await closing;
  assertEquals(worker.take(), [["", "EXIT"]]);
});

test("close({ now: true }) ends a drain that is under way", {}, async (world) => {
  const client = await world.client("client");
  await trackexec(client, 1);
  const closing = world.broker.close();
  await world.advance(1000);
  assertEquals(client.take(), []);
  const again = world.broker.close({ now: true });
  await world.advance(2000);
  await Promise.all([closing, again]);
  assertEquals(client.take().map((frames) => frames.slice(2, 5)), [["ERROR", "#1", "SHUTDOWN"]]);
});

Deno.test("Broker.start() refuses what it can't mean, and says what it could", async () => {
  const cases: [BrokerOptions, string][] = [
    [
      { workerExpireSeconds: 0 },
      "Cannot start: workerExpireSeconds is a number, 0.01 to 1000000, not 0",
    ],
    [{ maxAttempts: 1.5 }, "Cannot start: maxAttempts is a whole number, 1 to 255, not 1.5"],
    [{ backlogJobs: -1 }, "Cannot start: backlogJobs is a whole number, 0 to 2147483647, not -1"],
    [{ debug: NaN }, "Cannot start: debug is a whole number, 0 to 5"],
    [{ limits: { slots: 65_536 } }, "Cannot start: slots is a whole number, 1 to 65535, not 65536"],
    [{ limits: { slot: 1 } as never }, "Cannot start: there is no limit named slot"],
    [{ limits: { toString: 1 } as never }, "Cannot start: there is no limit named toString"],
    [{ fronted: "tcp://127.0.0.1:1" } as never, "Cannot start: a broker has no option fronted"],
    [{ exitWorkers: "yes" as never }, "Cannot start: exitWorkers is true or false"],
  ];
  for (const [options, message] of cases) {
    const error = await assertRejects(() => Broker.start({ ...options }), Error);
    assertEquals(error.message, message);
  }
  await assertRejects(() => Broker.start({ frontend: "udp://127.0.0.1:1" }), Error);
});

Deno.test("Broker.start() leaves nothing open if its second port is in use", async () => {
  const network = new MemoryNetwork();
  const io = network.io("broker");
  const other = await io.listen({ hostname: "127.0.0.1", port: 5556 }, 10);
  const error = await assertRejects(() => Broker.start({ io }), Error);
  assertEquals((error as Error & { code: string }).code, "EADDRINUSE");
  other.close();
  const broker = await Broker.start({ io });
  const closed = broker.close();
  await network.advance(2000);
  await closed;
});
