/**
 * 10,000 jobs of plain libzmq clients over 5 plain libzmq workers of every dialect, while one worker
 * is killed and one is stopped: every client gets every answer, once.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { BrokerChild } from "./broker_child.ts";
import { type ClientKind, Players, testWithLibzmq } from "./players.ts";

const CLIENTS: readonly [ClientKind, jobs: number][] = [
  ["dealer", 4000],
  ["bare", 4000],
  ["req", 1000],
  ["req-correlate", 1000],
];

testWithLibzmq("10,000 jobs, one worker killed, one stopped: every answer comes once", async () => {
  await using broker = await BrokerChild.start({ args: ["--worker-expire-seconds", "1"] });
  await using killed = await Players.start();
  await using stopped = await Players.start();
  await using steady = await Players.start();
  await using clients = await Players.start();
  await killed.worker("killed", "ready", broker.backend, { ping: 200 });
  await stopped.worker("stopped", "register", broker.backend, {
    address: "stopped",
    slots: 10,
    options: ["heartbeat=working"],
    ping: 200,
  });
  await steady.worker("slots", "register", broker.backend, { address: "slots", slots: 10 });
  await steady.worker("req", "req", broker.backend);
  await steady.worker("rep", "rep", broker.backend);
  await broker.until((stats) => stats.workers === 5);

  for (const [kind, jobs] of CLIENTS) await clients.client(kind, kind, broker.frontend, jobs);
  await clients.answered("dealer", 500);
  // Both have a job in their hands: one dies with it, one stands still with ten.
  await killed.keep("killed", true);
  await killed.holding("killed");
  killed.signal("SIGKILL");
  await broker.logged("worker disconnected");
  await clients.answered("dealer", 1500);
  await stopped.keep("stopped", true);
  await stopped.holding("stopped");
  stopped.signal("SIGSTOP");

  for (const [kind, jobs] of CLIENTS) await clients.answered(kind, jobs);
  const before = await broker.stats();
  assert(before.jobs.requeued >= 2, `${before.jobs.requeued} requeued`);
  assertEquals([before.workersLost, before.workersExpired >= 1], [1, true]);
  // The stopped worker goes on, answers late and comes back; nobody hears of it.
  stopped.signal("SIGCONT");
  await stopped.keep("stopped", false);
  const after = await broker.until((stats) =>
    stats.workers === 4 && (stats.dropped["stale result"] ?? 0) >= before.jobs.requeued - 1
  );
  assertEquals([after.jobs.accepted, after.jobs.completed], [10_000, 10_000]);
  assertEquals([after.jobs.failed, after.jobs.waiting, after.jobs.running], [0, 0, 0]);
  for (const [kind] of CLIENTS) assertEquals(await clients.faults(kind), [], kind);
  for (const name of ["slots", "req", "rep"]) {
    const { served, wrong } = await steady.work(name);
    assertEquals([wrong, served > 500], [[], true], `${name} served ${served}`);
  }
});
