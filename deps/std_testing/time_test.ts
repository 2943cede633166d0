// Shows that the adapter's FakeTime fakes what the original fakes, leaves the rest, and undoes all.

import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { FakeTime, TimeError } from "@std/testing/time";

Deno.test("FakeTime fakes Date from a start, or from the present", () => {
  const before = Date.now();
  {
    using time = new FakeTime("2020-01-01T00:00:00Z");
    assertEquals(new Date().toISOString(), "2020-01-01T00:00:00.000Z");
    time.tick(1_500);
    assertEquals(Date.now() - time.start, 1_500);
    assert(new Date() instanceof Date);
  }
  using present = new FakeTime();
  assert(present.now >= before && present.now < before + 60_000);
  assertThrows(() => present.now = 0, RangeError);
});

Deno.test("tick() calls timers in the order of time and honours their being cleared", () => {
  using time = new FakeTime(0);
  const seen: string[] = [];
  setTimeout(() => seen.push("b"), 20);
  setTimeout((word: string) => seen.push(word), 10, "a");
  const dropped = setTimeout(() => seen.push("dropped"), 15);
  clearTimeout(dropped);
  const beat = setInterval(() => seen.push(`beat ${Date.now()}`), 25);
  time.tick(50);
  clearInterval(beat);
  time.tick(50);
  assertEquals(seen, ["a", "b", "beat 25", "beat 50"]);
});

Deno.test("next() and runAll() go from timer to timer", async () => {
  using time = new FakeTime(0);
  let chain = 0;
  const again = () => {
    if (++chain < 3) setTimeout(again, 100);
  };
  setTimeout(again, 100);
  assert(time.next());
  assertEquals([time.now, chain], [100, 1]);
  time.runAll();
  assertEquals([time.now, chain], [300, 3]);
  assert(!time.next());
  assert(!await time.nextAsync());
  setTimeout(again, 5);
  await time.runAllAsync();
  assertEquals(time.now, 305);
});

Deno.test("tickAsync() lets microtasks run first", async () => {
  using time = new FakeTime(0);
  let done = false;
  const work = (async () => {
    await Promise.resolve();
    await new Promise<void>((resolve) => setTimeout(resolve, 10));
    done = true;
  })();
  await time.tickAsync(10);
  await time.runMicrotasks();
  assert(done);
  await work;
});

Deno.test("AbortSignal.timeout() runs on fake time, performance and microtasks do not", async () => {
  const { now } = performance;
  const queue = queueMicrotask;
  using time = new FakeTime(0);
  assertStrictEquals(performance.now, now);
  assertStrictEquals(queueMicrotask, queue);
  const signal = AbortSignal.timeout(1_000);
  time.tick(999);
  assert(!signal.aborted);
  time.tick(1);
  assert(signal.aborted);
  assertEquals(signal.reason.name, "TimeoutError");
  await new Promise<void>((resolve) => queueMicrotask(resolve));
});

Deno.test("restore() puts every original back", () => {
  const names = ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;
  const originals = names.map((name) => globalThis[name]);
  const timeout = AbortSignal.timeout;
  const time = new FakeTime();
  assert(names.every((name, i) => globalThis[name] !== originals[i]));
  assertThrows(() => new FakeTime(), TimeError);
  time.restore();
  assertEquals(names.map((name) => globalThis[name] as unknown), originals as unknown[]);
  assertStrictEquals(AbortSignal.timeout, timeout);
  assertThrows(() => time.restore(), TimeError);
  assertThrows(() => FakeTime.restore(), TimeError);
  assertThrows(() => new FakeTime("no date"), TypeError);
});

Deno.test("restoreFor() gives real time to one callback", async () => {
  using time = new FakeTime(0);
  const year = await FakeTime.restoreFor((add: number) => new Date().getFullYear() + add, 0);
  assert(year > 2000);
  assertEquals(Date.now(), time.now);
});

Deno.test("delay() waits in real time, advanceRate moves the fake with it", async () => {
  using time = new FakeTime(0, { advanceRate: 1_000, advanceFrequency: 1 });
  await new Promise<void>((resolve) => setTimeout(resolve, 1_000));
  assert(time.now >= 1_000);
  await assertRejects(() => time.delay(1, { signal: AbortSignal.abort(new Error("no")) }), Error);
});
