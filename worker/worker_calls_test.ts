// Rota's own worker, broker and client together, on a network in memory: jobs of all kinds, both
// dialects, streams that push back, and what no broker passes on.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { type CallError, WorkerFailedError } from "../client/mod.ts";
import { Request as RequestSocket } from "../protocol/mod.ts";
import { ERROR_400, OUR_GREETING } from "../tests/conformance/vectors.ts";
import { TestCluster } from "../tests/kit/test_cluster.ts";
import { ANSWER_BYTES } from "./answer.ts";
import { type Handlers, type Job, Worker } from "./mod.ts";

/** Asks as a client that knows nothing of Rota. */
async function ask(cluster: TestCluster, ...frames: string[]): Promise<string[]> {
  await using socket = new RequestSocket({ io: cluster.network.io("stranger"), linger: 0 });
  socket.connect(cluster.broker.frontend);
  await socket.send(frames);
  return (await socket.receive()).map(String);
}

Deno.test("opaque jobs run the handler of their first frame, or the default handler", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({
    handlers: { echo: (job) => job.frames },
    defaultHandler: (job) => `default ${job.kind} [${job.frames.map(String)}]`,
  });
  assertEquals(await ask(cluster, "echo", "a", "b"), ["a", "b"]);
  assertEquals(await ask(cluster, "what", "a"), ["default opaque [what,a]"]);
  assertEquals(await ask(cluster, ""), ["default opaque []"]);
  assertEquals((await cluster.client().call("nobody", "x")).text(), "default TRACKEXEC [x]");
});

Deno.test("an opaque job that no handler takes becomes a dead letter", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ handlers: {} });
  ask(cluster, "what").catch(() => {});
  await cluster.settle();
  assertEquals(cluster.broker.views.dead().map(({ code }) => code), ["NO_COMMAND"]);
});

Deno.test("a worker serves the services that it names", async () => {
  await using cluster = await TestCluster.start();
  const tell = (name: string): Handlers => ({ who: () => name });
  await cluster.worker({ handlers: tell("small"), services: ["small"] });
  await cluster.worker({ handlers: tell("both"), services: ["large", "default"] });
  const client = cluster.client();
  assertEquals((await client.call("who", undefined, { service: "small" })).text(), "small");
  assertEquals((await client.call("who", undefined, { service: "large" })).text(), "both");
  assertEquals((await client.call("who")).text(), "both");
});

Deno.test("a handler sees headers, the attempt and what is left of its client's time", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({
    handlers: {
      look: ({ headers, attempt, remaining, kind }) => ({
        trace: headers.get("trace"),
        attempt,
        remaining,
        kind,
      }),
    },
  });
  const options = { headers: { trace: "t1" }, timeout: 5000 };
  const seen = (await cluster.client().call("look", undefined, options)).json();
  assertEquals(seen, { trace: "t1", attempt: 1, remaining: 5000, kind: "TRACKEXEC" });
});

Deno.test("an abort of the client fires the job's signal, and frees the slot", async () => {
  await using cluster = await TestCluster.start();
  let job: Job | undefined;
  const worker = await cluster.worker({
    slots: 1,
    handlers: {
      slow: (it) => {
        job = it;
        return new Promise((_, reject) => it.signal.onabort = () => reject(it.signal.reason));
      },
      quick: () => "quick",
    },
  });
  const controller = new AbortController();
  const client = cluster.client();
  const call = client.call("slow", undefined, { signal: controller.signal });
  const failed = assertRejects(() => call);
  await cluster.settle();
  assertEquals([job?.signal.aborted, worker.status.running], [false, 1]);
  controller.abort();
  await failed;
  await cluster.settle();
  assertEquals([job?.signal.aborted, worker.status.running], [true, 0]);
  assertEquals((await client.call("quick")).text(), "quick");
});

Deno.test("a slow reader of a stream slows the handler", async () => {
  await using cluster = await TestCluster.start();
  let made = 0;
  await cluster.worker({
    handlers: {
      async *count() {
        for (;;) yield ++made;
      },
    },
  });
  const stream = cluster.client().stream("count", undefined, { window: 8 });
  await cluster.settle();
  assertEquals(made, 9, "a window of chunks and one more");
  const seen: number[] = [];
  for await (const chunk of stream) {
    seen.push(chunk.json() as number);
    if (seen.length === 40) break;
  }
  assertEquals(seen, Array.from({ length: 40 }, (_, i) => i + 1));
  await cluster.settle();
  assert(made <= 40 + 9, `${made} chunks were made for 40`);
});

Deno.test("leaving a stream runs the finally of its generator", async () => {
  await using cluster = await TestCluster.start();
  const trace: string[] = [];
  const worker = await cluster.worker({
    handlers: {
      async *count({ signal }) {
        try {
          for (let i = 0;; i++) yield i;
        } finally {
          trace.push(`finally, aborted: ${signal.aborted}`);
        }
      },
    },
  });
  for await (const _ of cluster.client().stream("count")) break;
  await cluster.settle();
  assertEquals([trace, worker.status.running], [["finally, aborted: true"], 0]);
});

Deno.test("a stream that fails in the middle gives its chunks first, then the error", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({
    handlers: {
      async *count() {
        yield "one";
        throw new Error("no more");
      },
    },
  });
  const seen: string[] = [];
  const read = async () => {
    for await (const chunk of cluster.client().stream("count")) seen.push(chunk.text());
  };
  await assertRejects(read, WorkerFailedError, "no more");
  assertEquals(seen, ["one"]);
});

Deno.test("a result that no broker passes on is an error, and costs no connection", async () => {
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({
    handlers: { large: () => new Uint8Array(ANSWER_BYTES + 1), small: () => "small" },
  });
  const client = cluster.client();
  await assertRejects(() => client.call("large"), WorkerFailedError, "stream it");
  assertEquals((await client.call("small")).text(), "small");
  assertEquals([worker.status.completed, worker.status.failed], [1, 1]);
  assertEquals(cluster.broker.views.snapshot().jobs.requeued, 0);
});

Deno.test("the dialect ready gives a plain worker with one slot", async () => {
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({
    dialect: "ready",
    address: "r1",
    handlers: {
      hello: (job) => `hello ${job.text()}`,
      fails: () => {
        throw new Error("no ink");
      },
      async *many() {
        yield "a";
        yield "b";
      },
      word: () => "READY",
    },
  });
  const client = cluster.client();
  assertEquals((await client.call("hello", "you")).text(), "hello you");
  assertEquals(await ask(cluster, "hello", "you"), ["hello you"]);
  assertEquals((await client.call("many")).frames.map(String), ["a", "b"]);
  // Its dialogue has no form for an error: the words come as a result.
  const failed = (await client.call("fails")).frames.map(String);
  assertEquals(failed, ["ERROR", "WORKER_FAILED", "no ink"]);
  const [, code] = (await client.call("word")).frames.map(String);
  assertEquals(code, "RESERVED");
  const calls = Array.from({ length: 20 }, (_, i) => client.call("hello", String(i)));
  assertEquals(
    await Promise.all(calls.map(async (call) => (await call).text())),
    Array.from({ length: 20 }, (_, i) => `hello ${i}`),
  );
  const rows = cluster.broker.views.workers();
  const seen = rows.map(({ address, dialect, capacity }) => [address, dialect, capacity]);
  assertEquals(seen, [["r1", "READY", 1]]);
  assertEquals([worker.status.slots, worker.status.dialect], [1, "ready"]);
});

Deno.test("a READY worker works for longer than anybody's patience, and keeps its place", async () => {
  await using cluster = await TestCluster.start();
  let finish = (_: string) => {};
  const worker = await cluster.worker({
    dialect: "ready",
    handlers: { slow: () => new Promise<string>((resolve) => finish = resolve) },
  });
  const call = cluster.client().call("slow");
  await cluster.advance(60_000);
  finish("done");
  assertEquals((await call).text(), "done");
  await cluster.advance(60_000);
  assertEquals([worker.status.registered, cluster.broker.views.snapshot().workersJoined], [
    true,
    1,
  ]);
});

Deno.test("a READY worker leaves by deregister() and comes back by register()", async () => {
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({ dialect: "ready", handlers: { hello: () => "hello" } });
  const left = worker.deregister();
  await cluster.advance(2000);
  await left;
  assertEquals(cluster.broker.views.snapshot().workers, 0);
  await cluster.advance(30_000);
  assertEquals([worker.status.connected, cluster.broker.views.snapshot().workers], [true, 0]);
  await worker.register();
  assertEquals((await cluster.client().call("hello")).text(), "hello");
});

Deno.test("a second worker with an address in use is refused until the first is gone", async () => {
  await using cluster = await TestCluster.start();
  const first = await cluster.worker({ address: "w1", handlers: { who: () => "first" } });
  const second = cluster.worker({ address: "w1", handlers: { who: () => "second" } });
  await cluster.advance(5000);
  const client = cluster.client();
  assertEquals((await client.call("who")).text(), "first");
  await first.close({ now: true });
  await cluster.advance(31_000);
  await second;
  assertEquals((await client.call("who")).text(), "second");
});

Deno.test("a broker that is killed and back has its worker again, and every call ends", async () => {
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({ handlers: { hello: () => "hello" } });
  const client = cluster.client();
  for (let round = 0; round < 3; round++) {
    cluster.killBroker();
    const call = client.call("hello").catch((error: CallError) => error);
    await cluster.advance(10_000);
    await cluster.startBroker();
    await cluster.advance(90_000);
    const result = await call;
    assert(!(result instanceof Error), String(result));
    assertEquals([result.text(), worker.status.registered], ["hello", true]);
  }
});

Deno.test("a peer that answers the handshake with ERROR is tried again later", async () => {
  await using cluster = await TestCluster.start();
  await cluster.stopBroker();
  const listener = await cluster.network.io("strict").listen(
    { hostname: "127.0.0.1", port: 5556 },
    9,
  );
  const refuse = async () => {
    const connection = await listener.accept();
    connection.attach({ onRead: () => {}, onWritten: () => {}, onFailed: () => {} });
    connection.read(new Uint8Array(1000));
    connection.write(new Uint8Array([...OUR_GREETING, ...ERROR_400]));
  };
  const refused = refuse();
  const lines: string[] = [];
  const started = Worker.start({
    broker: "tcp://127.0.0.1:5556",
    io: cluster.network.io("worker"),
    debug: 4,
    onLog: ({ event }) => lines.push(event),
  });
  await refused;
  await cluster.advance(2000);
  assertEquals(lines, ["broker not reached; trying on", "the broker refused the handshake"]);
  listener.close();
  await cluster.startBroker();
  await cluster.advance(61_000);
  const worker = await started;
  assertEquals(worker.status.registered, true);
  await worker.close({ now: true });
});
