// Streams through a broker in memory: back-pressure as far as the worker, ends of every kind, and
// what a lost broker does to them.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { TestCluster } from "../tests/kit/mod.ts";
import { type Job, JobError } from "../worker/mod.ts";
import { ConnectionLostError, TimeoutError, WorkerFailedError, WorkerLostError } from "./errors.ts";

/** A handler that counts for ever, or up to a number, and tells how far it came and why it ended. */
class Counter {
  given = 0;
  ended = "";

  count = async function* (this: Counter, job: Job<number>): AsyncGenerator<number> {
    try {
      for (let i = 1; i <= job.json(); i++) {
        this.given = i;
        yield await Promise.resolve(i);
      }
      this.ended = "well";
    } finally {
      if (this.ended === "") this.ended = String(job.signal.reason?.message);
    }
  }.bind(this);
}

/** The worker made as many chunks as there is room for, and holds at most one more. */
function assertAhead(given: number, window: number): void {
  assert(given === window || given === window + 1, `${given} chunks for a window of ${window}`);
}

Deno.test("stream() gives the chunks of a worker in order", async () => {
  await using cluster = await TestCluster.start();
  const { count } = new Counter();
  await cluster.worker({ handlers: { count } });
  const seen = [];
  for await (const chunk of cluster.client().stream("count", 1000)) seen.push(chunk.json());
  assertEquals(seen, Array.from({ length: 1000 }, (_, i) => i + 1));
});

Deno.test("a stream that nobody reads stops its worker at the window, and goes on when read", async () => {
  await using cluster = await TestCluster.start();
  const counter = new Counter();
  await cluster.worker({ handlers: { count: counter.count } });
  const stream = cluster.client().stream("count", 1e9, { window: 8 });
  await cluster.advance(60_000);
  assertAhead(counter.given, 8);
  for (let i = 1; i <= 100; i++) {
    assertEquals((await stream.next()).value?.json(), i);
    await cluster.settle();
    assert(counter.given <= i + 9, `${counter.given} given after ${i} were read`);
  }
  await stream.return();
});

Deno.test("many unread streams hold a window each, and other calls go on", async () => {
  await using cluster = await TestCluster.start();
  const counters = new Counter();
  await cluster.worker({ slots: 101, handlers: { count: counters.count, hello: () => "hello" } });
  const client = cluster.client();
  const streams = Array.from({ length: 100 }, () => client.stream("count", 1e9, { window: 2 }));
  await cluster.settle();
  assertEquals((await client.call("hello")).text(), "hello");
  assertEquals(client.pending, 100);
  assertAhead(counters.given, 2);
  for (const stream of streams) await stream.return();
  await cluster.settle();
  assertEquals([client.pending, cluster.broker.views.snapshot().jobs.running], [0, 0]);
});

Deno.test("leaving the loop cancels the job at the worker", async () => {
  await using cluster = await TestCluster.start();
  const counter = new Counter();
  await cluster.worker({ handlers: { count: counter.count } });
  const client = cluster.client();
  for await (const chunk of client.stream("count", 1e9)) if (chunk.json() === 3) break;
  await cluster.settle();
  assertEquals(counter.ended, "The client cancelled the job");
  assertEquals([client.pending, cluster.broker.views.snapshot().jobs.running], [0, 0]);
});

Deno.test("a signal ends a stream with its reason, behind the chunks that came", async () => {
  await using cluster = await TestCluster.start();
  const counter = new Counter();
  await cluster.worker({ handlers: { count: counter.count } });
  const controller = new AbortController();
  const options = { signal: controller.signal, window: 2 };
  const stream = cluster.client().stream("count", 1e9, options);
  await cluster.settle();
  controller.abort(new Error("enough"));
  await cluster.settle();
  assertEquals([(await stream.next()).value?.json(), (await stream.next()).value?.json()], [1, 2]);
  await assertRejects(() => stream.next(), Error, "enough");
  assertEquals(counter.ended, "The client cancelled the job");
});

Deno.test("a timeout is for the whole stream", async () => {
  await using cluster = await TestCluster.start();
  const counter = new Counter();
  await cluster.worker({ handlers: { count: counter.count } });
  const stream = cluster.client().stream("count", 1e9, { timeout: 1000, window: 1 });
  await cluster.advance(999);
  assertEquals((await stream.next()).value?.json(), 1);
  await cluster.settle();
  await cluster.advance(1);
  assertEquals((await stream.next()).value?.json(), 2);
  await assertRejects(() => stream.next(), TimeoutError);
});

Deno.test("an error in the middle comes behind the chunks before it", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({
    handlers: {
      async *half() {
        yield await Promise.resolve("one");
        yield "two";
        throw new JobError("OUT_OF_PAPER", "There is no more");
      },
    },
  });
  const seen: string[] = [];
  const error = await assertRejects(async () => {
    for await (const chunk of cluster.client().stream("half")) seen.push(chunk.text());
  }, WorkerFailedError);
  assertEquals([seen, error.code], [["one", "two"], "OUT_OF_PAPER"]);
});

Deno.test("a handler that gives one value is a stream of one chunk", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ handlers: { plain: () => ({ a: 1 }), none: () => undefined } });
  const client = cluster.client();
  const chunks = await Array.fromAsync(client.stream("plain"));
  assertEquals(chunks.map((it) => it.json()), [{ a: 1 }]);
  const none = await Array.fromAsync(client.stream("none"));
  assertEquals(none.map((it) => it.frames.length), [0]);
});

Deno.test("toReadableStream() takes octets through web streams, with back-pressure", async () => {
  await using cluster = await TestCluster.start();
  let given = 0;
  await cluster.worker({
    handlers: {
      async *pages() {
        for (let i = 0; i < 1000; i++) {
          given++;
          yield await Promise.resolve(new Uint8Array(1000).fill(i % 256));
        }
      },
    },
  });
  const client = cluster.client();
  const web = client.stream("pages", undefined, { window: 4 }).toReadableStream();
  await cluster.settle();
  assertAhead(given, 4);
  const bytes = new Uint8Array(await new Response(web).arrayBuffer());
  assertEquals(bytes.length, 1_000_000);
  assert(bytes.every((octet, i) => octet === Math.floor(i / 1000) % 256));
  const other = client.stream("pages").toReadableStream();
  await other.cancel();
  await cluster.settle();
  assertEquals(client.pending, 0);
});

Deno.test("a worker that is lost before the first chunk costs nothing, later the stream", async () => {
  await using cluster = await TestCluster.start();
  const first = await cluster.worker({ handlers: { count: () => new Promise<never>(() => {}) } });
  const client = cluster.client();
  const fresh = client.stream("count", 3);
  await cluster.settle();
  const counter = new Counter();
  const second = await cluster.worker({ handlers: { count: counter.count } });
  cluster.kill(first);
  const chunks = await Array.fromAsync(fresh);
  assertEquals(chunks.map((it) => it.json()), [1, 2, 3]);
  const begun = client.stream("count", 1e9, { window: 1 });
  assertEquals((await begun.next()).value?.json(), 1);
  cluster.kill(second);
  const rest = assertRejects(async () => {
    for await (const chunk of begun) assertEquals(chunk.json(), 2);
  }, WorkerLostError);
  await rest;
});

Deno.test("a broker that is lost before the first chunk costs time, later the stream", async () => {
  await using cluster = await TestCluster.start();
  const counter = new Counter();
  await cluster.worker({ handlers: { count: counter.count } });
  const client = cluster.client();
  const begun = client.stream("count", 1e9, { window: 2 });
  assertEquals((await begun.next()).value?.json(), 1);
  cluster.killBroker();
  const fresh = client.stream("count", 3);
  await cluster.advance(1000);
  await assertRejects(
    async () => {
      for await (const chunk of begun) assert(chunk.json() as number <= 3);
    },
    ConnectionLostError,
    "inside the stream",
  );
  await cluster.startBroker();
  await cluster.advance(60_000);
  assertEquals((await Array.fromAsync(fresh)).map((it) => it.json()), [1, 2, 3]);
});
