// A client with a broker and workers in memory: what its calls come to, under simulated and fake
// time.

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { TestCluster } from "../tests/kit/mod.ts";
import { type Job, JobError } from "../worker/mod.ts";
import {
  BusyError,
  CancelledError,
  ConnectionLostError,
  ExpiredError,
  NoCommandError,
  ShutdownError,
  TimeoutError,
  WorkerFailedError,
  WorkerLostError,
} from "./errors.ts";
import type { ClientLog } from "./options.ts";

const never = () => new Promise<never>(() => {});

/** A handler that runs until its signal fires, and keeps why. */
function patient(reasons: unknown[]) {
  return ({ signal }: Job) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => {
        reasons.push(signal.reason.message);
        reject(signal.reason);
      });
    });
}

Deno.test("call() sends octets, text, frames and JSON, and gives them back", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({
    handlers: {
      echo: (job) => job.frames.map((it) => new Uint8Array(it)),
      told: (job) => ({
        command: job.command,
        kind: job.kind,
        headers: [...job.headers],
        text: job.text(),
      }),
    },
  });
  const client = cluster.client();
  assertEquals((await client.call("echo", "grüß")).text(), "grüß");
  assertEquals((await client.call("echo", { a: [1] })).json(), { a: [1] });
  assertEquals((await client.call("echo", new Uint8Array([0, 255]))).bytes.toHex(), "00ff");
  const frames = [new Uint8Array([1]), new Uint8Array(0), new Uint8Array([2])];
  assertEquals((await client.call("echo", frames)).frames.map((it) => it.toHex()), [
    "01",
    "",
    "02",
  ]);
  const told = await client.call("told", "x", { headers: { Traceparent: "00-1" }, timeout: 5000 });
  assertEquals(told.json(), {
    command: "told",
    kind: "TRACKEXEC",
    headers: [["traceparent", "00-1"], ["timeout", "5000"]],
    text: "x",
  });
});

Deno.test("many calls share one connection, and each gets its own answer", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ slots: 100, handlers: { double: (job) => 2 * job.json() } });
  const client = cluster.client();
  const numbers = Array.from({ length: 2000 }, (_, i) => i);
  const calls = numbers.map((number) => client.call("double", number));
  assertEquals(client.pending, 2000);
  const results = await Promise.all(calls);
  assertEquals(results.map((it) => it.json()), numbers.map((it) => 2 * it));
  assertEquals([client.pending, cluster.network.between("client 2").length], [0, 1]);
});

Deno.test("a call's timeout rejects at its time, and the worker is told to stop", async () => {
  await using cluster = await TestCluster.start();
  const reasons: unknown[] = [];
  await cluster.worker({ handlers: { patient: patient(reasons) } });
  const client = cluster.client({ timeout: 700 });
  const [short, other] = [client.call("patient", 1, { timeout: 300 }), client.call("patient")];
  const failed = [assertRejects(() => short, TimeoutError, "300 ms")];
  failed.push(assertRejects(() => other, TimeoutError, "700 ms"));
  await cluster.advance(299);
  assertEquals([client.pending, reasons.length], [2, 0]);
  await cluster.advance(1);
  assertEquals([client.pending, reasons.length], [1, 1]);
  await cluster.advance(400);
  await Promise.all(failed);
  assertEquals([client.pending, reasons.length], [0, 2]);
  assertEquals(cluster.broker.views.snapshot().jobs.running, 0);
});

Deno.test("timeouts run under FakeTime", async () => {
  using time = new FakeTime(0);
  await using cluster = await TestCluster.start({ clock: "global" });
  const pass = async (milliseconds: number) => {
    time.tick(milliseconds);
    await cluster.settle();
  };
  await cluster.worker({ handlers: { never } });
  const client = cluster.client();
  await client.ready();
  const ended: number[] = [];
  for (const timeout of [500, 100, 300, 100, Infinity]) {
    client.call("never", timeout, { timeout }).catch(() => ended.push(timeout));
  }
  await pass(99);
  assertEquals(ended, []);
  await pass(1);
  assertEquals(ended, [100, 100]);
  await pass(200);
  assertEquals(ended, [100, 100, 300]);
  await pass(200);
  assertEquals([ended, client.pending], [[100, 100, 300, 500], 1]);
});

Deno.test("a call without a broker waits for one, or until its time is up", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ handlers: { hello: () => "hello" } });
  cluster.killBroker();
  const client = cluster.client();
  const short = assertRejects(() => client.call("hello", 1, { timeout: 2000 }), TimeoutError);
  const long = client.call("hello");
  const sent = client.send("hello");
  await cluster.advance(2000);
  await short;
  assertEquals([client.connected, client.pending], [false, 2]);
  await cluster.startBroker();
  await cluster.advance(60_000);
  assertEquals((await long).text(), "hello");
  await sent;
  assert(client.connected);
});

Deno.test("a signal cancels: the call rejects with its reason, broker and worker are told", async () => {
  await using cluster = await TestCluster.start();
  const reasons: unknown[] = [];
  await cluster.worker({ slots: 1, handlers: { patient: patient(reasons) } });
  const client = cluster.client();
  const [running, waiting] = [new AbortController(), new AbortController()];
  const calls = [running, waiting].map(({ signal }) => client.call("patient", 0, { signal }));
  const caught = Promise.all(calls.map((call) => call.catch((error) => error)));
  await cluster.settle();
  assertEquals(cluster.broker.views.snapshot().jobs.waiting, 1);
  const why = new Error("changed my mind");
  waiting.abort(why);
  await cluster.settle();
  assertEquals(cluster.broker.views.snapshot().jobs.waiting, 0);
  running.abort();
  await cluster.settle();
  const [first, second] = await caught;
  assertEquals([first.name, second], ["AbortError", why]);
  assertEquals([reasons, client.pending], [["The client cancelled the job"], 0]);
});

Deno.test("a signal that has fired stops a call before it is made", async () => {
  await using cluster = await TestCluster.start();
  const client = cluster.client();
  await client.ready();
  const signal = AbortSignal.abort("too late");
  for (const call of [client.call("x", 0, { signal }), client.send("x", 0, { signal })]) {
    assertEquals(await call.catch((reason) => reason), "too late");
  }
  const stream = client.stream("x", 0, { signal });
  assertEquals(await stream.next().catch((reason) => reason), "too late");
  await cluster.settle();
  assertEquals(cluster.broker.views.snapshot().jobs.accepted, 0);
});

Deno.test("calls that are over leave no listener at their signal", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ handlers: { hello: () => "hello" } });
  const client = cluster.client();
  await client.ready();
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const [add, remove] = [signal.addEventListener, signal.removeEventListener];
  signal.addEventListener = (...args: unknown[]) => {
    listeners++;
    Reflect.apply(add, signal, args);
  };
  signal.removeEventListener = (...args: unknown[]) => {
    listeners--;
    Reflect.apply(remove, signal, args);
  };
  await client.call("hello", 0, { signal });
  await client.send("hello", 0, { signal });
  await client.send("hello", 0, { signal, accepted: true });
  await Array.fromAsync(client.stream("hello", 0, { signal }));
  await client.stream("hello", 0, { signal }).return();
  await client.call("nobody", 0, { signal }).catch(() => {});
  await client.ready({ signal });
  assertEquals(listeners, 0);
  controller.abort();
});

Deno.test("send() resolves once it is sent; with accepted, once the broker has it", async () => {
  await using cluster = await TestCluster.start({ latency: 10 });
  const client = cluster.client();
  const ready = client.ready();
  await cluster.advance(100);
  await ready;
  await client.send("x");
  let taken = false;
  const sent = client.send("x", 0, { accepted: true }).then(() => taken = true);
  await cluster.advance(10);
  assertEquals([cluster.broker.views.snapshot().jobs.waiting, taken], [2, false]);
  await cluster.advance(10);
  await sent;
  cluster.kill(client);
  await cluster.advance(60_000);
  assertEquals(cluster.broker.views.snapshot().jobs.waiting, 2, "an EXEC outlives its sender");
});

Deno.test("a refused send() rejects if it waits for ACCEPTED, else onRefused is told", async () => {
  await using cluster = await TestCluster.start({ broker: { backlogJobs: 1 } });
  const refused: string[] = [];
  const log: ClientLog[] = [];
  const client = cluster.client({
    onRefused: (error, command) => {
      assert(error instanceof BusyError);
      refused.push(command);
    },
    onLog: (line) => log.push(line),
  });
  await client.send("first", 0, { accepted: true });
  await client.send("second");
  await assertRejects(() => client.send("third", 0, { accepted: true }), BusyError);
  assertEquals([refused, client.refused], [["second"], 1]);
  assertEquals(log.map(({ event }) => event), ["connected", "refused"]);
  assertEquals(log[1]!.details.code, "BUSY");
});

Deno.test("send() waits for room where much waits to go out, and a call doesn't", async () => {
  await using cluster = await TestCluster.start({ latency: 1 });
  const client = cluster.client();
  const ready = client.ready();
  await cluster.advance(100);
  await ready;
  let sent = 0;
  const large = new Uint8Array(5 * 1024 * 1024);
  for (let i = 0; i < 4; i++) client.send("keep", large).then(() => sent++);
  await cluster.settle();
  assertEquals([sent, client.pending], [1, 3]);
  await cluster.advance(2000);
  assertEquals([sent, client.pending], [4, 0]);
  assertEquals(cluster.broker.views.snapshot().jobs.waiting, 4);
});

Deno.test("each way to fail has its class", async () => {
  await using cluster = await TestCluster.start({ broker: { maxAttempts: 1, drainSeconds: 1 } });
  const doomed = await cluster.worker({ services: ["doomed"], handlers: { never } });
  await cluster.worker({
    handlers: {
      fails: () => {
        throw new Error("no luck");
      },
      misses: () => {
        throw new JobError("NOT_FOUND", "There is no such door");
      },
      gives_up: (job) => {
        throw job.signal.reason ?? new JobError("CANCELLED", "Too hard");
      },
      never,
    },
  });
  const client = cluster.client();
  const failed = await assertRejects(() => client.call("fails"), WorkerFailedError, "no luck");
  assertEquals(failed.code, "WORKER_FAILED");
  const missed = await assertRejects(() => client.call("misses"), WorkerFailedError);
  assertEquals([missed.code, missed.message], ["NOT_FOUND", "There is no such door"]);
  await assertRejects(() => client.call("gives_up"), CancelledError);
  await assertRejects(() => client.call("unheard of"), NoCommandError);
  const late = assertRejects(() => client.call("x", 0, { service: "s", ttl: 500 }), ExpiredError);
  await cluster.advance(500);
  await late;
  const lost = assertRejects(() => client.call("never", 0, { service: "doomed" }), WorkerLostError);
  await cluster.settle();
  cluster.kill(doomed);
  await lost;
  const left = assertRejects(() => client.call("never"), ShutdownError);
  await cluster.settle();
  const stopped = cluster.stopBroker();
  await cluster.advance(5000);
  await Promise.all([left, stopped]);
});

Deno.test("close() rejects what waits, has its jobs cancelled, and may be called again", async () => {
  await using cluster = await TestCluster.start();
  const reasons: unknown[] = [];
  await cluster.worker({ handlers: { patient: patient(reasons) } });
  const client = cluster.client();
  const call = client.call("patient").catch((error) => error);
  const stream = client.stream("patient");
  const read = stream.next().catch((error) => error);
  await cluster.settle();
  const closed = [client.close(), client.close()];
  await cluster.advance(2000);
  await Promise.all(closed);
  for (const error of [await call, await read]) {
    assert(error instanceof ConnectionLostError);
    assertEquals(error.message, "The client was closed");
  }
  assertEquals(reasons.length, 2);
  assertEquals(client.connected, false);
  await assertRejects(() => client.call("patient"), ConnectionLostError, "closed");
  await assertRejects(() => client.send("patient"), ConnectionLostError, "closed");
  await assertRejects(() => client.stream("patient").next(), ConnectionLostError, "closed");
  await assertRejects(() => client.ready(), ConnectionLostError, "closed");
});

Deno.test("close() gives what was sent last the time to go out", async () => {
  await using cluster = await TestCluster.start({ latency: 5 });
  const client = cluster.client();
  const ready = client.ready();
  await cluster.advance(100);
  await ready;
  await client.send("last words", new Uint8Array(300_000));
  const closed = client.close();
  await cluster.advance(500);
  await closed;
  assertEquals(cluster.broker.views.snapshot().jobs.waiting, 1);
});

Deno.test("ready() resolves when a broker is there; rejects in time, at a signal, at the end", async () => {
  await using cluster = await TestCluster.start();
  cluster.killBroker();
  const client = cluster.client();
  const outcomes: string[] = [];
  const note = (promise: Promise<void>) =>
    promise.then(() => outcomes.push("there"), (error) => outcomes.push(String(error.message)));
  const controller = new AbortController();
  const waits = [
    note(client.ready({ timeout: 1000 })),
    note(client.ready({ signal: controller.signal })),
    note(client.ready()),
    note(client.ready({ timeout: -1 })),
  ];
  await cluster.advance(1000);
  controller.abort(new Error("enough"));
  await cluster.startBroker();
  await cluster.advance(60_000);
  await Promise.all(waits);
  assertEquals(outcomes, [
    "Cannot call: timeout is a number of milliseconds from 0 on",
    "Cannot reach any broker within 1000 ms: Cannot connect to tcp://127.0.0.1:5555: connection refused",
    "enough",
    "there",
  ]);
  await client.ready({ timeout: 0 });
});

Deno.test("bad arguments reject a call and throw from stream(); nothing is sent", async () => {
  await using cluster = await TestCluster.start();
  const client = cluster.client();
  const frames = Array.from({ length: 1017 }, () => new Uint8Array(0));
  await assertRejects(() => client.call(""), TypeError, "1 to 255 octets");
  await assertRejects(() => client.call("x", 0, { timeout: -1 }), RangeError, "timeout");
  await assertRejects(() => client.call("x", frames), RangeError, "at most 1016 frames");
  const large = new Uint8Array(64 * 1024 * 1024);
  await assertRejects(() => client.call("x", large), RangeError, "at most 67108864 octets");
  const named = { headers: { ["n".repeat(256)]: "v" } };
  await assertRejects(() => client.send("x", 0, named), TypeError, "1 to 255 octets, not 256");
  assertThrows(() => client.stream("x", 0, { window: 0 }), RangeError, "window");
  assertThrows(() => client.stream("x", () => 1), TypeError, "function");
  await cluster.settle();
  assertEquals([client.pending, cluster.broker.views.snapshot().jobs.accepted], [0, 0]);
});

Deno.test("the largest messages that are let through reach a worker", async () => {
  await using cluster = await TestCluster.start();
  const handlers = { count: (job: Job) => job.frames.length, size: (job: Job) => job.bytes.length };
  await cluster.worker({ handlers });
  const client = cluster.client();
  const frames = Array.from({ length: 1016 }, () => new Uint8Array(0));
  assertEquals((await client.call("count", frames)).json(), 1016);
  const most = new Uint8Array(64 * 1024 * 1024 - 128 - "size".length);
  assertEquals((await client.call("size", most)).json(), most.length);
});
