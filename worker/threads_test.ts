// Handlers in threads: real ones, in real time, with broker and client in memory. Nothing here waits
// for a time to pass but the handlers that block.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { CallError, type Client, TimeoutError } from "../client/mod.ts";
import { TestCluster } from "../tests/kit/test_cluster.ts";
import { WorkerWorld } from "../tests/kit/worker_world.ts";
import type { Worker, WorkerLog, WorkerOptions } from "./mod.ts";

const MODULE = new URL("../tests/threads/handlers.ts", import.meta.url);
/** Seconds of silence after which the broker takes a worker for lost. */
const EXPIRE = 1;

/** A cluster in real time with a worker whose handlers run in threads. */
class Stage implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly cluster: TestCluster;
  readonly client: Client;
  worker!: Worker;
  #waiting = new Map<string, () => void>();

  private constructor(cluster: TestCluster) {
    this.cluster = cluster;
    this.client = cluster.client();
  }

  static async start(options: WorkerOptions = {}): Promise<Stage> {
    const broker = { workerExpireSeconds: EXPIRE };
    const stage = new Stage(await TestCluster.start({ clock: "global", broker }));
    try {
      stage.worker = await stage.cluster.worker({
        handlers: MODULE,
        threads: 1,
        onLog: (line) => stage.#hear(line),
        ...options,
      });
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
    return stage;
  }

  /** Resolves when the worker tells of that the next time. */
  until(event: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(event, resolve));
  }

  async text(command: string, payload?: unknown): Promise<string> {
    return (await this.client.call(command, payload as string)).text();
  }

  async failure(command: string, payload?: unknown): Promise<string> {
    const error = await assertRejects(() => this.text(command, payload), CallError);
    return `${error.code}: ${error.message}`;
  }

  #hear({ event, details, level }: WorkerLog): void {
    if (level === 0) this.lines.push(`${event} ${JSON.stringify(details)}`);
    this.#waiting.get(event)?.();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cluster[Symbol.asyncDispose]();
  }
}

Deno.test("threads run the handlers that a module exports, by name or as a default object", async () => {
  await using stage = await Stage.start({ threads: 2 });
  assertEquals(await stage.text("hello", "you"), "hello you");
  assertEquals(await stage.text("version"), "default version");
  assertEquals(await stage.text("toString"), "default toString");
  const calls = Array.from({ length: 30 }, (_, i) => stage.text("hello", String(i)));
  assertEquals(await Promise.all(calls), Array.from({ length: 30 }, (_, i) => `hello ${i}`));
  const handlers = new URL("../tests/threads/default_object.ts", import.meta.url);
  await using other = await Stage.start({ handlers });
  assertEquals(await other.text("with space"), "default object");
  assertEquals(await other.failure("hello"), 'NO_COMMAND: No handler takes "hello"');
});

for (
  const [name, words] of [
    ["no_handlers.ts", "the module exports no handlers"],
    ["not_there.ts", "Module not found"],
  ] as const
) {
  Deno.test(`Worker.start() rejects for a module that is no good: ${words}`, async () => {
    const handlers = new URL(`../tests/threads/${name}`, import.meta.url);
    await assertRejects(() => Stage.start({ handlers, threads: 2 }), Error, words);
  });
}

Deno.test("a handler that blocks thrice the expiry costs neither the worker's place nor other calls", async () => {
  await using stage = await Stage.start({ threads: 2 });
  const state = { blocked: true };
  const blocked = stage.text("blocks", 3 * EXPIRE * 1000).finally(() => state.blocked = false);
  // More at a time than there are threads: none may wait behind the one that blocks.
  for (let round = 0; round < 20; round++) {
    const calls = Array.from({ length: 5 }, (_, i) => stage.text("hello", String(i)));
    assertEquals((await Promise.all(calls)).at(-1), "hello 4");
  }
  assertEquals(state.blocked, true, "they were answered meanwhile");
  assertEquals(await blocked, "blocked, attempt 1");
  const { workers, workersJoined, workersExpired, jobs } = stage.cluster.broker.views.snapshot();
  assertEquals([workers, workersJoined, workersExpired, jobs.requeued], [1, 1, 0, 0]);
  assertEquals(stage.lines, []);
});

Deno.test("a job that a thread was given just before it blocked goes to another one", async () => {
  await using stage = await Stage.start({ threads: 2 });
  const state = { blocked: true };
  const blocked = stage.text("blocksLater", 1500).finally(() => state.blocked = false);
  for (let round = 0; round < 20; round++) {
    const calls = Array.from({ length: 5 }, (_, i) => stage.text("hello", String(i)));
    assertEquals((await Promise.all(calls)).length, 5);
  }
  assertEquals(state.blocked, true, "they were answered meanwhile");
  assertEquals(await blocked, "blocked later");
});

Deno.test("a job that was taken back from its thread is run once", async () => {
  await using stage = await Stage.start();
  const calls = [stage.text("blocksLater", 300), stage.text("marks"), stage.text("marks")];
  await Promise.all(calls);
  assertEquals(await stage.text("tells"), '["marked","marked"]');
});

Deno.test("a worker with threads tells the broker that it pings while it works", async () => {
  await using world = new WorkerWorld();
  await world.open();
  const heard = world.next();
  const started = world.start({ handlers: MODULE, threads: 1 });
  assertEquals(await heard, '0 ["", REGISTER, 10, "heartbeat=working", "rota=1", "w1"]');
  await world.say('["", REGISTERED, 10, "expire=3", "w1"]');
  await started;
});

for (
  const [how, message] of [
    ["close", "a handler called close()"],
    ["exit", "a handler called Deno.exit()"],
    ["timer", "nobody catches this"],
  ] as const
) {
  Deno.test(`a thread that ends is replaced, and its jobs fail: ${how}`, async () => {
    await using stage = await Stage.start();
    const other = stage.failure("waits");
    assertEquals(await stage.text("hello", "you"), "hello you");
    const expected = `WORKER_FAILED: The handler's thread ended: ${message}`;
    assertEquals(await stage.failure("breaks", how), expected);
    assertEquals(await other, expected);
    assertEquals(await stage.text("hello", "again"), "hello again");
    assertEquals(stage.lines, [`a thread ended and is replaced {"message":"${message}"}`]);
    assertEquals([stage.worker.status.failed, stage.worker.status.completed], [2, 2]);
  });
}

Deno.test("a rejection that nobody waits for costs a thread nothing", async () => {
  await using stage = await Stage.start();
  assertEquals(await stage.text("neglects"), "neglected");
  assertEquals(await stage.text("hello", "you"), "hello you");
  assertEquals(stage.lines, ['fault in a thread {"message":"nobody waits for this"}']);
});

Deno.test("a thread that can't be replaced fails its jobs, and is tried again with the next", async () => {
  const marker = await Deno.makeTempFile();
  await Deno.remove(marker);
  const handlers = new URL("../tests/threads/loads_once.ts", import.meta.url);
  handlers.searchParams.set("marker", marker);
  await using stage = await Stage.start({ handlers });
  assert((await stage.failure("ends")).startsWith("WORKER_FAILED"));
  assertEquals(
    await stage.failure("hello"),
    "WORKER_FAILED: No thread could load its handlers: not a second time",
  );
  await Deno.remove(marker);
  assertEquals(await stage.text("hello"), "hello");
});

Deno.test("streams over threads push back and can be left", async () => {
  await using stage = await Stage.start({ debug: 1 });
  const ended = stage.until("job failed");
  const seen: number[] = [];
  for await (const chunk of stage.client.stream("counts", undefined, { window: 4 })) {
    seen.push(chunk.json() as number);
    if (seen.length === 10) break;
  }
  assertEquals(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await ended;
  const [trace = ""] = JSON.parse(await stage.text("tells"));
  const [, made] = /^made ([0-9]+), aborted: true$/.exec(trace) ?? [];
  assert(Number(made) <= 16, `made ${made} for 10 that were read, with a window of 4`);
});

Deno.test("cancel and deadlines reach handlers in threads", async () => {
  await using stage = await Stage.start({ debug: 1 });
  const controller = new AbortController();
  const cancelled = stage.client.call("waits", undefined, { signal: controller.signal });
  assertEquals(await stage.text("hello", "you"), "hello you");
  let stopped = stage.until("job failed");
  controller.abort();
  await assertRejects(() => cancelled);
  await stopped;
  assertEquals(await stage.text("tells"), '["AbortError: The client cancelled the job"]');
  stopped = stage.until("job failed");
  const late = stage.client.call("waits", undefined, { timeout: 50 });
  await assertRejects(() => late, TimeoutError);
  await stopped;
  const [reason] = JSON.parse(await stage.text("tells"));
  assert(/^(TimeoutError|AbortError): /.test(reason), reason);
});

Deno.test("a job that waits for a thread can be cancelled, and runs out of time", async () => {
  await using stage = await Stage.start();
  const blocked = stage.text("blocks", 500);
  const controller = new AbortController();
  const cancelled = stage.client.call("hello", "a", { signal: controller.signal });
  const late = stage.client.call("hello", "b", { timeout: 100 });
  const failed = Promise.all([
    assertRejects(() => cancelled),
    assertRejects(() => late, TimeoutError),
  ]);
  await stage.client.ready();
  controller.abort();
  await failed;
  await blocked;
  assertEquals(await stage.text("hello", "c"), "hello c");
  assertEquals(stage.worker.status.completed, 2, "neither of the two was run");
});

Deno.test("close() ends threads, also one that blocks", async () => {
  await using stage = await Stage.start({ drainSeconds: 0 });
  stage.text("blocks", 60_000).catch(() => {});
  await stage.client.send("hello", "x", { accepted: true });
  await stage.worker.close();
  assertEquals(stage.worker.status.registered, false);
});
