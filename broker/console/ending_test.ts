/**
 * How a broker ends, on a network in memory with simulated time: what it says, when it is over, and
 * with which exit code.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { MemoryNetwork } from "../../protocol/io/memory_io.ts";
import { Dealer } from "../../protocol/sockets/dealer.ts";
import { Ending } from "../../terminal/ending.ts";
import { Logger } from "../../terminal/logger.ts";
import { Output } from "../../terminal/output.ts";
import { PLAIN } from "../../terminal/paint.ts";
import { Broker } from "../broker.ts";
import { BrokerConsole } from "./console.ts";

const decoder = new TextDecoder();

/** A stream that keeps what is written. */
function memorySink() {
  const sink = {
    text: "",
    write: (bytes: Uint8Array) => {
      sink.text += decoder.decode(bytes);
      return Promise.resolve(bytes.length);
    },
  };
  return sink;
}

/** A broker with one worker of one slot, a console, and what it printed. */
async function world(drainSeconds: number, frontend = "tcp://127.0.0.1:5555") {
  const network = new MemoryNetwork();
  const io = network.io("broker");
  const backend = "tcp://127.0.0.1:5556";
  const broker = await Broker.start({ frontend, backend, io, drainSeconds });
  const [stdout, stderr] = [memorySink(), memorySink()];
  const output = new Output(stdout, stderr, false, () => Promise.resolve());
  const log = new Logger({ output, level: 1, json: true, paint: PLAIN, time: () => new Date(0) });
  const ending = new Ending(
    {
      close: () => broker.close(),
      waits: () => {
        const { running, waiting } = broker.views.snapshot().jobs;
        return { running, waiting };
      },
      drainSeconds,
    },
    io,
    log,
  );
  const console = new BrokerConsole({ broker, ending, output, log, width: () => 80 });
  let code: number | undefined;
  ending.code.then((value) => code = value);
  const dealer = async (endpoint: string, ...frames: string[]) => {
    const socket = new Dealer({ io: network.io(frames[0] ?? "client") });
    socket.connect(endpoint);
    await socket.send(["", ...frames]);
    await network.settle();
    return socket;
  };
  const worker = await dealer(broker.backend, "READY");
  await worker.receive();
  return {
    network,
    broker,
    ending,
    console,
    stdout,
    worker,
    client: () => dealer(broker.frontend, "job"),
    code: () => code,
    /** Events and details that were told so far. */
    told: () =>
      stderr.text.split("\n").filter((line) => line !== "").map((line) => {
        const { event, time: _time, level: _level, ...details } = JSON.parse(line);
        return [event, details];
      }),
    async [Symbol.asyncDispose]() {
      worker.close();
      const closed = broker.close({ now: true });
      await network.advance(2000);
      await closed;
    },
  };
}

Deno.test("Ending ends at once with 0 where nothing runs", async () => {
  await using it = await world(10);
  it.ending.signal("SIGTERM");
  await it.network.advance(1000);
  assertEquals([it.code(), it.told()], [0, [["ended", {}]]]);
});

Deno.test("Ending waits for jobs, says for which, and ends when they have ended", async () => {
  await using it = await world(10);
  const client = await it.client();
  const second = await it.client();
  await it.network.settle();
  it.ending.signal("SIGINT");
  await it.network.advance(3000);
  assertEquals(it.told(), [["draining", { running: 1, waiting: 1, left: "10s" }]]);
  await it.worker.send(["", "done"]);
  await it.network.advance(1000);
  assertEquals(it.told().slice(1), [["draining", { running: 1, waiting: 0, left: "6s" }]]);
  assertEquals(it.code(), undefined);
  await it.worker.send(["", "done too"]);
  await it.network.advance(1000);
  assertEquals([it.code(), it.told().slice(2)], [0, [["ended", {}]]]);
  assertEquals((await client.receive()).map(String), ["", "done"]);
  assertEquals((await second.receive()).map(String), ["", "done too"]);
  client.close();
  second.close();
});

Deno.test("Ending gives up after the time to drain, with 0", async () => {
  await using it = await world(2);
  const client = await it.client();
  it.ending.signal("SIGTERM");
  await it.network.advance(1999);
  assertEquals(it.code(), undefined);
  await it.network.advance(1001);
  assertEquals(it.code(), 0);
  client.close();
});

Deno.test("Ending takes a second signal at its word, but not the echo of the first", async () => {
  for (
    const [first, second, expected] of [
      ["SIGINT", "SIGINT", 130],
      ["SIGTERM", "SIGTERM", 143],
      ["SIGINT", "SIGTERM", 143],
    ] as const
  ) {
    await using it = await world(10);
    const client = await it.client();
    it.ending.signal(first);
    await it.network.advance(999);
    it.ending.signal(second);
    await it.network.settle();
    assertEquals(it.code(), undefined);
    await it.network.advance(1);
    it.ending.signal(second);
    await it.network.settle();
    assertEquals(it.code(), expected);
    assertEquals(it.told().at(-1), ["ended at once", { running: 1, waiting: 0 }]);
    client.close();
  }
});

Deno.test("quit ends gently; a first signal after it changes nothing, a second one does", async () => {
  await using it = await world(10);
  const client = await it.client();
  await it.console.command("quit");
  await it.console.command("quit");
  await it.network.advance(5000);
  it.ending.signal("SIGINT");
  await it.network.advance(1000);
  assertEquals(it.code(), undefined);
  assertEquals(it.told().slice(1).map(([event]) => event), [
    "ending already",
    "ending already; once more ends it at once",
  ]);
  it.ending.signal("SIGINT");
  await it.network.settle();
  assertEquals(it.code(), 130);
  client.close();
});

Deno.test("BrokerConsole prints its ready line and views to stdout, and answers to stderr", async () => {
  await using it = await world(10);
  it.console.announce();
  for (const line of ["workers", "", "worker", "help"]) await it.console.command(line);
  assertEquals(it.stdout.text.split("\n").map((line) => line.split(/ {2,}/)[0]), [
    "rota broker ready frontend=tcp://127.0.0.1:5555 backend=tcp://127.0.0.1:5556",
    "1 worker, 1 of 1 slot free",
    "ADDRESS",
    "#0",
    "",
  ]);
  const told = it.told().map(([event]) => event);
  assertEquals(told[0], "There is no command worker; did you mean workers?");
  assertEquals(told.length, 12);
});

Deno.test("BrokerConsole says that there is no authentication beyond loopback", async () => {
  const table: [string, number][] = [
    ["tcp://*:5555", 1],
    ["tcp://192.168.1.1:5555", 1],
    ["tcp://[::]:5555", 1],
    ["tcp://127.0.0.1:5555", 0],
    ["tcp://127.9.9.9:5555", 0],
    ["tcp://localhost:5555", 0],
    ["tcp://[::1]:5555", 0],
  ];
  for (const [frontend, lines] of table) {
    await using it = await world(0, frontend);
    it.console.announce();
    await it.console.command("");
    assertEquals(it.told().length, lines, frontend);
    const [event = ""] = it.told()[0] ?? [];
    if (lines > 0) assertEquals(event.includes(it.broker.frontend), true);
  }
});
