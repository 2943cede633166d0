/**
 * The walk-through of the original designs, as the README tells it: three consoles as processes, its
 * commands in its order, and what they say.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import { fencesOf } from "./docs/grammar.ts";
import { sectionOf, tableUnder } from "./docs/markdown.ts";
import { BrokerProcess } from "./process/broker_process.ts";
import { TaskProcess } from "./process/task_process.ts";
import { WorkerProcess } from "./process/worker_process.ts";

const HEADING = "A tour in five minutes";
const readme = await Deno.readTextFile(new URL("../README.md", import.meta.url));

/** The commands of the original, in its order. */
const STEPS = [
  ["worker", "register"],
  ["broker", "workers"],
  ["client", "pingt"],
  ["worker", "bulk"],
  ["broker", "workers"],
  ["client", "bulkping 100"],
  ["client", "bulkdata 100"],
  ["worker", "endbulk"],
  ["worker", "deregister"],
  ["worker", "quit"],
  ["broker", "quit"],
  ["client", "quit"],
] as const;

/** The three consoles. */
interface Consoles {
  readonly broker: BrokerProcess;
  readonly worker: WorkerProcess;
  readonly client: TaskProcess;
}

/** Reads the broker's table of workers: its first line, and the addresses in it. */
async function readTable({ stdout }: BrokerProcess): Promise<[count: string, addresses: string[]]> {
  const count = await stdout.next() ?? "";
  assertMatch(await stdout.next() ?? "", /^ADDRESS +DIALECT +SERVICES +FREE/);
  const addresses: string[] = [];
  for (let left = parseInt(count); left > 0; left--) {
    addresses.push((await stdout.next() ?? "").split(" ")[0]!);
  }
  return [count, addresses.sort()];
}

/** How many workers the broker gives jobs to. */
async function countWorkers(broker: BrokerProcess): Promise<number> {
  await broker.type("workers --json");
  const workers: { state: string }[] = JSON.parse(await broker.stdout.next() ?? "[]");
  return workers.filter(({ state }) => state === "idle").length;
}

/** What each child says at its end: the number of jobs that it has done. */
async function readShares({ stderr }: WorkerProcess): Promise<number[]> {
  const shares: number[] = [];
  while (shares.length < 10) {
    const line = await stderr.until(/ child ended /);
    shares.push(Number(/ completed=(\d+) failed=0$/.exec(line)?.[1]));
  }
  return shares;
}

/** What each step says, in the order of the steps. */
const OUTCOMES: readonly ((consoles: Consoles) => Promise<void>)[] = [
  async ({ worker }) => {
    const told = await worker.stderr.until(/^Registered as /);
    assertMatch(told, new RegExp(`^Registered as ${worker.address} at tcp://`));
  },
  async ({ broker, worker }) => {
    assertEquals(await readTable(broker), ["1 worker, 10 of 10 slots free", [worker.address]]);
  },
  async ({ client }) => {
    assertMatch(await client.stdout.next() ?? "", /^PONG in \d/);
    await client.type("ping");
    assertMatch(await client.stdout.next() ?? "", /^accepted in \d/);
  },
  async ({ worker }) => {
    await worker.stderr.until(/^10 child workers registered$/);
  },
  async ({ broker, worker }) => {
    const children = Array.from({ length: 10 }, (_, i) => `${worker.address}/${i + 1}`);
    assertEquals(await readTable(broker), [
      "11 workers, 110 of 110 slots free",
      [worker.address, ...children].sort(),
    ]);
  },
  async ({ client }) => {
    assertMatch(await client.stdout.next() ?? "", /^100 sent, 100 succeeded, 0 failed in /);
    await client.stderr.until(/^10% 20% 30% 40% 50% 60% 70% 80% 90% 100%$/);
  },
  async ({ client }) => {
    const summary = await client.stdout.until(/ sent, /);
    assertMatch(summary, /^100 sent, 100 succeeded, 0 failed in .*, 100 KiB \(/);
  },
  async ({ broker, worker }) => {
    const shares = await readShares(worker);
    assertEquals(shares.filter((share) => !(share > 0)), [], "each child had some jobs");
    await worker.stderr.until(/^10 child workers deregistered and ended$/);
    assertEquals(await countWorkers(broker), 1);
  },
  async ({ broker, worker }) => {
    await worker.stderr.until(/^Deregistered$/);
    assertEquals(await countWorkers(broker), 0);
  },
  async ({ worker }) => assertEquals((await worker.outcome()).code, 0),
  async ({ broker }) => assertEquals((await broker.outcome()).code, 0),
  async ({ client }) => assertEquals((await client.outcome()).code, 0),
];

Deno.test("README: the tour is the walk-through of the original designs, and works", async () => {
  const table = tableUnder(readme, HEADING);
  const steps = table.map(([terminal, type = ""]) => [terminal, type.replaceAll("`", "")]);
  assertEquals(steps, STEPS.map((step) => [...step]));

  const starts = fencesOf(sectionOf(readme, HEADING), "sh").join("").trimEnd().split("\n");
  assertEquals(starts.map((line) => line.split(" ")[2]), ["broker", "worker", "client"]);
  const [brokerArgs, workerArgs, clientArgs] = starts.map((line) => line.split(" ").slice(3));
  await using broker = await BrokerProcess.start(brokerArgs!);
  // With the level that the table speaks of, so that the children's shares can be read.
  await using worker = await WorkerProcess.start(broker, [...workerArgs!, "-d", "5"]);
  await using client = await TaskProcess.run("client", [
    ...clientArgs!,
    "--broker",
    broker.frontend,
  ]);
  const consoles = { broker, worker, client };
  for (const [i, [terminal, command]] of STEPS.entries()) {
    await consoles[terminal].type(command);
    await OUTCOMES[i]!(consoles);
  }
});
