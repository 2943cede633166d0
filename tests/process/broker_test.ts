/**
 * `deno task broker` as its users start it: a process with the task's own permissions, its streams,
 * its signals and its exit codes.
 *
 * @module
 */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Dealer } from "../../protocol/sockets/dealer.ts";
import { BrokerProcess } from "./broker_process.ts";

/** A dealer that has sent its first message. */
async function dealer(endpoint: string, ...frames: string[]): Promise<Dealer> {
  const socket = new Dealer({ receiveTimeout: 60_000 });
  socket.connect(endpoint);
  await socket.send(["", ...frames]);
  return socket;
}

/** A READY worker that has heard of the broker. */
async function readyWorker({ backend }: BrokerProcess): Promise<Dealer> {
  const worker = await dealer(backend, "READY");
  assertEquals((await worker.receive()).map(String), ["", "PONG"]);
  return worker;
}

/** How many octets a port says to a newcomer; 0 too if the system still took the connection. */
async function greetingFrom(endpoint: string): Promise<number> {
  try {
    using connection = await Deno.connect({ port: Number(endpoint.split(":")[2]) });
    return await connection.read(new Uint8Array(64)) ?? 0;
  } catch (error) {
    const { ConnectionRefused, ConnectionReset } = Deno.errors;
    if (error instanceof ConnectionRefused || error instanceof ConnectionReset) return 0;
    throw error;
  }
}

const EXIT_SIGNALS = [["SIGINT", 130], ["SIGTERM", 143]] as const;

Deno.test("broker prints one line when it serves, with its real ports", async () => {
  await using broker = await BrokerProcess.start([]);
  assertMatch(broker.frontend, /^tcp:\/\/127\.0\.0\.1:[1-9][0-9]+$/);
  assertMatch(broker.backend, /^tcp:\/\/127\.0\.0\.1:[1-9][0-9]+$/);
  assertEquals(await greetingFrom(broker.frontend) > 0, true);
  await broker.type("quit");
  assertEquals(await broker.outcome().then(({ code, stdout }) => [code, stdout]), [0, []]);
});

Deno.test("broker runs piped commands: views to stdout, all else to stderr", async () => {
  await using broker = await BrokerProcess.start([]);
  await using _worker = await dealer(broker.backend, "REGISTER", "10", "w1");
  await _worker.receive();
  await broker.type("workers", "wrokers", "help", "workers --json", "retry 7");
  assertEquals(await broker.stdout.next(), "1 worker, 10 of 10 slots free");
  assertMatch(await broker.stdout.next() ?? "", /^ADDRESS +DIALECT +SERVICES +FREE +IN FLIGHT/);
  assertMatch(
    await broker.stdout.next() ?? "",
    /^w1 +REGISTER +default +10\/10 +0 +idle +\d+ ms ago$/,
  );
  const [worker] = JSON.parse(await broker.stdout.next() ?? "");
  assertEquals([worker.address, worker.free, worker.state], ["w1", 10, "idle"]);
  await broker.stderr.until(/^There is no command wrokers; did you mean workers\?$/);
  await broker.stderr.until(/^ {2}exit ADDRESS\|all {2}/);
  await broker.stderr.until(/^There is no dead letter 7; dead lists them$/);
  await broker.type("quit");
  const { code, stdout } = await broker.outcome();
  assertEquals([code, stdout], [0, []]);
});

Deno.test("broker serves plain dealers, and shows what happens to their jobs", async () => {
  await using broker = await BrokerProcess.start(["-d", "1"]);
  await using worker = await readyWorker(broker);
  await using client = await dealer(broker.frontend, "resize", "cat.png");
  assertEquals((await worker.receive()).map(String), ["", "resize", "cat.png"]);
  await broker.type("running");
  assertEquals(await broker.stdout.next(), "1 job running");
  await worker.send(["", "done"]);
  assertEquals((await client.receive()).map(String), ["", "done"]);
  await broker.stderr.until(/ worker joined address=#0 dialect=READY free=1 capacity=1$/);
  await broker.stderr.until(/ job dispatched job=0 attempt=1 worker=#0$/);
  await broker.stderr.until(/ job completed job=0 attempt=1 worker=#0$/);
});

Deno.test("broker goes on when its input ends, and without any input", async () => {
  for (const stdin of ["piped", "null"] as const) {
    await using broker = await BrokerProcess.start([], { stdin });
    if (stdin === "piped") await broker.endInput();
    await using worker = await readyWorker(broker);
    await using client = await dealer(broker.frontend, "job");
    await worker.receive();
    await worker.send(["", "done"]);
    assertEquals((await client.receive()).map(String), ["", "done"]);
    broker.kill("SIGTERM");
    const { code, stdout } = await broker.outcome();
    assertEquals([code, stdout], [0, []]);
  }
});

Deno.test("broker ends with 0 at each signal when nothing runs, and has nothing to say", async () => {
  for (const [signal] of EXIT_SIGNALS) {
    await using broker = await BrokerProcess.start([]);
    broker.kill(signal);
    assertEquals(await broker.outcome(), { code: 0, stdout: [], stderr: [] });
  }
});

Deno.test("broker lets jobs finish, says what it waits for, and takes no new connection", async () => {
  await using broker = await BrokerProcess.start([]);
  await using worker = await readyWorker(broker);
  await using client = await dealer(broker.frontend, "job");
  await worker.receive();
  broker.kill("SIGINT");
  // The same Ctrl-C once more, as under `deno task`.
  broker.kill("SIGINT");
  await broker.stderr.until(/ draining running=1 waiting=0 left=10s$/);
  assertEquals(await greetingFrom(broker.frontend), 0);
  await broker.type("running");
  assertEquals(await broker.stdout.next(), "1 job running");
  await worker.send(["", "done"]);
  assertEquals((await client.receive()).map(String), ["", "done"]);
  assertEquals((await broker.outcome()).code, 0);
});

Deno.test("broker ends at once at a second signal, with 130 or 143", async () => {
  for (const [signal, expected] of EXIT_SIGNALS) {
    await using broker = await BrokerProcess.start([]);
    await using worker = await readyWorker(broker);
    await using client = await dealer(broker.frontend, "first");
    await client.send(["", "second"]);
    await worker.receive();
    await broker.type("backlog --json");
    await broker.stdout.next();
    broker.kill(signal);
    await broker.stderr.until(/ draining running=1 waiting=1 /);
    await worker.send(["", "done"]);
    // The next look is a second later: what comes now is another signal.
    await broker.stderr.until(/ draining running=1 waiting=0 /);
    broker.kill(signal);
    const { code, stderr } = await broker.outcome();
    assertEquals(code, expected);
    assertMatch(stderr.at(-1)!, / ended at once running=1 waiting=0$/);
  }
});

Deno.test("broker gives up after --drain-seconds, says what was lost, and ends with 0", async () => {
  await using broker = await BrokerProcess.start(["--drain-seconds", "50ms"]);
  await using worker = await readyWorker(broker);
  await using _client = await dealer(broker.frontend, "job");
  await worker.receive();
  broker.kill("SIGTERM");
  const { code, stderr } = await broker.outcome();
  assertEquals(code, 0);
  assertMatch(
    stderr.join("\n"),
    / draining running=1 waiting=0 left=1s\n.* shutdown detail="a job"$/,
  );
});

Deno.test("broker with --exit-workers tells workers to leave", async () => {
  await using broker = await BrokerProcess.start(["--exit-workers"]);
  await using worker = await readyWorker(broker);
  await broker.type("quit");
  assertEquals((await worker.receive()).map(String), ["", "EXIT"]);
  assertEquals((await broker.outcome()).code, 0);
});

Deno.test("broker whose port is in use says so in one line and ends with 1", async () => {
  await using broker = await BrokerProcess.start([]);
  for (const option of ["--frontend", "--backend"]) {
    const other = option === "--frontend" ? "--backend" : "--frontend";
    const args = [option, broker.frontend, other, "tcp://127.0.0.1:*"];
    await using second = await BrokerProcess.spawn(args);
    const { code, stdout, stderr } = await second.outcome();
    assertEquals([code, stdout, stderr.length], [1, [], 1]);
    assertStringIncludes(stderr[0]!, `Cannot bind ${broker.frontend}: `);
    assertStringIncludes(stderr[0]!, "--frontend or --backend");
  }
});

Deno.test("broker called wrongly says so in one line and ends with 2", async () => {
  const table: [string[], string][] = [
    [["--fronted", "x"], "rota broker: There is no option --fronted; did you mean --frontend?"],
    [["-d", "9"], "rota broker: --debug takes a whole number from 0 to 5, not 9"],
    [["--limit", "slot=1"], "rota broker: There is no limit slot; did you mean slots?"],
  ];
  for (const [args, line] of table) {
    await using broker = await BrokerProcess.spawn(args);
    assertEquals(await broker.outcome(), { code: 2, stdout: [], stderr: [line] });
  }
});

Deno.test("broker --help and --version print to stdout and end with 0", async () => {
  for (const [option, start] of [["--help", "Rota's broker"], ["--version", "rota broker 0."]]) {
    await using broker = await BrokerProcess.spawn([option!]);
    const { code, stdout, stderr } = await broker.outcome();
    assertEquals([code, stderr], [0, []]);
    assertStringIncludes(stdout[0]!, start!);
  }
});

Deno.test("broker logs nothing but drops and errors where stderr is no terminal", async () => {
  await using broker = await BrokerProcess.start([]);
  await using worker = await readyWorker(broker);
  await worker.send(["nonsense"]);
  await broker.stderr.until(/ no envelope detail=/);
  assertEquals(broker.stderr.seen.length, 1);
});

Deno.test("broker --json logs one JSON object a line, answers included", async () => {
  await using broker = await BrokerProcess.start(["--json", "-d", "5"]);
  await using worker = await readyWorker(broker);
  await worker.send(["nonsense"]);
  await broker.stderr.until(/"no envelope"/);
  await broker.type("help", "potato", "quit");
  const { code } = await broker.outcome();
  const entries = broker.stderr.seen.map((line) => JSON.parse(line));
  for (const { time, level, event } of entries) {
    assertEquals([typeof time, typeof level, typeof event], ["string", "number", "string"]);
  }
  const levels = new Set(entries.map(({ level }) => level));
  assertEquals([levels.has(0), levels.has(1), levels.has(5)], [true, true, true]);
  assertEquals(code, 0);
});

Deno.test("broker shows no name as a peer wrote it", async () => {
  const evil = "\x1b[2J\x9b\nrota broker ready \u202e";
  await using broker = await BrokerProcess.start(["-d", "5"]);
  await using worker = await dealer(broker.backend, "REGISTER", "1", evil);
  await worker.receive();
  await broker.type("workers", "workers --json", `exit ${evil.replaceAll("\n", "\\n")}`, "quit");
  const { stdout, stderr } = await broker.outcome();
  assertEquals(stdout.length, 4);
  assertEquals(JSON.parse(stdout[3]!)[0].address, evil);
  // deno-lint-ignore no-control-regex
  const unsafe = /[\x00-\x1f\x7f-\x9f\u202e]/;
  for (const line of [...stdout, ...broker.stderr.seen, ...stderr]) {
    assertEquals(unsafe.test(line), false, line);
  }
});

Deno.test("broker serves on when nobody reads what it prints", async () => {
  await using broker = await BrokerProcess.start(["-d", "5"]);
  await broker.stdout.cancel();
  await broker.type("stats", "workers");
  await using worker = await readyWorker(broker);
  await using client = await dealer(broker.frontend, "job 0");
  // Far more frames than a pipe holds are logged, and none of them is read.
  for (let i = 0; i < 2000; i++) {
    const [, job] = await worker.receive();
    await worker.send(["", `${job} done`]);
    assertEquals((await client.receive()).map(String), ["", `job ${i} done`]);
    await client.send(["", `job ${i + 1}`]);
  }
});

Deno.test("deno task broker passes signals and the exit code on", async () => {
  await using broker = await BrokerProcess.start([], { byTask: true, stdin: "null" });
  broker.kill("SIGTERM");
  assertEquals((await broker.outcome()).code, 0);
});
