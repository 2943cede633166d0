/**
 * `deno task client` as its users start it: a process with the task's own permissions, its streams,
 * its signals and its exit codes, before a real broker and a real worker.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { isPattern } from "../../terminal/pattern.ts";
import { BrokerProcess } from "./broker_process.ts";
import { spawn, taskArgs, TaskProcess } from "./task_process.ts";
import { WorkerProcess } from "./worker_process.ts";

interface Outcome {
  readonly code: number;
  readonly stdout: string[];
  readonly stderr: string[];
}

/** Runs one command of the client to its end. */
async function client({ frontend }: BrokerProcess, ...args: string[]): Promise<Outcome> {
  await using process = await TaskProcess.run("client", ["--broker", frontend, ...args], {
    stdin: "null",
  });
  return await process.outcome();
}

/** Runs one command with that input; gives its output as octets. */
async function piped(
  broker: BrokerProcess,
  input: Uint8Array,
  ...args: string[]
): Promise<Uint8Array> {
  const [child] = await spawn("client", ["--broker", broker.frontend, ...args], {});
  const writer = child.stdin.getWriter();
  await writer.write(input);
  await writer.close();
  const [output] = await Promise.all([child.stdout.bytes(), child.stderr.cancel(), child.status]);
  return output;
}

Deno.test("client: every command works as one, with its exit code", async () => {
  await using broker = await BrokerProcess.start([]);
  await using _worker = await WorkerProcess.start(broker);
  const ping = await client(broker, "ping");
  assertMatch(ping.stdout.join(), /^accepted in [0-9.]+ (us|ms)$/);
  const pingt = await client(broker, "pingt");
  assertMatch(pingt.stdout.join(), /^PONG in [0-9.]+ (us|ms)$/);
  const bulkping = await client(broker, "bulkping", "100");
  assertMatch(bulkping.stdout[0]!, /^100 sent, 100 succeeded, 0 failed in .* \([0-9,]+\/s\)$/);
  assertMatch(bulkping.stdout[1]!, /^latency p50 .*, p99 .*, longest /);
  assertEquals(bulkping.stderr, ["10% 20% 30% 40% 50% 60% 70% 80% 90% 100%"]);
  const bulkdata = await client(broker, "bulkdata", "50", "bytes=200kB", "parallel=5", "--json");
  const figures = JSON.parse(bulkdata.stdout.join());
  assertEquals([figures.succeeded, figures.failed, figures.octets], [50, 0, 10_000_000]);
  const bench = await client(broker, "bench", "clients=2", "size=1KiB", "duration=300ms");
  assertMatch(bench.stdout[0]!, /^[0-9,]+ sent, .*, 0 failed in .* [KM]iB \(.*\/s\)$/);
  assertStringIncludes(bench.stdout[1]!, "p99.9");
  for (const { code } of [ping, pingt, bulkping, bulkdata, bench]) assertEquals(code, 0);
  for (const { stderr } of [ping, pingt, bulkdata]) assertEquals(stderr, []);
});

Deno.test("client: octets go in and come out just as they are", async () => {
  await using broker = await BrokerProcess.start([]);
  await using _worker = await WorkerProcess.start(broker);
  const octets = crypto.getRandomValues(new Uint8Array(50_000));
  assertEquals(await piped(broker, octets, "call", "ECHO", "-"), octets);
  const none = new Uint8Array(0);
  const text = await piped(broker, none, "call", "ECHO", "no newline");
  assertEquals(new TextDecoder().decode(text), "no newline");
  const stream = await piped(broker, none, "stream", "STREAM", "300000");
  assert(stream.length === 300_000 && isPattern(stream, 0));
});

Deno.test("client: exit codes tell what failed: 1, 2, 3 and 4", async () => {
  await using broker = await BrokerProcess.start([]);
  await using _worker = await WorkerProcess.start(broker);
  const failed = await client(broker, "call", "NOPE");
  assertEquals([failed.code, failed.stdout.length], [1, 0]);
  assertMatch(failed.stderr.join(), /^NO_COMMAND: /);
  const usage = await client(broker, "bulkpign", "5");
  assertEquals(usage.code, 2);
  assertEquals(usage.stderr, ["rota client: There is no command bulkpign; did you mean bulkping?"]);
  const late = await client(broker, "call", "SLEEP", "60", "--timeout", "200ms");
  assertEquals([late.code, late.stderr.join()], [4, "TIMEOUT: No answer came within 200 ms"]);
  const nobody = { frontend: "tcp://127.0.0.1:1" } as BrokerProcess;
  const gone = await client(nobody, "ping", "--timeout", "300ms", "--json");
  assertEquals([gone.code, JSON.parse(gone.stdout.join()).code], [3, "CONNECTION_LOST"]);
});

Deno.test("client: without --allow-net it says so in one line, with 3", async () => {
  const args = (await taskArgs("client")).filter((arg) => arg !== "--allow-net");
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args, "ping"],
    cwd: new URL("../../", import.meta.url),
    stdin: "null",
  });
  const { code, stderr } = await command.output();
  const lines = new TextDecoder().decode(stderr).trimEnd().split("\n");
  assertEquals([code, lines.length], [3, 1], lines.join("\n"));
  assertStringIncludes(lines[0]!, "--allow-net");
});

Deno.test("client: --help and --version need no broker", async () => {
  const nobody = { frontend: "tcp://127.0.0.1:1" } as BrokerProcess;
  const help = await client(nobody, "--help");
  assertStringIncludes(help.stdout.join("\n"), "Usage: deno task client");
  const version = await client(nobody, "--version");
  assertMatch(version.stdout.join(), /^rota client [0-9]+\.[0-9]+\.[0-9]+$/);
  assertEquals([help.code, version.code], [0, 0]);
});

Deno.test("client: piped commands run in order; the highest exit code is the end", async () => {
  await using broker = await BrokerProcess.start([]);
  await using _worker = await WorkerProcess.start(broker);
  await using process = await TaskProcess.run("client", ["--broker", broker.frontend]);
  await process.type("pingt", "", "call ECHO one", "call NOPE", "call ECHO two");
  assertMatch(await process.stdout.next() ?? "", /^PONG in /);
  assertEquals([await process.stdout.next(), await process.stdout.next()], ["one", "two"]);
  await process.endInput();
  const { code, stderr } = await process.outcome();
  assertMatch(stderr.join(), /^NO_COMMAND: /);
  assertEquals(code, 1);
});

Deno.test("client: quit ends it before its input does", async () => {
  await using broker = await BrokerProcess.start([]);
  await using process = await TaskProcess.run("client", ["--broker", broker.frontend]);
  await process.type("ping", "quit", "dance");
  const { code, stdout, stderr } = await process.outcome();
  assertEquals([code, stdout.length, stderr], [0, 1, []]);
});

Deno.test("client: Ctrl-C stops a command, which tells how far it came, and ends with 130", async () => {
  await using broker = await BrokerProcess.start([]);
  await using _worker = await WorkerProcess.start(broker);
  for (const byTask of [false, true]) {
    const args = ["--broker", broker.frontend, "bulkping", "1000000000", "-d", "1"];
    await using process = await TaskProcess.run("client", args, { stdin: "null", byTask });
    await process.stderr.until(/connected/);
    process.kill(byTask ? "SIGTERM" : "SIGINT");
    const { code, stdout } = await process.outcome();
    assertMatch(stdout[0] ?? "", / sent, .*, stopped$/);
    assertEquals(code, byTask ? 143 : 130);
  }
});

Deno.test("client: a broker that is restarted costs time, and no call", async () => {
  await using first = await BrokerProcess.start([]);
  const { frontend, backend } = first;
  await using worker = await WorkerProcess.start(first);
  const args = ["--broker", frontend, "-d", "1", "bulkping", "3000", "parallel=5"];
  await using process = await TaskProcess.run("client", args, { stdin: "null" });
  await process.stderr.until(/connected/);
  first.kill("SIGKILL");
  await process.stderr.until(/broker gone/);
  const ports = ["--frontend", frontend, "--backend", backend];
  await using _second = await BrokerProcess.spawn(ports, { stdin: "null" });
  const { code, stdout } = await process.outcome();
  assertMatch(stdout[0]!, /^3,000 sent, 3,000 succeeded, 0 failed /);
  assertEquals([code, worker.address === ""], [0, false]);
});
