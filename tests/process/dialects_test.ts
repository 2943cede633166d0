/**
 * Plain libzmq workers and clients of every kind against `deno task broker`: each understands each.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import { BrokerChild } from "./broker_child.ts";
import {
  type ClientKind,
  Players,
  testWithLibzmq,
  type WorkerKind,
  type WorkerWish,
} from "./players.ts";

const WORKERS: readonly [WorkerKind, dialect: string, WorkerWish][] = [
  ["ready", "READY", {}],
  ["register", "REGISTER", { slots: 10, address: "ten slots" }],
  ["req", "REQ", {}],
  ["req-correlate", "REQ", {}],
  ["rep", "REP", {}],
];
const CLIENTS: readonly ClientKind[] = ["req", "req-correlate", "dealer", "bare"];
const JOBS = 100;

/** Each client has all its answers, once. */
async function allAnswered(players: Players, names: readonly string[], jobs: number) {
  for (const name of names) {
    await players.answered(name, jobs);
    assertEquals(await players.faults(name), [], name);
    await players.close(name);
  }
}

testWithLibzmq("libzmq workers of every kind serve libzmq clients of every kind", async (t) => {
  await using broker = await BrokerChild.start();
  assertMatch(
    broker.ready,
    /^rota broker ready frontend=tcp:\/\/127\.0\.0\.1:\d+ backend=tcp:\/\/127\.0\.0\.1:\d+$/,
  );
  await using players = await Players.start();
  for (const [kind, dialect, wish] of WORKERS) {
    await t.step(`a ${kind} worker`, async () => {
      await players.worker(kind, kind, broker.backend, wish);
      const names = CLIENTS.map((client) => `${client} of ${kind}`);
      for (const [i, client] of CLIENTS.entries()) {
        await players.client(names[i]!, client, broker.frontend, JOBS);
      }
      await allAnswered(players, names, JOBS);
      assertEquals(await players.work(kind), { served: JOBS * CLIENTS.length, wrong: [] });
      const [worker, ...others] = await broker.workers();
      assertEquals([worker!.dialect, worker!.capacity, others], [dialect, wish.slots ?? 1, []]);
      await players.close(kind);
      await broker.until((stats) => stats.workers === 0 && stats.clients === 0);
    });
  }
  const { jobs, dropped, errors } = await broker.stats();
  assertEquals(jobs.completed, WORKERS.length * CLIENTS.length * JOBS);
  assertEquals([jobs.failed, jobs.requeued, dropped, errors], [0, 0, {}, {}]);
});

testWithLibzmq("a libzmq proxy in front of each port changes nothing", async () => {
  await using broker = await BrokerChild.start();
  await using players = await Players.start();
  const frontend = await players.proxy("front proxy", broker.frontend);
  const backend = await players.proxy("back proxy", broker.backend);
  await players.worker("ready 1", "ready", backend);
  await players.worker("ready 2", "ready", backend);
  await players.worker("slots 1", "register", backend, { slots: 10, address: "one" });
  await players.worker("slots 2", "register", backend, { slots: 3, address: "two" });
  await broker.until((stats) => stats.workers === 4);
  const kinds: ClientKind[] = ["req", "req-correlate", "dealer", "dealer"];
  const names = kinds.map((kind, i) => `${kind} ${i}`);
  for (const [i, kind] of kinds.entries()) {
    await players.client(names[i]!, kind, frontend, JOBS);
  }
  await allAnswered(players, names, JOBS);
  let served = 0;
  for (const name of ["ready 1", "ready 2", "slots 1", "slots 2"]) {
    const work = await players.work(name);
    assertEquals(work.wrong, []);
    assertEquals(work.served > 0, true, `${name} had nothing to do`);
    served += work.served;
  }
  assertEquals(served, JOBS * kinds.length);
  const { frontend: front, backend: back } = await broker.stats();
  assertEquals([front.connections, back.connections], [1, 1]);
});
