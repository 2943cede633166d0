/**
 * A project's own tests: its handlers behind a broker in memory, with fake time and workers that
 * die. `deno test examples/testing/` needs no permission.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { TimeoutError, WorkerFailedError } from "../../mod.ts";
import { TestCluster } from "../../tests/kit/mod.ts";
import { type Bank, shopHandlers } from "./handlers.ts";

/** A bank in memory that keeps what it was told, and can hang. */
class PaperBank implements Bank {
  readonly paid: Map<string, number> = new Map();
  /** While this is set, the money is moved but nobody is told. */
  hangs = false;
  /** Resolves when somebody is charged. */
  readonly charged = Promise.withResolvers<void>();

  isPaid(order: string): Promise<boolean> {
    return Promise.resolve(this.paid.has(order));
  }

  charge(order: string, amount: number): Promise<void> {
    this.paid.set(order, amount);
    this.charged.resolve();
    return this.hangs ? new Promise(() => {}) : Promise.resolve();
  }
}

type Shop = ReturnType<typeof shopHandlers>;

Deno.test("charge() says what is wrong with an order, by a code", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ handlers: shopHandlers(new PaperBank()) });
  const call = cluster.client<Shop>().call("charge", { order: "a1", amount: 0 });
  const error = await assertRejects(() => call, WorkerFailedError);
  assertEquals(error.code, "BAD_AMOUNT");
});

Deno.test("charge() charges once, even if its worker dies in the middle", async () => {
  await using cluster = await TestCluster.start();
  const bank = new PaperBank();
  bank.hangs = true;
  const first = await cluster.worker({ handlers: shopHandlers(bank) });
  const call = cluster.client<Shop>().call("charge", { order: "a1", amount: 5 });
  await bank.charged.promise;

  bank.hangs = false;
  cluster.kill(first);
  await cluster.worker({ handlers: shopHandlers(bank) });
  assertEquals((await call).json(), { attempt: 2 });
  assertEquals([...bank.paid], [["a1", 5]]);
});

Deno.test("untilPaid() waits for hours, which take no time", async () => {
  using time = new FakeTime();
  await using cluster = await TestCluster.start({ clock: "global" });
  const bank = new PaperBank();
  await cluster.worker({ handlers: shopHandlers(bank) });
  const call = cluster.client<Shop>().call("untilPaid", { order: "a1" });

  await time.tickAsync(3 * 3_600_000);
  await bank.charge("a1", 5);
  await time.tickAsync(60_000);
  assertEquals((await call).text(), "paid");
});

Deno.test("untilPaid() stops when its client gives up", async () => {
  using time = new FakeTime();
  await using cluster = await TestCluster.start({ clock: "global" });
  const worker = await cluster.worker({ handlers: shopHandlers(new PaperBank()) });
  const client = cluster.client<Shop>({ timeout: 90_000 });
  const failed = assertRejects(() => client.call("untilPaid", { order: "a1" }), TimeoutError);

  await time.tickAsync(90_000);
  await failed;
  await time.tickAsync(1000);
  assertEquals(worker.status.running, 0);
});

Deno.test("charge() is asked for again when the broker comes back", async () => {
  await using cluster = await TestCluster.start();
  const bank = new PaperBank();
  await cluster.worker({ handlers: shopHandlers(bank) });
  const client = cluster.client<Shop>();
  await client.ready();

  cluster.killBroker();
  const call = client.call("charge", { order: "a1", amount: 5 });
  await cluster.advance(5000);
  assertEquals(bank.paid.size, 0);
  await cluster.startBroker();
  await cluster.advance(60_000);
  assertEquals((await call).json(), { attempt: 1 });
});
