// A worker on a network in memory, before a broker that is played by hand: what goes over the wire,
// when, and what becomes of its jobs. Time is simulated, or fake.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { HANDS } from "../tests/kit/broker_world.ts";
import { StoppableIo } from "../tests/kit/stoppable_io.ts";
import { WorkerWorld } from "../tests/kit/worker_world.ts";
import { JobError, Worker } from "./mod.ts";

const REGISTERED = '["", REGISTERED, 10, "expire=3", "w1"]';
const REGISTER = '["", REGISTER, 10, "rota=1", "w1"]';
const never = () => new Promise<never>(() => {});

Deno.test("Worker.start() rejects for bad options before it does anything", async () => {
  await assertRejects(() => Worker.start({ slots: 0 }), RangeError, "slots");
  const reason = new Error("not today");
  await assertRejects(
    () => Worker.start({ signal: AbortSignal.abort(reason) }),
    Error,
    "not today",
  );
});

Deno.test("Worker.start() resolves after REGISTERED, and runs no handler before it", async () => {
  await using world = new WorkerWorld();
  await world.open();
  let runs = 0;
  const handlers = { hello: () => `hello ${++runs}` };
  const state = { started: false };
  const started = world.start({ handlers }).then(() => state.started = true);
  await world.settle();
  assertEquals(world.take(), [`0 ${REGISTER}`]);
  await world.say('["", <job 1>, "", "hello"]');
  assertEquals([state.started, runs, world.take()], [false, 0, []]);
  assertEquals(world.lines.at(-1), 'ignored {"what":"a job before REGISTERED"}');
  await world.say(REGISTERED);
  await started;
  await world.say('["", <job 1>, "", "hello"]');
  assertEquals(world.take(), ['0 ["", <job 1>, "", "hello 1"]', '0 ["", INCREMENT, "w1"]']);
});

Deno.test("Worker.start() waits for a broker until its signal fires, and leaves nothing behind", async () => {
  await using world = new WorkerWorld();
  const controller = new AbortController();
  const started = world.start({ signal: controller.signal });
  const failed = assertRejects(() => started, Error, "enough");
  await world.advance(120_000);
  assertEquals(world.lines.length, 1);
  assert(world.lines[0]!.startsWith("broker not reached; trying on"), world.lines[0]);
  controller.abort(new Error("enough"));
  await failed;
  await world.open();
  await world.advance(60_000);
  assertEquals(world.take(), []);
});

Deno.test("Worker.start() rejects with the broker's reason to refuse it", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const started = world.start();
  await world.settle();
  const failed = assertRejects(() => started, Error, "the broker refused it (slots)");
  await world.say('["", REFUSED, slots, "w1"]');
  await failed;
  assertEquals(world.network.connections, []);
});

Deno.test("Worker.start() tells services, threads and slots to the broker", async () => {
  await using world = new WorkerWorld();
  await world.open();
  world.start({ slots: 3, services: ["a", "b"] });
  await world.settle();
  assertEquals(world.take(), ['0 ["", REGISTER, 3, "service=a", "service=b", "rota=1", "w1"]']);
  await world.say('["", REGISTERED, 3, "expire=3", "w1"]');
});

for (const hand of HANDS) {
  Deno.test(`Worker pings each second, and thrice within a shorter expiry (${hand} time)`, async () => {
    await using world = new WorkerWorld(hand);
    await world.open();
    await world.worker();
    await world.advance(2000);
    assertEquals(world.take(), ['1000 ["", PING, "w1"]', '2000 ["", PING, "w1"]']);
    await world.say('["", REFUSED, unknown, "w1"]');
    assertEquals(world.take(), [`2000 ${REGISTER}`]);
    await world.say('["", REGISTERED, 10, "expire=0.9", "w1"]');
    await world.advance(900);
    assertEquals(world.take(), [2300, 2600, 2900].map((at) => `${at} ["", PING, "w1"]`));
  });

  Deno.test(`Worker makes a new connection after three silent seconds (${hand} time)`, async () => {
    await using world = new WorkerWorld(hand);
    await world.open();
    const worker = await world.worker();
    const before = world.identity;
    const [link] = world.network.connections;
    await world.advance(2990);
    assertEquals([world.network.connections[0] === link, worker.status.registered], [true, true]);
    world.take();
    await world.advance(200);
    assert(world.network.connections[0] !== link, "the same connection");
    assertEquals(world.take().map((it) => it.slice(it.indexOf("["))), [REGISTER]);
    assertEquals(world.identity, before, "the broker must know who comes back");
    assertEquals([worker.status.connected, worker.status.registered], [true, false]);
    await world.say(REGISTERED);
    assertEquals(worker.status.registered, true);
  });

  Deno.test(`Worker comes back to a broker that was away, after growing waits (${hand} time)`, async () => {
    await using world = new WorkerWorld(hand);
    const attempts: number[] = [];
    const io = world.network.io("worker");
    const connect: typeof io.connect = (address, signal) => {
      attempts.push(world.now);
      return io.connect(address, signal);
    };
    await world.open();
    await world.worker({}, { ...io, connect });
    await world.shut();
    await world.advance(600_000);
    const waits = attempts.slice(1).map((at, i) => at - attempts[i]!).slice(1);
    waits.forEach((wait, i) => {
      assert(wait <= Math.min(30_000, 100 * 2 ** (i + 1)) + 10, `wait ${i} is ${wait}`);
    });
    assert(waits.length >= 20 && waits.length <= 100, `${waits.length} attempts`);
    assert(Math.max(...waits) > 20_000, "the waits don't grow");
    assert(new Set(waits.slice(10)).size > 5, "the waits aren't spread");
    world.take();
    await world.open();
    await world.advance(31_000);
    assertEquals(world.take()[0]?.replace(/^[0-9.]+ /, ""), REGISTER);
  });
}

Deno.test("Worker says nothing to a new broker that was meant for the old one", async () => {
  await using world = new WorkerWorld();
  await world.open();
  let finish = (_: string) => {};
  const handlers = {
    slow: () => new Promise<string>((resolve) => finish = resolve),
    large: () => new Uint8Array(1_000_000),
  };
  const worker = await world.worker({ handlers, slots: 10 });
  await world.say('["", <job 1>, "", "slow"]');
  assertEquals(worker.status.running, 1);
  // What is said after this stays in our hands.
  for (const link of world.network.connections) link.stall("out");
  await world.say('["", <job 2>, "", "large"]');
  await world.advance(1000);
  world.network.cut();
  await world.advance(200);
  assertEquals(world.take().map((it) => it.slice(it.indexOf("["))), [REGISTER]);
  await world.say(REGISTERED);
  finish("too late");
  await world.advance(100);
  assertEquals([world.take(), worker.status.failed], [[], 1]);
});

Deno.test("Worker runs no more jobs than it has slots, those of a lost connection included", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const finish: ((text: string) => void)[] = [];
  const signals: AbortSignal[] = [];
  const worker = await world.worker({
    slots: 1,
    handlers: {
      slow: ({ signal }) => {
        signals.push(signal);
        return new Promise<string>((resolve) => finish.push(resolve));
      },
    },
  });
  await world.say('["", <job 1>, "", "slow"]');
  world.network.cut();
  await world.advance(200);
  assertEquals(signals.map(({ aborted }) => aborted), [true]);
  await world.say('["", REGISTERED, 1, "expire=3", "w1"]');
  await world.say('["", <job 2>, "", "slow"]');
  assertEquals([signals.length, worker.status.running], [1, 1]);
  world.take();
  finish[0]!("the first");
  await world.settle();
  assertEquals([signals.length, world.take()], [2, []]);
  finish[1]!("the second");
  await world.settle();
  assertEquals(world.take().length, 2, "an answer and an INCREMENT");
});

Deno.test("Worker that stood still reads what waits before it takes its broker for lost", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const io = new StoppableIo(world.network.io("worker"));
  const worker = await world.worker({}, io);
  await world.advance(500);
  io.stop();
  await world.say('["", PONG]');
  await world.advance(60_000);
  io.continue();
  await world.advance(900);
  assertEquals([worker.status.registered, world.network.connections.length], [true, 1]);
  await world.advance(2500);
  assertEquals(worker.status.registered, false, "silence is noticed all the same");
});

Deno.test("Worker answers what its handlers throw, and lives on", async () => {
  await using world = new WorkerWorld();
  await world.open();
  await world.worker({
    handlers: {
      throws: () => {
        throw new Error("no ink");
      },
      rejects: () => Promise.reject(new JobError("NO_PAPER", "none left")),
    },
  });
  await world.say('["", <job 1>, "", SIG, TRACKEXEC, 1, "throws", ""]');
  await world.say('["", <job 2>, "", SIG, TRACKEXEC, 1, "rejects", ""]');
  await world.say('["", <job 3>, "", SIG, TRACKEXEC, 1, "what?", ""]');
  await world.say('["", <job 4>, "", SIG, TRACKEXEC]');
  assertEquals(world.take().filter((it) => !it.includes("INCREMENT")).map((it) => it.slice(2)), [
    '["", <job 1>, "", SIG, ERROR, WORKER_FAILED, "no ink"]',
    '["", <job 2>, "", SIG, ERROR, NO_PAPER, "none left"]',
    `["", <job 3>, "", SIG, ERROR, NO_COMMAND, "No handler takes \\"what?\\""]`,
    '["", <job 4>, "", SIG, ERROR, WORKER_FAILED, "The job isn\'t a legal native message"]',
  ]);
});

Deno.test("Worker frees the slots of one turn with one INCREMENT", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const finish: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => finish.push(resolve));
  await world.worker({ handlers: { wait } });
  for (const i of [1, 2, 3]) await world.say(`["", <job ${i}>, "", "wait"]`);
  for (const end of finish) end();
  await world.settle();
  assertEquals(world.take().at(-1), '0 ["", INCREMENT, 3, "w1"]');
});

Deno.test("Worker says once which handler kept its heartbeat waiting", async () => {
  await using world = new WorkerWorld();
  await world.open();
  let more = 0;
  const io = world.network.io("worker");
  const handlers = { primes: () => void (more += 700), quick: () => "x" };
  await world.worker({ handlers }, { ...io, now: () => io.now() + more });
  await world.say('["", <job 1>, "", "quick"]');
  assertEquals(world.lines, []);
  await world.say('["", <job 2>, "", "primes"]');
  await world.say('["", <job 3>, "", "primes"]');
  assertEquals(world.lines, [
    'a handler kept the heartbeat waiting; threads would help {"handler":"primes","milliseconds":700}',
  ]);
});

Deno.test("Worker names those at work where something between their calls was slow", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const io = new StoppableIo(world.network.io("worker"));
  await world.worker({ handlers: { parse: never, idle: never } }, io);
  await world.say('["", <job 1>, "", "parse"]');
  io.stop();
  await world.advance(1600);
  io.continue();
  await world.settle();
  assertEquals(world.lines, [
    'a handler kept the heartbeat waiting; threads would help {"handler":"parse","milliseconds":600}',
  ]);
});

Deno.test("Worker tells more at higher levels: comings and goings, heartbeat, frames", async () => {
  await using world = new WorkerWorld();
  await world.open();
  await world.worker({ debug: 5 });
  assertEquals(world.lines, [
    'connected {"broker":"tcp://127.0.0.1:5556"}',
    'frames out {"frames":"<><REGISTER><10><rota=1><w1>"}',
    'frames in {"frames":"<><REGISTERED><10><expire=3><w1>"}',
    'registered {"address":"w1","slots":10,"broker":"tcp://127.0.0.1:5556"}',
  ]);
  world.lines.length = 0;
  await world.say('["", PONG, "?"]');
  await world.shut();
  assertEquals(world.lines, [
    'frames in {"frames":"<><PONG><?>"}',
    'ignored {"what":"not understood"}',
    'broker gone {"broker":"tcp://127.0.0.1:5556"}',
  ]);
});

Deno.test("Worker hints at a wrong port where nobody answers REGISTER, and takes another identity", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const controller = new AbortController();
  const started = world.start({ signal: controller.signal });
  await world.advance(3000);
  assertEquals(world.lines.length, 1);
  assert(world.lines[0]!.includes("is that the broker's backend?"), world.lines[0]);
  const before = world.identity;
  await world.advance(200);
  assert(world.identity !== before, "a proxy may hold on to the old identity");
  controller.abort();
  await assertRejects(() => started);
});

Deno.test("Worker keeps asking where its address is in use", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const started = world.start();
  await world.settle();
  await world.say('["", REFUSED, "address-in-use", "w1"]');
  assert(world.lines[0]!.startsWith('refused; asking again {"reason":"address-in-use"'));
  await world.advance(1000);
  assertEquals(world.take().length, 2);
  await world.say(REGISTERED);
  assertEquals((await started).status.registered, true);
});

Deno.test("Worker has a random address unless told, and no identity of others", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const started = Worker.start({
    broker: "tcp://127.0.0.1:5556",
    io: world.network.io("w"),
  });
  await world.settle();
  const [, address = ""] = /"(worker-[0-9a-z]{10})"\]$/.exec(world.take()[0]!) ?? [];
  assertEquals(world.identity, address);
  await world.say(`["", REGISTERED, 10, "${address}"]`);
  await using worker = await started;
  assertEquals(worker.status.address, address);
  await worker.close({ now: true });
});
