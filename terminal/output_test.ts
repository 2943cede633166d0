/**
 * What is written, in which order, and what happens when nobody reads.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { Logger } from "./logger.ts";
import { type ByteSink, Output } from "./output.ts";
import { PLAIN } from "./paint.ts";

const decoder = new TextDecoder();

/** A stream that takes some octets at a time, and only while it is open. */
class TestSink implements ByteSink {
  text = "";
  failure: Error | undefined;
  readonly #log: string[];
  readonly #most: number;
  #gate: Promise<void> = Promise.resolve();
  #open = (): void => {};

  constructor(log: string[] = [], most = Infinity) {
    this.#log = log;
    this.#most = most;
  }

  /** Takes nothing until `open()`. */
  shut(): void {
    ({ promise: this.#gate, resolve: this.#open } = Promise.withResolvers<void>());
  }

  open(): void {
    this.#open();
  }

  async write(bytes: Uint8Array): Promise<number> {
    await this.#gate;
    const { failure } = this;
    if (failure !== undefined) {
      if (failure instanceof Deno.errors.WouldBlock) this.failure = undefined;
      throw failure;
    }
    const part = decoder.decode(bytes.subarray(0, this.#most));
    this.text += part;
    this.#log.push(part);
    return Math.min(bytes.length, this.#most);
  }
}

const noNap = () => Promise.resolve();

Deno.test("Output writes to the end, however little a stream takes at a time", async () => {
  const [out, err] = [new TestSink([], 3), new TestSink([], 1)];
  const output = new Output(out, err, false, noNap);
  output.out("a long line\n");
  output.err("another one\n");
  output.out("and the next\n");
  await output.flush();
  assertEquals([out.text, err.text], ["a long line\nand the next\n", "another one\n"]);
});

Deno.test("Output keeps the order of both streams where they are one terminal", async () => {
  const log: string[] = [];
  const output = new Output(new TestSink(log), new TestSink(log), true, noNap);
  for (let i = 0; i < 5; i++) {
    output.out(`out ${i}`);
    output.err(`err ${i}`);
  }
  await output.flush();
  assertEquals(log, [0, 1, 2, 3, 4].flatMap((i) => [`out ${i}`, `err ${i}`]));
});

Deno.test("Output writes on where one of two streams is stuck", async () => {
  const [out, err] = [new TestSink(), new TestSink()];
  const output = new Output(out, err, false, noNap);
  out.shut();
  output.out("nobody reads this yet\n");
  output.err("but this\n");
  while (err.text === "") await Promise.resolve();
  assertEquals([out.text, err.text], ["", "but this\n"]);
  out.open();
  await output.flush();
  assertEquals(out.text, "nobody reads this yet\n");
});

Deno.test("Output.flush() waits for what was written before it, not for what comes after", async () => {
  const err = new TestSink();
  const output = new Output(new TestSink(), err, false, noNap);
  let over = false;
  const write = err.write.bind(err);
  err.write = (bytes) => {
    // Whenever something is written, there is more to write.
    if (!over) output.err("more\n");
    return write(bytes);
  };
  output.err("this\n");
  await output.flush();
  assertEquals(err.text.startsWith("this\n"), true);
  over = true;
  await output.flush();
  assertEquals(err.text.includes("more\n"), true);
});

Deno.test("Output waits for a stream that would block, and gives up one that is broken", async () => {
  const [out, err] = [new TestSink(), new TestSink()];
  let naps = 0;
  const output = new Output(out, err, false, () => {
    naps++;
    return Promise.resolve();
  });
  out.failure = new Deno.errors.WouldBlock("later");
  output.out("a\n");
  await output.flush();
  assertEquals([out.text, naps], ["a\n", 1]);
  out.failure = new Deno.errors.BrokenPipe("gone");
  output.out("b\n");
  await output.flush();
  out.failure = undefined;
  output.out("c\n");
  output.err("d\n");
  await output.flush();
  assertEquals([out.text, err.text], ["a\n", "d\n"]);
});

Deno.test("Logger loses lines that nobody reads, counts them, and says so later", async () => {
  const err = new TestSink();
  const output = new Output(new TestSink(), err, false, noNap);
  const log = new Logger({ output, level: 1, json: true, paint: PLAIN, time: () => new Date(0) });
  const entry = (event: string) => log.entry({ level: 1, event, details: {} });
  err.shut();
  const line = "x".repeat(1000);
  for (let i = 0; i < 3000; i++) entry(line);
  log.answer("an answer is never lost");
  err.open();
  await output.flush();
  entry("last");
  await output.flush();
  const lines = err.text.trimEnd().split("\n").map((it) => JSON.parse(it));
  const kept = lines.filter(({ event }) => event === line).length;
  const [answer, lost, last] = lines.slice(kept);
  assertEquals([answer.event, lost.event, last.event], [
    "an answer is never lost",
    "log lines lost",
    "last",
  ]);
  assertEquals(kept + lost.more, 3000);
  assertEquals(kept > 900 && kept < 1100, true, `${kept} lines were kept`);
});

Deno.test("Logger tells no more than its level", async () => {
  const err = new TestSink();
  const output = new Output(new TestSink(), err, false, noNap);
  const log = new Logger({ output, level: 2, json: true, paint: PLAIN, time: () => new Date(0) });
  for (const level of [0, 1, 2, 3, 4, 5]) log.entry({ level, event: "x", details: {} });
  await output.flush();
  const lines = err.text.trimEnd().split("\n");
  assertEquals(lines.map((line) => JSON.parse(line).level), [0, 1, 2]);
});

Deno.test("Logger answers in plain text, escaped, or as JSON", async () => {
  for (const json of [false, true]) {
    const err = new TestSink();
    const output = new Output(new TestSink(), err, false, noNap);
    const log = new Logger({ output, level: 1, json, paint: PLAIN, time: () => new Date(0) });
    log.answer("told \x1b[2J");
    await output.flush();
    const expected = json
      ? '{"time":"1970-01-01T00:00:00.000Z","level":1,"event":"told \\u001b[2J"}\n'
      : "told \\x1b[2J\n";
    assertEquals(err.text, expected);
  }
});

Deno.test("Logger prints above whatever stands at the bottom", async () => {
  const err = new TestSink();
  const output = new Output(new TestSink(), err, false, noNap);
  const log = new Logger({ output, level: 1, json: false, paint: PLAIN, time: () => new Date(0) });
  log.above = (print) => {
    output.err("[");
    print();
    output.err("]");
  };
  log.answer("a");
  await output.flush();
  assertEquals(err.text, "[a\n]");
});

Deno.test("Output writes octets as they are, and knows when nobody reads them", async () => {
  const written: number[] = [];
  const out: ByteSink = {
    write: (bytes) => {
      if (written.length > 2) return Promise.reject(new Deno.errors.BrokenPipe("gone"));
      written.push(...bytes);
      return Promise.resolve(bytes.length);
    },
  };
  const output = new Output(out, new TestSink(), false, noNap);
  output.octets(new Uint8Array([0, 255, 10]));
  await output.flush();
  assertEquals([written, output.unread], [[0, 255, 10], false]);
  output.octets(new Uint8Array([1]));
  await output.flush();
  assertEquals([written.length, output.unread], [3, true]);
});
