/**
 * What happens to the broker's own process: stopped, killed and started again, few descriptors.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Client } from "../../client/mod.ts";
import { Dealer } from "../../protocol/mod.ts";
import { type Job, Worker as JobWorker } from "../../worker/mod.ts";
import { Attacker } from "../hostile/attacker.ts";
import { BrokerChild } from "./broker_child.ts";
import { Players, testWithLibzmq } from "./players.ts";
import { RotaChild } from "./rota_child.ts";

/** No call waits longer: a fault is a failure and never a hang. */
const PATIENCE_MS = 60_000;
/** How long the broker waits after a connection that it could not take. */
const ACCEPT_PAUSE_MS = 100;

testWithLibzmq("a broker that is stopped for longer than the expiry expires nobody", async () => {
  await using broker = await BrokerChild.start({ args: ["--worker-expire-seconds", "1"] });
  await using players = await Players.start();
  await players.worker("ready", "ready", broker.backend, { ping: 200 });
  await players.worker("slots", "register", broker.backend, {
    address: "slots",
    slots: 3,
    options: ["heartbeat=working"],
    ping: 200,
  });
  await broker.until((stats) => stats.workers === 2);
  await players.keep("slots", true);
  await players.client("client", "dealer", broker.frontend, 10);
  await players.holding("slots");
  // Their heartbeats go on, unread.
  broker.signal("SIGSTOP");
  await players.pings("ready", 12);
  broker.signal("SIGCONT");
  await players.pings("slots", 6);
  const stats = await broker.stats();
  assertEquals([stats.workers, stats.workersExpired, stats.workersLost], [2, 0, 0]);
  await players.keep("slots", false);
  await players.answered("client", 10);
  assertEquals(await players.faults("client"), []);
  assertEquals((await broker.stats()).jobs.requeued, 0);
});

Deno.test("a broker that is killed and started again: workers come back, every call ends", async () => {
  let broker = await BrokerChild.start();
  const { frontend, backend } = broker;
  const args = ["--frontend", frontend, "--backend", backend];
  try {
    const handlers = { echo: (job: Job) => job.text() };
    await using worker = await JobWorker.start({ broker: backend, handlers, slots: 5 });
    await using _other = await RotaChild.start(backend, 1, "other");
    await using client = new Client({ broker: frontend, timeout: PATIENCE_MS });
    const calls: Promise<string>[] = [];
    const ask = (text: string) =>
      calls.push(client.call("echo", text).then((result) => result.text()));
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 200; i++) ask(`${calls.length}`);
      await calls.at(-150);
      // In the middle of it all.
      broker.signal("SIGKILL");
      await broker.status;
      for (let i = 0; i < 50; i++) ask(`${calls.length}`);
      await broker[Symbol.asyncDispose]();
      broker = await BrokerChild.start({ args });
    }
    const answers = await Promise.all(calls);
    assertEquals(answers, Array.from({ length: 750 }, (_, i) => `${i}`));
    const stats = await broker.until((stats) => stats.workers === 2);
    assertEquals([stats.jobs.waiting, stats.jobs.running], [0, 0]);
    assertEquals([worker.status.registered, client.pending], [true, 0]);
  } finally {
    await broker[Symbol.asyncDispose]();
  }
});

Deno.test("a broker that ends in order and is started again: workers come back, calls end", async () => {
  let broker = await BrokerChild.start();
  const { frontend, backend } = broker;
  try {
    const handlers = { echo: (job: Job) => job.text() };
    await using _worker = await JobWorker.start({ broker: backend, handlers });
    await using client = new Client({ broker: frontend, timeout: PATIENCE_MS });
    const outcomes: Promise<string>[] = [];
    for (let i = 0; i < 500; i++) {
      if (i === 250) broker.signal("SIGTERM");
      const call = client.call("echo", "answer");
      outcomes.push(call.then((result) => result.text(), (error) => error.code));
      if (i < 250 && i % 10 === 0) await outcomes.at(-1);
    }
    assertEquals((await broker.status).code, 0);
    await broker[Symbol.asyncDispose]();
    broker = await BrokerChild.start({ args: ["--frontend", frontend, "--backend", backend] });
    const all = new Set(await Promise.all(outcomes));
    // Answered, or told that the broker shuts down; or asked again of the next one.
    assertEquals([...all].filter((it) => it !== "answer" && it !== "SHUTDOWN"), []);
    assertEquals((await client.call("echo", "afterwards")).text(), "afterwards");
  } finally {
    await broker[Symbol.asyncDispose]();
  }
});

Deno.test("with 256 descriptors a crowd neither ends the broker nor makes it spin", async () => {
  await using broker = await BrokerChild.start({ descriptors: 256 });
  const handlers = { echo: (job: Job) => job.text() };
  await using _worker = await JobWorker.start({ broker: broker.backend, handlers });
  await using client = new Client({ broker: broker.frontend, timeout: PATIENCE_MS });
  const ask = async (text: string) => assertEquals((await client.call("echo", text)).text(), text);
  await ask("before");

  const port = Number(broker.frontend.split(":").at(-1));
  const begin = performance.now();
  const crowd: Attacker[] = [];
  while (crowd.length < 400) crowd.push(await Attacker.to(port));
  const crowded = await broker.until((stats) => (stats.frontend.faults.accept ?? 0) >= 3);
  const most = 1 + (performance.now() - begin) / ACCEPT_PAUSE_MS;
  const errors = crowded.frontend.faults.accept!;
  assert(errors <= most, `${errors} errors: it spins`);
  await ask("meanwhile");

  for (const attacker of crowd) attacker[Symbol.dispose]();
  await using newcomer = new Dealer({ linger: 0, receiveTimeout: PATIENCE_MS });
  newcomer.connect(broker.frontend);
  await newcomer.send(["", "echo", "after"]);
  assertEquals((await newcomer.receive()).map(String), ["", "after"]);
  await ask("after");
});
