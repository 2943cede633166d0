// The console's commands against a broker and a worker in memory, with what they print and the exit
// code of each.

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Io } from "../../protocol/io/io.ts";
import { Logger } from "../../terminal/logger.ts";
import { type ByteSink, Output } from "../../terminal/output.ts";
import { PLAIN } from "../../terminal/paint.ts";
import { patternOctets } from "../../terminal/pattern.ts";
import { TestCluster } from "../../tests/kit/mod.ts";
import { readArgs } from "./args.ts";
import { ClientConsole } from "./console.ts";

/** A stream that keeps what is written to it. */
class Kept implements ByteSink {
  bytes: number[] = [];

  write(bytes: Uint8Array): Promise<number> {
    this.bytes.push(...bytes);
    return Promise.resolve(bytes.length);
  }

  take(): string {
    return new TextDecoder().decode(new Uint8Array(this.bytes.splice(0)));
  }
}

/** A console with what it printed. */
class Bench implements AsyncDisposable {
  readonly out = new Kept();
  readonly err = new Kept();
  readonly console: ClientConsole;

  constructor(io: Io, args: string[] = [], parts: { raw?: boolean; input?: Uint8Array } = {}) {
    const output = new Output(this.out, this.err, false, () => Promise.resolve());
    const wish = readArgs(args);
    const time = () => new Date(0);
    const log = new Logger({ output, level: 0, json: wish.json, paint: PLAIN, time });
    const { raw = false, input } = parts;
    this.console = new ClientConsole({
      wish,
      io,
      output,
      log,
      barWidth: () => 0,
      raw,
      input: input && (() => Promise.resolve(input)),
    });
  }

  /** Runs a line; gives what it printed and its exit code. */
  async run(line: string): Promise<[out: string, err: string, code: number]> {
    this.console.worst = 0;
    await this.console.command(line);
    return [this.out.take(), this.err.take(), this.console.worst];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.console[Symbol.asyncDispose]();
  }
}

/** A cluster whose worker knows what the worker's console knows. */
async function start(latency = 0): Promise<TestCluster> {
  const cluster = await TestCluster.start({ latency });
  const joined = cluster.worker({
    handlers: {
      PING: () => "PONG",
      ECHO: (job) => job.frames.map((frame) => new Uint8Array(frame)),
      NOTHING: () => {},
      NEVER: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      LINES: () => 'two\nlines \x1b[2J of "text"',
      OCTETS: () => new Uint8Array([0, 255, 10]),
      async *STREAM(job) {
        const bytes = Number(job.text());
        for (let at = 0; at < bytes; at += 1000) {
          yield await Promise.resolve(patternOctets(at, Math.min(1000, bytes - at)));
        }
      },
      async *LETTERS() {
        for (const letter of "abc") yield await Promise.resolve(letter);
      },
      async *HALF() {
        yield await Promise.resolve("a");
        throw new Error("broken");
      },
    },
  });
  await cluster.advance(100);
  await joined;
  return cluster;
}

Deno.test("ping, pingt, call and stream print their results to standard output", async () => {
  await using cluster = await start();
  await using bench = new Bench(cluster.network.io("console"));
  assertEquals(await bench.run("ping"), ["accepted in 0\n", "", 0]);
  assertEquals(await bench.run("pingt"), ["PONG in 0\n", "", 0]);
  assertEquals(await bench.run("call ECHO  hello  you "), ["hello  you\n", "", 0]);
  assertEquals(await bench.run("call LINES"), ['two\nlines \\x1b[2J of "text"\n', "", 0]);
  assertEquals(await bench.run("call OCTETS"), ["3 octets: 00ff0a\n", "", 0]);
  assertEquals(await bench.run("call NOTHING"), ["", "", 0]);
  assertEquals(await bench.run("stream LETTERS"), ["a\nb\nc\n", "3 chunks, 3 B in 0\n", 0]);
  assertEquals(await bench.run(""), ["", "", 0]);
  assertMatch((await bench.run("help"))[0], /^ {2}ping +EXEC PING/);
  assertEquals(await bench.console.command("quit"), true);
});

Deno.test("with --json every outcome is one line of JSON, on the command line or behind a command", async () => {
  await using cluster = await start();
  await using bench = new Bench(cluster.network.io("console"), ["--json"]);
  const json = async (line: string) => {
    const [out, err, code] = await bench.run(line);
    assertEquals(err, "");
    return [...out.trimEnd().split("\n").map((it) => JSON.parse(it)), code];
  };
  assertEquals(await json("ping"), [{ command: "ping", ok: true, milliseconds: 0 }, 0]);
  assertEquals(await json("call OCTETS"), [
    { command: "OCTETS", ok: true, frames: [{ base64: "AP8K" }], milliseconds: 0 },
    0,
  ]);
  assertEquals(await json("stream LETTERS"), [
    ...["a", "b", "c"].map((chunk) => ({ chunk: [chunk] })),
    { command: "LETTERS", ok: true, chunks: 3, octets: 3, milliseconds: 0 },
    0,
  ]);
  const [failed, code] = await json("call NOPE");
  assertEquals([failed.ok, failed.code, code], [false, "NO_COMMAND", 1]);
  const [figures] = await json("bulkping 20");
  assertEquals([figures.sent, figures.succeeded, figures.failed], [20, 20, 0]);
  await using plain = new Bench(cluster.network.io("console"));
  const [out] = await plain.run("bulkdata 3 --json");
  assertEquals(JSON.parse(out).octets, 3072);
});

Deno.test("one command with piped output writes octets just as they came, and reads its input", async () => {
  await using cluster = await start();
  const input = new Uint8Array([1, 0, 254]);
  await using bench = new Bench(cluster.network.io("console"), [], { raw: true, input });
  await bench.console.command("call ECHO -");
  await bench.console.command("call OCTETS");
  assertEquals(bench.out.bytes, [1, 0, 254, 0, 255, 10]);
  await using other = new Bench(cluster.network.io("console"));
  const [, err, code] = await other.run("call ECHO -");
  assertEquals([err.includes("where the commands come from"), code], [true, 2]);
});

Deno.test("bulkping and bulkdata print marks and a summary", async () => {
  await using cluster = await start();
  await using bench = new Bench(cluster.network.io("console"));
  const [out, err, code] = await bench.run("bulkping 100");
  assertMatch(out, /^100 sent, 100 succeeded, 0 failed in 0 /);
  assertEquals([err, code], ["10% 20% 30% 40% 50% 60% 70% 80% 90% 100%\n", 0]);
  const [data, , done] = await bench.run("bulkdata 10 bytes=4500 parallel=3");
  assertMatch(data, /^10 sent, 10 succeeded, 0 failed in 0 \(0\/s\), 43.9 KiB/);
  assertEquals(done, 0);
});

Deno.test("bulkdata finds octets that are wrong, missing or too many", async () => {
  await using cluster = await TestCluster.start();
  const wrong = [
    (bytes: number) => patternOctets(1, bytes),
    (bytes: number) => patternOctets(0, bytes - 1),
    (bytes: number) => patternOctets(0, bytes + 1),
    (bytes: number) => patternOctets(0, bytes),
  ];
  let calls = 0;
  await cluster.worker({ handlers: { STREAM: (job) => wrong[calls++]!(Number(job.text())) } });
  await using bench = new Bench(cluster.network.io("console"));
  const [out, , code] = await bench.run("bulkdata 4 parallel=1");
  assertMatch(out, /^4 sent, 1 succeeded, 3 failed .*\nfailed: WRONG_DATA 3\n/);
  assertEquals(code, 1);
});

Deno.test("bench has several clients call for a while", async () => {
  await using cluster = await start();
  const network = cluster.network;
  const io = network.io("console");
  await using bench = new Bench({ ...io, now: () => io.now() + ticks++ / 100 });
  let ticks = 0;
  const [out, , code] = await bench.run("bench clients=3 size=10 duration=1 parallel=2");
  assertMatch(out, /^[0-9,]+ sent, .* 0 failed in 1 s/);
  assert(out.includes("p99.9"));
  assertEquals([code, network.between("console").length], [0, 1]);
});

Deno.test("failures have their exit codes: 1 failed, 2 usage, 3 no broker, 4 timeout", async () => {
  await using cluster = await start();
  await using bench = new Bench(cluster.network.io("console"), ["--timeout", "2"]);
  assertEquals(await bench.run("call NOPE"), ["", 'NO_COMMAND: No handler takes "NOPE"\n', 1]);
  assertEquals(await bench.run("stream HALF"), ["a\n", "WORKER_FAILED: broken\n", 1]);
  assertEquals(await bench.run("dance"), ["", "There is no command dance; help lists all\n", 2]);
  const late = bench.run("call NEVER");
  await cluster.advance(2000);
  assertEquals(await late, ["", "TIMEOUT: No answer came within 2000 ms\n", 4]);
  const lates = bench.run("bulkping 0");
  assertEquals((await lates)[2], 2);
  cluster.killBroker();
  await cluster.settle();
  const gone = bench.run("pingt");
  await cluster.advance(2000);
  const [out, err, code] = await gone;
  assertEquals([out, code], ["", 3]);
  assertMatch(err, /^Cannot reach any broker within 2000 ms: .*; deno task broker starts one\n$/);
});

Deno.test("the console keeps the highest exit code of its commands", async () => {
  await using cluster = await start();
  await using bench = new Bench(cluster.network.io("console"));
  for (const line of ["pingt", "call NOPE", "dance", "pingt", "call NOPE", ""]) {
    await bench.console.command(line);
  }
  assertEquals(bench.console.worst, 2);
});

Deno.test("no broker is unreachable after 5 s, however long the timeout is", async () => {
  await using cluster = await TestCluster.start();
  cluster.killBroker();
  await using bench = new Bench(cluster.network.io("console"), ["--timeout", "0", "--json"]);
  let over = false;
  const gone = bench.run("pingt").finally(() => over = true);
  await cluster.advance(4999);
  assertEquals(over, false);
  await cluster.advance(1);
  const [out, , code] = await gone;
  assertEquals([JSON.parse(out).code, code], ["CONNECTION_LOST", 3]);
});

Deno.test("interrupt() stops the command that runs, and what came until then is told", async () => {
  await using cluster = await start(1);
  const bench = new Bench(cluster.network.io("console"));
  assertEquals(bench.console.interrupt(), false);
  const call = bench.run("call NEVER");
  await cluster.advance(100);
  assertEquals(bench.console.interrupt(), true);
  assertEquals(await call, ["", "NEVER was stopped\n", 130]);
  const bulk = bench.run("bulkping 1000000");
  await cluster.advance(41);
  bench.console.interrupt();
  const [out, , code] = await bulk;
  assertMatch(out, /^(9[0-9]|100) sent, .*, 0 failed in 41 ms .*, stopped\n/);
  assertEquals(code, 130);
  const closed = bench[Symbol.asyncDispose]();
  await cluster.advance(2000);
  await closed;
  assertEquals(cluster.broker.views.snapshot().jobs.running, 0);
});

Deno.test("a service is asked for where one is named", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ services: ["images"], handlers: { PING: () => "from images" } });
  await using bench = new Bench(cluster.network.io("console"), ["--service", "images"]);
  assertEquals(await bench.run("pingt"), ['"from images" in 0\n', "", 0]);
});
