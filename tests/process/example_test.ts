/**
 * The walk-through of the original designs, word for word: broker, worker and client as three
 * programs with a console each, the same commands in the same order.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import { BrokerProcess } from "./broker_process.ts";
import { TaskProcess } from "./task_process.ts";
import { WorkerProcess } from "./worker_process.ts";

/** More than enough for a message that is on its way. */
const MOST_QUESTIONS = 10_000;

/** The broker's table as its console prints it: the head, and the address of each worker. */
async function workers(broker: BrokerProcess): Promise<[head: string, addresses: string[]]> {
  await broker.type("workers");
  const head = await broker.stdout.next() ?? "";
  const count = Number(/^[0-9]+/.exec(head)?.[0]);
  if (count === 0) return [head, []];
  assertMatch(await broker.stdout.next() ?? "", /^ADDRESS +DIALECT /);
  const addresses: string[] = [];
  for (let i = 0; i < count; i++) {
    addresses.push((await broker.stdout.next() ?? "").split(" ")[0]!);
  }
  return [head, addresses];
}

/** A DEREGISTER has no answer: asks the broker until so many workers are in its table. */
async function untilThere(broker: BrokerProcess, count: number): Promise<void> {
  for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
    await broker.type("workers --json");
    const list: { state: string }[] = JSON.parse(await broker.stdout.next() ?? "[]");
    if (list.filter(({ state }) => state === "idle").length === count) return;
  }
  throw new Error(`there are never ${count} workers`);
}

Deno.test("the original walk-through: register, pingt, bulk, bulkping, bulkdata, endbulk, quit", async () => {
  await using server = await BrokerProcess.start(["-d", "1"]);
  await using worker = await WorkerProcess.start(server, ["--manual", "-d", "5"]);
  await using client = await TaskProcess.run("client", ["--broker", server.frontend, "-d", "1"]);

  await worker.type("register");
  await worker.stderr.until(/Registered as /);
  assertEquals(await workers(server), ["1 worker, 10 of 10 slots free", [worker.address]]);

  await client.type("pingt");
  assertMatch(await client.stdout.next() ?? "", /^PONG in /);
  await worker.stderr.until(/command=PING/);
  await client.type("ping");
  assertMatch(await client.stdout.next() ?? "", /^accepted in /);

  await worker.type("bulk");
  await worker.stderr.until(/^10 child workers registered$/);
  const [head, addresses] = await workers(server);
  assertEquals([head, addresses.length], ["11 workers, 110 of 110 slots free", 11]);
  assertEquals([new Set(addresses).size, addresses.includes(worker.address)], [11, true]);

  await client.type("bulkping 100");
  assertMatch(await client.stdout.next() ?? "", /^100 sent, 100 succeeded, 0 failed in /);
  await client.stderr.until(/^10% 20% 30% 40% 50% 60% 70% 80% 90% 100%$/);
  await client.type("bulkdata 100");
  const data = /^100 sent, 100 succeeded, 0 failed in .*, 100 KiB/;
  assertMatch(await client.stdout.until(/ sent, /), data);

  await worker.type("endbulk");
  await worker.stderr.until(/^10 child workers deregistered and ended$/);
  await untilThere(server, 1);
  assertEquals((await workers(server))[0], "1 worker, 10 of 10 slots free");
  await worker.type("deregister");
  await untilThere(server, 0);
  assertMatch((await workers(server))[0], /^0 workers, /);

  await worker.type("quit");
  await server.type("quit");
  await client.type("quit");
  for (const program of [worker, server, client]) assertEquals((await program.outcome()).code, 0);
});
