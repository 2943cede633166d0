import { assertEquals, assertRejects } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { SeededRandom } from "./random.ts";
import { GlobalClock, SimulatedClock } from "./simulated_clock.ts";

Deno.test("SimulatedClock.advance() runs timers in the order of their time", async () => {
  const clock = new SimulatedClock();
  const log: string[] = [];
  const note = (what: string) => () => void log.push(`${clock.now()} ${what}`);
  clock.setTimer(note("c"), 30);
  clock.setTimer(note("a"), 10);
  clock.setTimer(note("b"), 10);
  clock.clearTimer(clock.setTimer(note("never"), 20));
  await clock.advance(29);
  assertEquals(log, ["10 a", "10 b"]);
  await clock.advance(1);
  assertEquals(log, ["10 a", "10 b", "30 c"]);
});

Deno.test("SimulatedClock.advance() lets microtasks settle between timers", async () => {
  const clock = new SimulatedClock();
  const log: string[] = [];
  clock.setTimer(async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
    clock.setTimer(() => void log.push(`nested ${clock.now()}`), 5);
  }, 10);
  clock.setTimer(() => void log.push(`last ${clock.now()}`), 20);
  await clock.advance(100);
  assertEquals(log, ["nested 15", "last 20"]);
  assertEquals(clock.now(), 100);
});

Deno.test("SimulatedClock.settle() follows long chains of events at one instant", async () => {
  const clock = new SimulatedClock();
  let left = 1000;
  const again = () => {
    if (--left > 0) clock.soon(again);
  };
  clock.setTimer(again, 0);
  await clock.settle();
  assertEquals(left, 0);
  assertEquals(clock.now(), 0);
});

Deno.test("SimulatedClock.advance() refuses to run backwards, and twice at a time", async () => {
  const clock = new SimulatedClock();
  await assertRejects(() => clock.advance(-1), RangeError, "Cannot advance");
  await assertRejects(() => clock.advance(NaN), RangeError, "Cannot advance");
  const moving = clock.advance(1);
  await assertRejects(() => clock.advance(1), Error, "moving already");
  await moving;
});

Deno.test("SimulatedClock.advance() throws what a timer throws", async () => {
  const clock = new SimulatedClock();
  clock.setTimer(() => {
    throw new Error("a bug");
  }, 1);
  await assertRejects(() => clock.advance(5), Error, "a bug");
  await clock.advance(5);
});

Deno.test("GlobalClock calls what a jump of fake time leaves behind at the time of its end", async () => {
  using time = new FakeTime(0);
  const clock = new GlobalClock();
  const log: string[] = [];
  const note = (what: string) => () => void log.push(`${clock.now()} ${what}`);
  clock.setTimer(note("late"), 10);
  clock.clearTimer(clock.setTimer(note("never"), 15));
  const doomed = clock.setTimer(note("too late"), 30);
  clock.setTimer(() => clock.clearTimer(doomed), 20);
  await time.tickAsync(9);
  assertEquals(log, []);
  await time.tickAsync(91);
  assertEquals(log, ["100 late"]);
});

Deno.test("SeededRandom.next() repeats by seed and fills the range evenly", () => {
  const numbers = (seed: number) => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 1000 }, () => random.next());
  };
  assertEquals(numbers(5), numbers(5));
  const buckets = new Array<number>(10).fill(0);
  for (const x of numbers(6)) buckets[Math.floor(x * 10)]!++;
  assertEquals(buckets.every((count) => count > 60 && count < 140), true);
});
