import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { fullJitter, reconnectDelay } from "./backoff.ts";

Deno.test("reconnectDelay() doesn't grow without a max above the interval", () => {
  for (const max of [0, 50, 100]) {
    for (const attempt of [0, 1, 10, 1e9]) {
      assertEquals(reconnectDelay(attempt, 100, max, 0), 100);
      assertEquals(reconnectDelay(attempt, 100, max, 0.5), 150);
    }
  }
});

Deno.test("reconnectDelay() doubles up to its max and keeps a random part", () => {
  const delays = [0, 1, 2, 3, 4, 5, 1e9].map((attempt) => reconnectDelay(attempt, 100, 1000, 0));
  assertEquals(delays, [100, 200, 400, 800, 900, 900, 900]);
  assertEquals(reconnectDelay(9, 100, 1000, 0.5), 950);
});

Deno.test("reconnectDelay() with no interval doesn't wait", () => {
  assertEquals(reconnectDelay(1e9, 0, 0, 0.9), 0);
  assertEquals(reconnectDelay(1e9, 0, 1000, 0.9), 0);
});

Deno.test("reconnectDelay() stays between its interval and its max", () => {
  fc.assert(fc.property(
    fc.nat(100),
    fc.integer({ min: 1, max: 10_000 }),
    fc.integer({ min: 1, max: 100_000 }),
    fc.double({ min: 0, max: 0.999_999, noNaN: true }),
    (attempt, interval, more, random) => {
      const delay = reconnectDelay(attempt, interval, interval + more, random);
      return delay >= interval && delay <= interval + more;
    },
  ));
});

Deno.test("fullJitter() takes a random part of a doubling bound", () => {
  assertEquals(fullJitter(0, 100, 30_000, 0), 0);
  assertEquals(fullJitter(0, 100, 30_000, 0.5), 50);
  assertEquals(fullJitter(3, 100, 30_000, 0.5), 400);
  assertEquals(fullJitter(9, 100, 30_000, 0.5), 15_000);
  assertEquals(fullJitter(1e9, 100, 30_000, 0.5), 15_000);
});
