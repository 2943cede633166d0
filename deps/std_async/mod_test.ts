// Shows that each function of the @std/async adapter does its work, on fake time where it waits.

import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  abortable,
  deadline,
  debounce,
  delay,
  MuxAsyncIterator,
  pooledMap,
  retry,
  RetryError,
  tee,
} from "@std/async";
import { delay as delayAlone } from "@std/async/delay";
import { FakeTime } from "@std/testing/time";

async function* count(from: number, to: number): AsyncGenerator<number> {
  for (let i = from; i <= to; i++) yield await Promise.resolve(i);
}

Deno.test("delay() waits on the global timer, and ends with its signal", async () => {
  using time = new FakeTime();
  let done = false;
  const wait = delay(1_000).then(() => done = true);
  await time.tickAsync(999);
  assert(!done);
  await time.tickAsync(1);
  await wait;
  const reason = new Error("enough");
  await assertRejects(() => delay(1, { signal: AbortSignal.abort(reason) }), Error, "enough");
  assertStrictEquals(delayAlone, delay);
});

Deno.test("deadline() rejects with TimeoutError", async () => {
  using time = new FakeTime();
  const never = new Promise<number>(() => {});
  const waiting = assertRejects(() => deadline(never, 50), DOMException);
  await time.tickAsync(50);
  assertEquals((await waiting).name, "TimeoutError");
});

Deno.test("abortable() ends a promise and an iterable", async () => {
  const signal = AbortSignal.abort(new Error("stop"));
  await assertRejects(() => abortable(new Promise<void>(() => {}), signal), Error, "stop");
  await assertRejects(() => Array.fromAsync(abortable(count(1, 3), signal)), Error, "stop");
  const open = new AbortController().signal;
  assertEquals(await Array.fromAsync(abortable(count(1, 3), open)), [1, 2, 3]);
});

Deno.test("debounce() makes one call of many", () => {
  using time = new FakeTime();
  const seen: string[] = [];
  const say = debounce((word: string) => void seen.push(word), 100);
  say("a");
  say("b");
  assert(say.pending);
  time.tick(100);
  assertEquals(seen, ["b"]);
});

Deno.test("retry() tries again, then gives up with RetryError", async () => {
  let calls = 0;
  const options = { minTimeout: 0, maxTimeout: 1, jitter: 0, maxAttempts: 3 };
  const second = () => ++calls < 2 ? Promise.reject(new Error("not yet")) : Promise.resolve(calls);
  assertEquals(await retry(second, options), 2);
  const error = await assertRejects(
    () => retry(() => Promise.reject(new Error("down")), options),
    RetryError,
  );
  assertEquals((error.cause as Error).message, "down");
});

Deno.test("pooledMap(), tee() and MuxAsyncIterator carry every item", async () => {
  const doubled = pooledMap(2, [1, 2, 3], (n) => Promise.resolve(n * 2));
  assertEquals(await Array.fromAsync(doubled), [2, 4, 6]);
  const [left, right] = tee(count(1, 3));
  assertEquals(await Array.fromAsync(left), [1, 2, 3]);
  assertEquals(await Array.fromAsync(right), [1, 2, 3]);
  const mux = new MuxAsyncIterator<number>();
  mux.add(count(1, 2));
  mux.add(count(3, 4));
  assertEquals((await Array.fromAsync(mux)).toSorted(), [1, 2, 3, 4]);
});
