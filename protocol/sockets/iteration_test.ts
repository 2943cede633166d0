import { assertEquals, assertRejects } from "@std/assert";
import { SocketError } from "../errors.ts";
import { MemoryNetwork } from "../io/memory_io.ts";
import { Dealer } from "../mod.ts";

/** Two Dealers that know each other. */
async function pair(): Promise<{ one: Dealer; other: Dealer }> {
  const network = new MemoryNetwork();
  const one = new Dealer({ io: network.io("one") });
  await one.bind("tcp://127.0.0.1:*");
  const other = new Dealer({ io: network.io("other") });
  other.connect(one.lastEndpoint!);
  return { one, other };
}

Deno.test("for await over a socket gives messages that wait and messages that come, in order", async () => {
  await using stack = new AsyncDisposableStack();
  const { one, other } = await pair();
  stack.use(one);
  stack.use(other);
  for (let i = 0; i < 3; i++) await other.send(String(i));
  const seen: string[] = [];
  for await (const frames of one) {
    seen.push(frames.join());
    if (seen.length === 3) await other.send("late");
    if (seen.length === 4) break;
  }
  assertEquals(seen, ["0", "1", "2", "late"]);
});

Deno.test("for await leaves the socket open when it is left, and what it didn't take", async () => {
  await using stack = new AsyncDisposableStack();
  const { one, other } = await pair();
  stack.use(one);
  stack.use(other);
  await other.send("first");
  await other.send("second");
  for await (const frames of one) {
    assertEquals(frames.join(), "first");
    break;
  }
  assertEquals((await one.receive()).join(), "second");
});

Deno.test("next() called ahead waits in line, and the end of the socket ends all of them", async () => {
  const { one, other } = await pair();
  const messages = one[Symbol.asyncIterator]();
  const results = [messages.next(), messages.next(), messages.next()];
  await other.send("only one");
  assertEquals(String((await results[0]!).value), "only one");
  one.close();
  assertEquals(await Promise.all(results.slice(1)), [
    { value: undefined, done: true },
    { value: undefined, done: true },
  ]);
  assertEquals(await messages.next(), { value: undefined, done: true });
  other.close();
});

Deno.test("next() fails as receive() does, and the iteration is over then", async () => {
  await using dealer = new Dealer({ io: new MemoryNetwork().io(), receiveTimeout: 0 });
  const messages = dealer[Symbol.asyncIterator]();
  const error = await assertRejects(() => messages.next(), SocketError);
  assertEquals(error.code, "EAGAIN");
  assertEquals(await messages.next(), { value: undefined, done: true });
});

Deno.test("return() ends an iteration, and another one goes on", async () => {
  await using stack = new AsyncDisposableStack();
  const { one, other } = await pair();
  stack.use(one);
  stack.use(other);
  await other.send("for the second");
  const first = one[Symbol.asyncIterator]();
  await first.return!();
  assertEquals(await first.next(), { value: undefined, done: true });
  const second = one[Symbol.asyncIterator]();
  assertEquals(String((await second.next()).value), "for the second");
});
