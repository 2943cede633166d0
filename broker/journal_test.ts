/**
 * Log lines of a broker on a network in memory: what each level tells, how much of it, and that what
 * is held back is summed up in time.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import { MemoryNetwork } from "../protocol/io/memory_io.ts";
import { Dealer } from "../protocol/sockets/dealer.ts";
import { Broker } from "./broker.ts";
import type { LogLine } from "./journal.ts";

/** A line and when it was told. */
type Told = LogLine & { readonly at: number };

/** A broker, a client, and what the log says. */
async function world(debug: number, options: { maxAttempts?: number } = {}) {
  const network = new MemoryNetwork();
  const lines: Told[] = [];
  const broker = await Broker.start({
    frontend: "tcp://127.0.0.1:5555",
    backend: "tcp://127.0.0.1:5556",
    io: network.io("broker"),
    debug,
    onLog: (line) => lines.push({ ...line, at: network.now }),
    ...options,
  });
  const dealer = async (endpoint: string, routingId: string) => {
    const socket = new Dealer({ io: network.io(routingId), routingId });
    socket.connect(endpoint);
    await network.settle();
    return socket;
  };
  const stop = async (...sockets: Dealer[]) => {
    for (const socket of sockets) socket.close();
    const closed = broker.close({ now: true });
    await network.advance(2000);
    await closed;
  };
  return { network, broker, lines, dealer, stop };
}

const eventsOf = (lines: readonly LogLine[]) => lines.map(({ event }) => event);

Deno.test("LineJournal tells at most 20 job lines in any second, and sums up the rest", async () => {
  const { network, broker, lines, dealer, stop } = await world(1);
  const client = await dealer(broker.frontend, "client");
  for (let i = 0; i < 350; i++) {
    await client.send(["", `job ${i}`]);
    await network.advance(10);
  }
  const jobs = lines.filter(({ event }) => event.startsWith("job "));
  for (const { at } of jobs) {
    const near = jobs.filter((line) => line.at >= at && line.at < at + 1000);
    assertEquals(near.length <= 20, true);
  }
  // No further job comes, and the sum comes all the same.
  const before = lines.length;
  await network.advance(1000);
  assertEquals(eventsOf(lines.slice(before)), ["more job events"]);
  const sums = lines.filter(({ event }) => event === "more job events");
  const more = sums.reduce((sum, { details }) => sum + Number(details.count), 0);
  assertEquals(jobs.length + more, 350);
  assertEquals(sums.length <= 4, true);
  await stop(client);
});

Deno.test("LineJournal tells drops at level 0, one line per reason and second", async () => {
  const { network, broker, lines, dealer, stop } = await world(0);
  const worker = await dealer(broker.backend, "worker");
  for (let i = 0; i < 100; i++) await worker.send("no envelope");
  for (let i = 0; i < 50; i++) await worker.send(["", "what?"]);
  await network.advance(1);
  assertEquals(eventsOf(lines), ["no envelope", "not understood"]);
  await network.advance(5000);
  assertEquals(
    lines.slice(2).map(({ event, details }) => [event, details.more]),
    [["no envelope", 99], ["not understood", 49]],
  );
  await stop(worker);
});

Deno.test("LineJournal tells dead letters at level 0, with the id to retry them by", async () => {
  const { network, broker, lines, dealer, stop } = await world(0, { maxAttempts: 1 });
  const client = await dealer(broker.frontend, "client");
  await client.send(["", "job"]);
  const worker = await dealer(broker.backend, "worker");
  await worker.send(["", "READY"]);
  await network.settle();
  network.cut("worker", "broker");
  await network.advance(1);
  assertEquals(eventsOf(lines), ["dead letter WORKER_LOST"]);
  assertEquals(lines[0]!.details, { id: 1, attempt: 1 });
  assertEquals(broker.views.retry(1), true);
  await stop(client, worker);
});

Deno.test("LineJournal makes no kind of a code that a worker chose", async () => {
  const { network, broker, lines, dealer, stop } = await world(0);
  const worker = await dealer(broker.backend, "worker");
  await worker.send(["", "REGISTER", "50", "rota=1", "w"]);
  const client = await dealer(broker.frontend, "client");
  for (let i = 0; i < 50; i++) await client.send(["", `job ${i}`]);
  await network.settle();
  await worker.receive();
  const signature = new Uint8Array([0, 82, 79, 84, 65, 1]);
  for (let i = 0; i < 50; i++) {
    const [, id] = await worker.receive();
    await worker.send(["", id!, "", signature, "ERROR", `CODE_${i}`, "It broke"]);
  }
  await network.advance(5000);
  assertEquals(lines.map(({ event, details }) => [event, details.more]), [
    ["dead letter WORKER_FAILED", undefined],
    ["dead letter WORKER_FAILED", 49],
  ]);
  assertEquals(broker.views.snapshot().errors, { WORKER_FAILED: 50 });
  await stop(client, worker);
});

Deno.test("LineJournal tells more with each level", async () => {
  const told = [];
  for (const level of [0, 1, 2, 3, 4, 5]) {
    const { network, broker, lines, dealer, stop } = await world(level);
    const worker = await dealer(broker.backend, "w1");
    await worker.send(["", "REGISTER", "1", "w1"]);
    await worker.send(["", "PING", "w1"]);
    const client = await dealer(broker.frontend, "c1");
    await client.send(["", "job"]);
    await network.settle();
    await stop(client, worker);
    assertEquals(lines.every((line) => line.level <= level), true);
    told.push([...new Set(lines.map((line) => line.level))].sort());
  }
  const shutdown = [0];
  assertEquals(told, [
    shutdown,
    [0, 1],
    [0, 1, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4, 5],
  ]);
});

Deno.test("Trace shows frames both ways, long and binary ones cut", async () => {
  const { network, broker, lines, dealer, stop } = await world(5);
  const worker = await dealer(broker.backend, "w1");
  await worker.send(["", "REGISTER", "1", "w1"]);
  const client = await dealer(broker.frontend, "c1");
  await client.send(["", "resize me", "x".repeat(500), new Uint8Array([1, 2])]);
  await network.settle();
  const frames = lines.filter(({ level }) => level === 5).map(({ event, details }) =>
    `${event} ${details.worker ?? details.client} ${details.frames}`
  );
  const long = `<${"x".repeat(48)}…500>`;
  assertEquals(frames.slice(0, 3), [
    "frames from worker w1 <><REGISTER><1><w1>",
    "frames to worker w1 <><REGISTERED><1><expire=3><w1>",
    `frames from client c1 <><resize me>${long}<0x0102>`,
  ]);
  assertMatch(
    frames[3]!,
    /^frames to worker w1 <><0x00[0-9a-f]{16}><><resize me><x+…500><0x0102>$/,
  );
  assertEquals(frames.length, 4);
  await stop(client, worker);
});

Deno.test("LineJournal tells what a peer does wrong on the wire", async () => {
  const { network, broker, lines, stop } = await world(0);
  const signal = new AbortController().signal;
  for (let i = 0; i < 3; i++) {
    const connecting = network.io("stranger").connect(
      { hostname: "127.0.0.1", port: 5556 },
      signal,
    );
    await network.settle();
    const connection = await connecting;
    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n"));
    await network.settle();
    connection.close();
  }
  await network.advance(2000);
  assertEquals(lines.map(({ event, details }) => [event, details.more]), [
    ["worker broke the protocol (greeting)", undefined],
    ["worker broke the protocol (greeting)", 2],
  ]);
  assertEquals(broker.views.snapshot().backend.connections, 0);
  await stop();
});

Deno.test("LineJournal survives a listener that throws", async () => {
  const network = new MemoryNetwork();
  const broker = await Broker.start({
    frontend: "tcp://127.0.0.1:5555",
    backend: "tcp://127.0.0.1:5556",
    io: network.io("broker"),
    debug: 1,
    onLog: () => {
      throw new Error("the disk is full");
    },
  });
  const worker = new Dealer({ io: network.io("worker"), routingId: "w1" });
  worker.connect(broker.backend);
  await worker.send(["", "READY"]);
  await network.settle();
  assertEquals(broker.views.workers().map(({ address }) => address), ["w1"]);
  worker.close();
  const closed = broker.close();
  await network.advance(2000);
  await closed;
});
