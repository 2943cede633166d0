import { assertEquals, assertRejects } from "@std/assert";
import { SocketError } from "../errors.ts";
import { MemoryNetwork } from "../io/memory_io.ts";
import { Waiters } from "./waiters.ts";

/** A line on simulated time, and what became of each call in it. */
function line() {
  const network = new MemoryNetwork();
  const waiters = new Waiters<string, number>(network.io(), "act", "nothing came");
  const log: string[] = [];
  const wait = (name: string, timeout = -1, most = 0) =>
    waiters.wait(name, timeout, most).then(
      (result) => log.push(`${name} got ${result} at ${network.now}`),
      (error: SocketError) => log.push(`${name} ${error.code} at ${network.now}`),
    );
  return { network, waiters, log, wait };
}

Deno.test("Waiters serve first come, first served", async () => {
  const { network, waiters, log, wait } = line();
  for (const name of ["a", "b", "c"]) wait(name);
  assertEquals(waiters.empty, false);
  waiters.shift(1);
  waiters.shift(2);
  await network.settle();
  assertEquals(log, ["a got 1 at 0", "b got 2 at 0"]);
  waiters.shift(3);
  assertEquals(waiters.empty, true);
});

Deno.test("Waiters.wait() fails at once with a timeout of 0, and after its timeout", async () => {
  const { network, waiters, log, wait } = line();
  wait("now", 0);
  wait("soon", 100);
  wait("later", 200);
  wait("never");
  await network.settle();
  assertEquals(log, ["now EAGAIN at 0"]);
  await network.advance(150);
  assertEquals(log.slice(1), ["soon EAGAIN at 100"]);
  waiters.shift(7);
  await network.advance(10_000);
  assertEquals(log.slice(2), ["later got 7 at 150"]);
  assertEquals(waiters.some((name) => name === "never"), true);
});

Deno.test("Waiters.wait() fails at once when as many wait as may", async () => {
  const { network, waiters, log, wait } = line();
  for (const name of ["a", "b", "c"]) wait(name, -1, 2);
  await network.settle();
  assertEquals(log, ["c EAGAIN at 0"]);
  await assertRejects(() => waiters.wait("d", -1, 2), SocketError, "Cannot act: nothing came, and");
  await assertRejects(
    () => waiters.wait("e", 0, 0),
    SocketError,
    "Cannot act: nothing came in time",
  );
});

Deno.test("Waiters.sweep() lets each try: done, failed, or still in line and in order", async () => {
  const { network, waiters, log, wait } = line();
  for (const name of ["stays", "done", "throws", "stays too"]) wait(name, 1000);
  waiters.sweep((name) => {
    if (name === "throws") throw new SocketError("EHOSTUNREACH", "no");
    return name === "done";
  }, 5);
  await network.settle();
  assertEquals(log, ["done got 5 at 0", "throws EHOSTUNREACH at 0"]);
  const order: string[] = [];
  waiters.sweep((name) => order.push(name) < 0, 0);
  assertEquals(order, ["stays", "stays too"]);
  await network.advance(1000);
  assertEquals(log.slice(2), ["stays EAGAIN at 1000", "stays too EAGAIN at 1000"]);
  assertEquals(waiters.empty, true);
});

Deno.test("Waiters.cut() fails all, and leaves no timer behind", async () => {
  const { network, waiters, log, wait } = line();
  wait("a", 100);
  wait("b");
  waiters.cut();
  await network.advance(1000);
  assertEquals(log, ["a EAGAIN at 0", "b EAGAIN at 0"]);
  assertEquals(waiters.empty, true);
});
