// Jobs that run in this thread: what handlers may give, how they fail, and how streams are fed and
// stopped. Time is simulated.

import { assertEquals } from "@std/assert";
import { MemoryNetwork } from "../protocol/io/memory_io.ts";
import type { Handler } from "./handlers.ts";
import type { Job } from "./job.ts";
import { LocalRunner } from "./local_runner.ts";
import type { JobData, Run } from "./run.ts";

const octets = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
const shown = (frames: readonly Uint8Array[]) =>
  frames.map((frame) => new TextDecoder().decode(frame)).join("|");
const CANCELLED = new DOMException("nobody wants it", "AbortError");

/** A runner on simulated time, and what it told. */
class Stage {
  readonly network = new MemoryNetwork();
  readonly told: string[] = [];
  readonly busy: string[] = [];
  readonly #runner: LocalRunner;

  constructor(handlers: Record<string, Handler>, fallback?: Handler) {
    const onBusy = (command: string, ms: number) => this.busy.push(`${command} ${ms}`);
    this.#runner = new LocalRunner({ io: this.network.io(), handlers, fallback, onBusy });
  }

  start(data: Partial<JobData> = {}): Run {
    const job: JobData = {
      kind: "TRACKEXEC",
      command: "go",
      attempt: 1,
      headers: [],
      frames: [octets("payload")],
      timeout: -1,
      ...data,
    };
    return this.#runner.run(job, {
      done: (frames) => this.told.push(`done ${shown(frames)}`),
      chunk: (frames) => this.told.push(`chunk ${shown(frames)}`),
      ended: () => this.told.push("ended"),
      failed: (code, message) => this.told.push(`failed ${code}: ${message}`),
    });
  }

  /** Runs a job and gives all that was told of it at once. */
  async play(data: Partial<JobData> = {}): Promise<string> {
    this.start(data);
    assertEquals(this.told, [], "told before run() returned");
    await this.network.settle();
    return this.told.splice(0).join(", ");
  }
}

for (
  const [what, handler, told] of [
    ["a text", () => "größe", "done größe"],
    ["octets", () => octets("x"), "done x"],
    ["frames", () => [octets("x"), octets("y")], "done x|y"],
    ["a value as JSON", () => ({ a: [1] }), 'done {"a":[1]}'],
    ["a number", () => 7, "done 7"],
    ["nothing", () => {}, "done "],
    ["null", () => null, "done null"],
    ["a promise", () => Promise.resolve("later"), "done later"],
    ["its payload", (job: Job) => job.text(), "done payload"],
    ["a function", () => (() => 1) as unknown as string, "failed WORKER_FAILED: Cannot send"],
    ["a BigInt inside", () => ({ n: 1n }), "failed WORKER_FAILED: Do not know how to serialize"],
  ] as [string, Handler, string][]
) {
  Deno.test(`LocalRunner takes ${what} from a handler`, async () => {
    assertEquals((await new Stage({ go: handler }).play()).slice(0, told.length), told);
  });
}

Deno.test("LocalRunner tells of a handler that throws, at once or later", async () => {
  const stage = new Stage({
    go: () => {
      throw new Error("no ink");
    },
    later: () => Promise.reject(Object.assign(new Error("gone"), { code: "ENOENT" })),
  });
  assertEquals(await stage.play(), "failed WORKER_FAILED: no ink");
  assertEquals(await stage.play({ command: "later" }), "failed ENOENT: gone");
});

Deno.test("LocalRunner gives a job to the handler of its name, else to the default one", async () => {
  const seen = (job: Job) => `${job.command}(${shown(job.frames)})`;
  const whole = [octets("go"), octets("a")];
  const opaque = { kind: "opaque", frames: [octets("a")], whole } as const;
  const stage = new Stage({ go: seen }, (job) => `default ${seen(job)}`);
  assertEquals(await stage.play(), "done go(payload)");
  assertEquals(await stage.play({ command: "what" }), "done default what(payload)");
  assertEquals(await stage.play(opaque), "done go(a)");
  assertEquals(await stage.play({ ...opaque, command: "what" }), "done default (go|a)");
  const none = new Stage({});
  assertEquals(await none.play(), 'failed NO_COMMAND: No handler takes "go"');
});

Deno.test("LocalRunner tells a handler all about its job", async () => {
  const stage = new Stage({
    go: (job) => [job.kind, job.attempt, job.headers.get("trace"), job.json().a, job.bytes.length],
  });
  const data = { kind: "EXEC", attempt: 3, frames: [octets('{"a":5}')] } as const;
  assertEquals(await stage.play({ ...data, headers: [["trace", "t"]] }), 'done ["EXEC",3,"t",5,7]');
  const empty = new Stage({ go: (job) => [job.text(), job.bytes.length, job.remaining] });
  assertEquals(await empty.play({ frames: [] }), 'done ["",0,null]');
});

Deno.test("LocalRunner fires the signal when the client cancels", async () => {
  const stage = new Stage({
    go: ({ signal }) => new Promise((_, reject) => signal.onabort = () => reject(signal.reason)),
  });
  const run = stage.start();
  await stage.network.settle();
  run.cancel(CANCELLED);
  await stage.network.settle();
  assertEquals(stage.told, ["failed CANCELLED: nobody wants it"]);
});

Deno.test("LocalRunner fires the signal when the client's time is up, and counts it down", async () => {
  const seen: number[] = [];
  const stage = new Stage({
    go: (job) => {
      seen.push(job.remaining);
      return new Promise((_, reject) =>
        job.signal.onabort = () => {
          seen.push(job.remaining);
          reject(new Error("stopped"));
        }
      );
    },
  });
  stage.start({ timeout: 500 });
  await stage.network.advance(499);
  assertEquals([seen, stage.told], [[500], []]);
  await stage.network.advance(1);
  assertEquals(stage.told, ["failed EXPIRED: The client's time is up"]);
  assertEquals(seen, [500, 0]);
});

Deno.test("LocalRunner leaves the signal of a job alone that ended in time", async () => {
  let signal: AbortSignal | undefined;
  const stage = new Stage({ go: (job) => void (signal = job.signal) });
  await stage.play({ timeout: 500 });
  await stage.network.advance(1000);
  assertEquals(signal?.aborted, false);
});

Deno.test("LocalRunner lets a handler finish that doesn't mind its signal", async () => {
  let finish = (_: string) => {};
  const stage = new Stage({ go: () => new Promise<string>((resolve) => finish = resolve) });
  stage.start({ timeout: 10 }).cancel(CANCELLED);
  await stage.network.advance(1000);
  assertEquals(stage.told, []);
  finish("done all the same");
  await stage.network.settle();
  assertEquals(stage.told, ["done done all the same"]);
});

Deno.test("LocalRunner sends chunks as far as there is credit, and the end without any", async () => {
  let made = 0;
  const stage = new Stage({
    async *go() {
      while (made < 5) yield `c${++made}`;
    },
  });
  const run = stage.start({ kind: "STREAM" });
  await stage.network.settle();
  assertEquals([stage.told, made], [[], 1], "one chunk is made ahead");
  run.credit(2);
  await stage.network.settle();
  assertEquals([stage.told.splice(0), made], [["chunk c1", "chunk c2"], 3]);
  run.credit(1);
  run.credit(2);
  await stage.network.settle();
  assertEquals(stage.told, ["chunk c3", "chunk c4", "chunk c5", "ended"]);
});

for (const where of ["waits for credit", "waits for its signal"] as const) {
  Deno.test(`LocalRunner cancels a stream that ${where}: its finally runs`, async () => {
    const trace: string[] = [];
    const stage = new Stage({
      async *go({ signal }) {
        try {
          yield "first";
          if (where === "waits for its signal") {
            await new Promise((_, reject) => signal.onabort = () => reject(new Error("woken")));
          }
          for (;;) yield "more";
        } finally {
          trace.push("finally");
        }
      },
    });
    const run = stage.start({ kind: "STREAM" });
    run.credit(where === "waits for credit" ? 1 : 2);
    await stage.network.settle();
    run.cancel(CANCELLED);
    await stage.network.settle();
    assertEquals(stage.told.at(-1), "failed CANCELLED: nobody wants it");
    assertEquals(trace, ["finally"]);
  });
}

Deno.test("LocalRunner cancels a ReadableStream that never gives anything", async () => {
  const stage = new Stage({ go: () => new ReadableStream({ pull: () => new Promise(() => {}) }) });
  const run = stage.start({ kind: "STREAM" });
  await stage.network.settle();
  run.cancel(CANCELLED);
  await stage.network.settle();
  assertEquals(stage.told, ["failed CANCELLED: nobody wants it"]);
});

Deno.test("LocalRunner doesn't begin a stream that is cancelled before", async () => {
  let begun = false;
  const stage = new Stage({
    async *go() {
      begun = true;
      yield "first";
    },
  });
  stage.start({ kind: "STREAM" }).cancel(CANCELLED);
  await stage.network.settle();
  assertEquals([stage.told, begun], [["failed CANCELLED: nobody wants it"], false]);
});

Deno.test("LocalRunner keeps the slot of a cancelled stream until its handler has ended", async () => {
  let cleanUp = () => {};
  const stage = new Stage({
    async *go() {
      try {
        yield "first";
      } finally {
        await new Promise<void>((resolve) => cleanUp = resolve);
      }
    },
  });
  const run = stage.start({ kind: "STREAM" });
  await stage.network.settle();
  run.cancel(CANCELLED);
  await stage.network.settle();
  assertEquals(stage.told, []);
  cleanUp();
  await stage.network.settle();
  assertEquals(stage.told, ["failed CANCELLED: nobody wants it"]);
});

Deno.test("LocalRunner tells of a stream that fails in the middle, and stops one with a bad chunk", async () => {
  const trace: string[] = [];
  const stage = new Stage({
    async *go() {
      yield "first";
      throw new Error("no more paper");
    },
    async *bad() {
      try {
        yield () => "not a payload";
      } finally {
        trace.push("finally");
      }
    },
  });
  stage.start({ kind: "STREAM" }).credit(9);
  await stage.network.settle();
  assertEquals(stage.told.splice(0), ["chunk first", "failed WORKER_FAILED: no more paper"]);
  assertEquals(
    (await stage.play({ kind: "STREAM", command: "bad" })).slice(0, 20),
    "failed WORKER_FAILED",
  );
  assertEquals(trace, ["finally"]);
});

Deno.test("LocalRunner gives all chunks at once to a client that asked for no stream", async () => {
  const stage = new Stage({ go: () => new Blob(["whole"]).stream() });
  assertEquals(await stage.play(), "done whole");
  const two = new Stage({
    *go() {
      yield "a";
      yield [octets("b"), octets("c")];
    },
  });
  assertEquals(await two.play({ kind: "opaque" }), "done a|b|c");
});

Deno.test("LocalRunner lets a whole answer to a stream through without credit", async () => {
  assertEquals(await new Stage({ go: () => "all" }).play({ kind: "STREAM" }), "done all");
});

Deno.test("LocalRunner measures how long calls of a handler keep the thread busy", async () => {
  let now = 0;
  const io = { ...new MemoryNetwork().io(), now: () => now };
  const busy: string[] = [];
  const runner = new LocalRunner({
    io,
    handlers: {
      sync: () => void (now += 700),
      throws: () => {
        now += 50;
        throw new Error("x");
      },
      async *chunks() {
        now += 10;
        yield 1;
        now += 20;
      },
    },
    fallback: undefined,
    onBusy: (command, ms) => busy.push(`${command} ${ms}`),
  });
  for (const command of ["sync", "throws", "chunks"]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const data = { command, attempt: 1, headers: [], frames: [], timeout: -1 } as const;
    runner.run({ kind: "STREAM", ...data }, {
      done: () => resolve(),
      chunk: () => {},
      ended: () => resolve(),
      failed: () => resolve(),
    }).credit(1);
    await promise;
  }
  assertEquals(busy, ["sync 700", "throws 50", "chunks 0", "chunks 10", "chunks 20"]);
});
