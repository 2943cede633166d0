// The kit as a user's test uses it: handlers, recovery, fake time, and no permission at all.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { CallError, TimeoutError } from "../../client/mod.ts";
import { TestCluster } from "./mod.ts";

Deno.test("TestCluster runs a user's handlers without any permission", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ handlers: { shout: (job) => job.text().toUpperCase() } });
  const result = await cluster.client().call("shout", "hello");
  assertEquals(result.text(), "HELLO");
});

Deno.test("kill() inside a job: another worker gets it, and the client sees one result", async () => {
  await using cluster = await TestCluster.start();
  let begun = 0;
  const first = await cluster.worker({
    handlers: {
      slow: () => {
        begun++;
        return new Promise(() => {});
      },
    },
  });
  const call = cluster.client().call("slow");
  await cluster.settle();
  assertEquals(begun, 1);
  await cluster.worker({ handlers: { slow: (job) => `attempt ${job.attempt}` } });
  cluster.kill(first);
  assertEquals((await call).text(), "attempt 2");
  assertEquals(cluster.broker.views.snapshot().jobs.requeued, 1);
});

Deno.test("isolate(): silence gives a worker away, and its job is run again", async () => {
  await using cluster = await TestCluster.start();
  const lost = await cluster.worker({ handlers: { slow: () => new Promise(() => {}) } });
  const call = cluster.client().call("slow");
  await cluster.settle();
  cluster.isolate(lost);
  const other = await cluster.worker({ handlers: { slow: () => "done" } });
  await cluster.advance(30_000);
  assertEquals((await call).text(), "done");
  assertEquals(other.status.completed, 1);
});

Deno.test("cut(): worker and client come back, and the call ends", async () => {
  await using cluster = await TestCluster.start();
  const worker = await cluster.worker({ handlers: { hello: () => "hello" } });
  const client = cluster.client();
  await client.ready();
  cluster.cut(worker);
  cluster.cut(client);
  const call = client.call("hello");
  await cluster.advance(60_000);
  assertEquals((await call).text(), "hello");
});

Deno.test("killBroker(): workers register again, and what was not answered is asked again", async () => {
  await using cluster = await TestCluster.start();
  let runs = 0;
  await cluster.worker({
    handlers: { once: () => ++runs > 1 ? "second time" : new Promise<string>(() => {}) },
  });
  const call = cluster.client().call("once");
  await cluster.settle();
  cluster.killBroker();
  await cluster.advance(5000);
  await cluster.startBroker();
  await cluster.advance(60_000);
  assertEquals((await call).text(), "second time");
});

Deno.test("stopBroker() lets jobs finish and then tells who still waits", async () => {
  await using cluster = await TestCluster.start({ broker: { drainSeconds: 2 } });
  await cluster.worker({ handlers: { never: () => new Promise(() => {}) } });
  const call = cluster.client().call("never").catch((error) => error);
  await cluster.settle();
  const stopped = cluster.stopBroker();
  await cluster.advance(10_000);
  await stopped;
  const error = await call;
  assert(error instanceof CallError);
  assertEquals(error.code, "SHUTDOWN");
});

Deno.test("FakeTime drives a cluster whose clock is the global one", async () => {
  using time = new FakeTime(0);
  await using cluster = await TestCluster.start({ clock: "global" });
  await cluster.worker({ handlers: { never: () => new Promise(() => {}) } });
  const client = cluster.client();
  const call = client.call("never", undefined, { timeout: 5000 });
  const failed = assertRejects(() => call, TimeoutError);
  await time.tickAsync(4999);
  assertEquals(client.pending, 1);
  await time.tickAsync(1);
  await failed;
});

Deno.test("FakeTime may jump over hours at once: nobody is lost, and what has an end ends", async () => {
  using time = new FakeTime(0);
  await using cluster = await TestCluster.start({ clock: "global" });
  let runs = 0;
  const worker = await cluster.worker({
    handlers: {
      wait: () => {
        runs++;
        return new Promise((resolve) => setTimeout(() => resolve("done"), 7_200_000));
      },
    },
  });
  const client = cluster.client();
  const short = assertRejects(() => client.call("wait", 1, { timeout: 3_600_000 }), TimeoutError);
  const long = client.call("wait", 2);
  await time.tickAsync(5_000_000);
  await short;
  await time.tickAsync(5_000_000);
  assertEquals((await long).text(), "done");
  assertEquals(runs, 2);
  assertEquals(worker.status.registered, true);
  assertEquals(cluster.broker.views.snapshot().workersJoined, 1);
});
