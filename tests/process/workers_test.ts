/**
 * Workers that are killed and stopped inside a job, as processes: the job runs elsewhere, and its
 * client sees one result.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { Client } from "../../client/mod.ts";
import { BrokerChild } from "./broker_child.ts";
import { RotaChild } from "./rota_child.ts";

/** A client whose every call ends, if need be by its own patience. */
function clientOf(broker: BrokerChild): Client {
  return new Client({ broker: broker.frontend, timeout: 60_000 });
}

Deno.test("a Rota worker that is killed inside a job: the job is requeued at once", async () => {
  await using broker = await BrokerChild.start({ args: ["--worker-expire-seconds", "600"] });
  await using _victim = await RotaChild.start(broker.backend, 0, "victim");
  await using client = clientOf(broker);
  const result = client.call("die");
  // Not by any clock: the broker sees the connection's end.
  await broker.logged("job requeued");
  await using _other = await RotaChild.start(broker.backend, 0, "other");
  assertEquals((await result).text(), "attempt 2");
  const { jobs, workersLost, workersExpired } = await broker.stats();
  assertEquals([jobs.requeued, jobs.completed, workersLost, workersExpired], [1, 1, 1, 0]);
});

Deno.test("a job that kills each of its workers ends as WORKER_LOST and a dead letter", async () => {
  await using broker = await BrokerChild.start({ args: ["--max-attempts", "1"] });
  await using _victim = await RotaChild.start(broker.backend, 0, "victim");
  await using client = clientOf(broker);
  const error = await client.call("die").then(() => undefined, (error) => error);
  assertEquals(error?.code, "WORKER_LOST");
  await broker.logged("dead letter WORKER_LOST");
  assertEquals((await broker.stats()).jobs.dead, 1);
});

Deno.test("a Rota worker that is stopped inside a job is expired; its late answer is dropped", async () => {
  await using broker = await BrokerChild.start({ args: ["--worker-expire-seconds", "1"] });
  // Its handlers run in threads, so it says that it pings while it works.
  await using frozen = await RotaChild.start(broker.backend, 1, "frozen");
  await using client = clientOf(broker);
  const result = client.call("freeze");
  await broker.logged("worker expired", { address: "frozen" });
  await using _other = await RotaChild.start(broker.backend, 1, "other");
  assertEquals((await result).text(), "attempt 2");
  frozen.signal("SIGCONT");
  const stats = await broker.until((stats) => stats.workers === 2);
  assertEquals([stats.jobs.requeued, stats.jobs.completed], [1, 1]);
  assertEquals(client.pending, 0);
  // It serves again as if nothing had been.
  for (let i = 0; i < 20; i++) assertEquals((await client.call("echo", `${i}`)).text(), `${i}`);
  assertEquals((await broker.stats()).dropped["stale result"], 1);
});
