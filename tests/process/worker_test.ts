/**
 * `deno task worker` as its users start it: a process with the task's own permissions, its streams,
 * its signals and its exit codes, before a real broker.
 *
 * @module
 */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { CallError, Client, NoCommandError } from "../../client/mod.ts";
import { isPattern } from "../../terminal/pattern.ts";
import { BrokerProcess } from "./broker_process.ts";
import { WorkerProcess } from "./worker_process.ts";

const NAMED = "tests/process/handlers/named.ts";

/** A client whose every call ends, if need be by its own patience. */
function clientOf({ frontend }: BrokerProcess): Client {
  return new Client({ broker: frontend, timeout: 60_000 });
}

/** The addresses in the broker's table, sorted. */
async function addresses(broker: BrokerProcess): Promise<string[]> {
  await broker.type("workers --json");
  const workers = JSON.parse(await broker.stdout.next() ?? "");
  return workers.filter(({ state }: { state: string }) => state === "idle" || state === "busy")
    .map(({ address }: { address: string }) => address).sort();
}

async function text(client: Client, command: string, payload?: string): Promise<string> {
  return (await client.call(command, payload)).text();
}

Deno.test("worker says when it is ready, answers the built-in commands, and ends with 0", async () => {
  await using broker = await BrokerProcess.start([]);
  await using worker = await WorkerProcess.spawn(["--broker", broker.backend, "--address", "w1"]);
  assertEquals(
    await worker.ready(),
    `rota worker ready address=w1 broker=${broker.backend} slots=10`,
  );
  await using client = clientOf(broker);
  assertEquals(await text(client, "PING"), "PONG");
  assertEquals(await text(client, "ECHO", "größe"), "größe");
  assertEquals(await text(client, "ECHO"), "");
  assertEquals(await text(client, "SLEEP", "1ms"), "slept 0.001 s");
  for (const [payload, length] of [[undefined, 1024], ["0", 0], ["200000", 200_000]] as const) {
    let octets = 0;
    for await (const { bytes } of client.stream("STREAM", payload)) {
      assertEquals(isPattern(bytes, octets), true);
      octets += bytes.length;
    }
    assertEquals(octets, length);
  }
  const error = await assertRejects(() => client.call("STREAM", "many"), CallError);
  assertEquals(error.code, "BAD_PAYLOAD");
  await assertRejects(() => client.call("what"), NoCommandError);
  await worker.type("status");
  assertEquals(await worker.stdout.next(), `broker ${broker.backend}`);
  assertMatch(
    await worker.stdout.next() ?? "",
    /^ADDRESS +STATE +RUNNING +SLOTS +COMPLETED +FAILED$/,
  );
  assertMatch(await worker.stdout.next() ?? "", /^w1 +registered +0 +10 +7 +2$/);
  await worker.type("quit");
  assertEquals(await worker.outcome(), { code: 0, stdout: [], stderr: [] });
  assertEquals(await addresses(broker), []);
});

Deno.test("worker deregisters and ends with 0 at each signal, by task or by its command", async () => {
  await using broker = await BrokerProcess.start(["-d", "1"]);
  for (
    const [signal, byTask] of [["SIGINT", false], ["SIGTERM", false], ["SIGTERM", true]] as const
  ) {
    await using worker = await WorkerProcess.start(broker, ["--address", "w1"], { byTask });
    worker.kill(signal);
    assertEquals(await worker.outcome(), { code: 0, stdout: [], stderr: [] });
    await broker.stderr.until(/ worker deregistered address=w1 /);
  }
});

Deno.test("worker finishes its jobs before it ends, and says what it waits for", async () => {
  await using broker = await BrokerProcess.start([]);
  await using worker = await WorkerProcess.start(broker, ["-d", "1"]);
  await using client = clientOf(broker);
  const call = client.call("SLEEP", "1500ms");
  await worker.stderr.until(/ job command=SLEEP kind=TRACKEXEC attempt=1$/);
  worker.kill("SIGINT");
  // The same Ctrl-C once more, as under `deno task`.
  worker.kill("SIGINT");
  await worker.stderr.until(/ draining running=1 left=10s$/);
  assertEquals((await call).text(), "slept 1.5 s");
  const { code, stderr } = await worker.outcome();
  assertEquals(code, 0);
  assertMatch(stderr.at(-1) ?? "", / ended$/);
});

Deno.test("worker ends at once at a second signal, and its job runs elsewhere", async () => {
  await using broker = await BrokerProcess.start([]);
  await using client = clientOf(broker);
  for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    await using worker = await WorkerProcess.start(broker, ["-d", "1"]);
    const calls = ["10min", "1s"].map((payload) => client.call("SLEEP", payload, { ttl: 60_000 }));
    const results = Promise.allSettled(calls);
    await worker.stderr.until(/ job command=SLEEP /);
    await worker.stderr.until(/ job command=SLEEP /);
    worker.kill(signal);
    await worker.stderr.until(/ draining running=2 /);
    // The next look is a second later: what comes now is another signal.
    await worker.stderr.until(/ draining running=1 /);
    worker.kill(signal);
    const { code, stderr } = await worker.outcome();
    assertEquals(code, expected);
    assertMatch(stderr.at(-1) ?? "", / ended at once running=1$/);
    await using other = await WorkerProcess.start(broker, ["--commands", NAMED, "-d", "1"]);
    await other.stderr.until(/ job command=SLEEP kind=TRACKEXEC attempt=2$/);
    other.kill("SIGKILL");
    await using _third = await WorkerProcess.start(broker, [
      "--commands",
      "tests/process/handlers/no_sleep.ts",
    ]);
    const [long, short] = await results;
    assertEquals([long!.status, short!.status], ["fulfilled", "fulfilled"]);
  }
});

Deno.test("worker goes on when its input ends, and without any input", async () => {
  await using broker = await BrokerProcess.start([]);
  await using client = clientOf(broker);
  for (const stdin of ["piped", "null"] as const) {
    await using worker = await WorkerProcess.start(broker, [], { stdin });
    if (stdin === "piped") await worker.endInput();
    assertEquals(await text(client, "PING"), "PONG");
    worker.kill("SIGTERM");
    assertEquals((await worker.outcome()).code, 0);
  }
});

Deno.test("worker --manual registers when it is told to, leaves, and comes back", async () => {
  await using broker = await BrokerProcess.start([]);
  await using worker = await WorkerProcess.start(broker, ["--manual", "--address", "w1"]);
  assertEquals(await addresses(broker), []);
  await worker.type("deregister", "register");
  await worker.stderr.until(/^Not registered$/);
  await worker.stderr.until(/^Registered as w1 at tcp:/);
  assertEquals(await addresses(broker), ["w1"]);
  await worker.type("register", "deregister");
  await worker.stderr.until(/^Registered already as w1$/);
  await worker.stderr.until(/^Deregistered$/);
  assertEquals(await addresses(broker), []);
  await worker.type("status --json");
  const { registered, connected } = JSON.parse(await worker.stdout.next() ?? "");
  assertEquals([registered, connected], [false, true]);
  await worker.type("register", "quit");
  assertEquals((await worker.outcome()).code, 0);
});

Deno.test("worker bulk: ten children register by themselves; endbulk: they leave, and say what they did", async () => {
  await using broker = await BrokerProcess.start([]);
  await using worker = await WorkerProcess.start(broker, ["--address", "w1", "-d", "5", "--json"]);
  await worker.type("bulk");
  await worker.stderr.until(/"event":"10 child workers registered"/);
  const children = Array.from({ length: 10 }, (_, i) => `w1/${i + 1}`);
  assertEquals(await addresses(broker), ["w1", ...children].sort());
  await using client = clientOf(broker);
  await Promise.all(Array.from({ length: 110 }, () => client.call("PING")));
  await worker.type("status --json");
  const status = JSON.parse(await worker.stdout.next() ?? "");
  assertEquals(status.children.length, 10);
  await worker.type("bulk 1", "endbulk", "endbulk");
  await worker.stderr.until(/"event":"1 child worker registered"/);
  const ended: [string, number][] = [];
  for (let i = 0; i < 11; i++) {
    const line = JSON.parse(await worker.stderr.until(/"event":"child ended"/));
    ended.push([line.worker, line.completed]);
  }
  assertEquals(ended.map(([address]) => address).sort(), [...children, "w1/11"].sort());
  const passed = ended.reduce((sum, [, completed]) => sum + completed, status.completed);
  assertEquals(passed, 110);
  await worker.stderr.until(/"event":"11 child workers deregistered and ended"/);
  await worker.stderr.until(/"event":"There are no child workers"/);
  assertEquals(await addresses(broker), ["w1"]);
  await worker.type("bulk 2", "quit");
  assertEquals((await worker.outcome()).code, 0);
  assertEquals(await addresses(broker), []);
});

Deno.test("worker ends with 0 when the broker says EXIT", async () => {
  await using broker = await BrokerProcess.start([]);
  await using worker = await WorkerProcess.start(broker, ["--address", "w1", "-d", "1"]);
  await broker.type("exit w1");
  const { code, stderr } = await worker.outcome();
  assertEquals(code, 0);
  assertMatch(stderr.at(-2) ?? "", / told to leave /);
  assertMatch(stderr.at(-1) ?? "", / ended$/);
});

Deno.test("worker waits for a broker that isn't there yet, and comes back to one that was away", async () => {
  await using first = await BrokerProcess.start([]);
  const { frontend, backend } = first;
  await first.type("quit");
  await first.outcome();
  await using worker = await WorkerProcess.spawn(["--broker", backend, "-d", "1"]);
  await worker.stderr.until(/ broker not reached; trying on /);
  for (let round = 0; round < 2; round++) {
    await using _broker = await BrokerProcess.start(["--frontend", frontend, "--backend", backend]);
    await worker.stderr.until(/ registered address=/);
  }
  await worker.stderr.until(/ broker gone /);
  worker.kill("SIGTERM");
  assertEquals((await worker.outcome()).code, 0);
});

Deno.test("worker --commands brings handlers of one's own, here and in threads", async () => {
  await using broker = await BrokerProcess.start([]);
  await using client = clientOf(broker);
  for (const threads of ["0", "2"]) {
    await using worker = await WorkerProcess.start(broker, [
      "--commands",
      NAMED,
      "--threads",
      threads,
    ]);
    assertEquals(await text(client, "shout", "hello"), "HELLO");
    assertEquals(await text(client, "ECHO", "x"), "my own x");
    assertEquals(await text(client, "PING"), "PONG");
    assertEquals(await text(client, "what"), "default what");
    const error = await assertRejects(() => client.call("opens"), CallError, "no such door");
    assertEquals(error.code, "NOT_FOUND");
    // They hold the task's permissions, and the environment isn't among them.
    await assertRejects(() => client.call("snoops"), CallError, "env");
    assertEquals(await text(client, "neglects"), "neglected");
    await worker.stderr.until(/ fault.*nobody waits for this/);
    assertEquals(await text(client, "explodes"), "exploded");
    await worker.stderr.until(/nobody catches this/);
    assertEquals(await text(client, "shout", "still here"), "STILL HERE");
    await worker.type("quit");
    assertEquals((await worker.outcome()).code, 0);
  }
  await using worker = await WorkerProcess.start(broker, [
    "--commands=tests/process/handlers/object.ts",
  ]);
  assertEquals(await text(client, "say hello"), "hello");
  await worker.type("quit");
  await worker.outcome();
});

Deno.test("worker --dialect ready is a plain worker with one slot", async () => {
  await using broker = await BrokerProcess.start([]);
  await using worker = await WorkerProcess.start(broker, ["--dialect", "ready"]);
  await broker.type("workers --json");
  const [row] = JSON.parse(await broker.stdout.next() ?? "");
  assertEquals([row.dialect, row.capacity, row.address], ["READY", 1, worker.address]);
  await using client = clientOf(broker);
  assertEquals(await text(client, "PING"), "PONG");
  await worker.type("quit");
  assertEquals((await worker.outcome()).code, 0);
});

Deno.test("worker serves the services that it names", async () => {
  await using broker = await BrokerProcess.start([]);
  await using _worker = await WorkerProcess.start(broker, ["--service", "a", "--service", "b"]);
  await broker.type("workers --json");
  const [row] = JSON.parse(await broker.stdout.next() ?? "");
  assertEquals(row.services, ["a", "b"]);
  await using client = clientOf(broker);
  assertEquals((await client.call("PING", undefined, { service: "b" })).text(), "PONG");
});

Deno.test("worker ends with 1 where it can't start or is refused, and with 2 for a wrong option", async () => {
  await using broker = await BrokerProcess.start(["--limit", "slots=5"]);
  const table: [string[], number, string][] = [
    [["--slots", "6"], 1, "rota worker: Cannot register: the broker refused it (slots)"],
    [["--commands", "tests/process/handlers/broken.ts"], 1, "broken on purpose"],
    [["--commands", "not_there.ts"], 1, "Module not found"],
    [["--commands", "not_there.ts", "--threads", "1"], 1, "Module not found"],
    [["--commands", "/etc/hostname"], 1, "Requires read access"],
    [["--slots", "0"], 2, "--slots takes a whole number from 1 to 65,535, not 0"],
    [["--solts", "1"], 2, "There is no option --solts; did you mean --slots?"],
  ];
  for (const [args, expected, words] of table) {
    await using worker = await WorkerProcess.spawn(["--broker", broker.backend, ...args]);
    const { code, stdout, stderr } = await worker.outcome();
    assertEquals([code, stdout], [expected, []], args.join(" "));
    assertStringIncludes(stderr.join("\n"), words);
  }
});

Deno.test("worker --help and --version print to stdout and need no broker", async () => {
  for (
    const [option, words] of [["--help", "Usage: deno task worker"], ["--version", "rota worker "]]
  ) {
    await using worker = await WorkerProcess.spawn([option!]);
    const { code, stdout, stderr } = await worker.outcome();
    assertEquals([code, stderr], [0, []]);
    assertStringIncludes(stdout.join("\n"), words!);
    assertEquals(stdout.filter((line) => line.length > 80), []);
  }
});
