/**
 * Quotas of log lines: never more than allowed in any second, and every line that isn't told is in
 * a sum.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { LogQuota } from "./log_quota.ts";

/** Plays events at these times, with sums told as soon as they are due. */
function play(most: number, times: readonly number[]) {
  const quota = new LogQuota(most);
  const lines: number[] = [];
  const sums: [at: number, more: number][] = [];
  const sumUp = (until: number) => {
    for (let due = quota.due; due <= until; due = quota.due) {
      sums.push([due, quota.takeSum(due)]);
    }
  };
  for (const now of times) {
    sumUp(now);
    if (quota.take(now)) lines.push(now);
  }
  sumUp(1e12);
  return { lines, sums };
}

/** The most of these that lie within one second. */
function mostInSecond(times: readonly number[]): number {
  return Math.max(
    0,
    ...times.map((from) => times.filter((t) => t >= from && t < from + 1000).length),
  );
}

Deno.test("LogQuota tells what is few", () => {
  const times = Array.from({ length: 50 }, (_, i) => i * 100);
  assertEquals(play(20, times), { lines: times, sums: [] });
});

Deno.test("LogQuota keeps to its number in any second, and loses none", () => {
  for (const gap of [0.1, 1, 7, 20, 49, 51, 333]) {
    const times = Array.from({ length: 3000 }, (_, i) => i * gap);
    const { lines, sums } = play(20, times);
    assertEquals(mostInSecond(lines) <= 20, true, `gap ${gap}`);
    assertEquals(mostInSecond(sums.map(([at]) => at)) <= 1, true, `sums, gap ${gap}`);
    const more = sums.reduce((sum, [, count]) => sum + count, 0);
    assertEquals(lines.length + more, times.length, `gap ${gap}`);
  }
});

Deno.test("LogQuota sums up though nothing further happens", () => {
  assertEquals(play(1, [500, 500, 600, 700]), { lines: [500], sums: [[1500, 3]] });
});

Deno.test("LogQuota of one line counts the sum as that line", () => {
  const times = Array.from({ length: 500 }, (_, i) => i * 10);
  const { lines, sums } = play(1, times);
  assertEquals(mostInSecond([...lines, ...sums.map(([at]) => at)].sort((a, b) => a - b)), 1);
  assertEquals(lines.length + sums.reduce((sum, [, count]) => sum + count, 0), 500);
});

Deno.test("LogQuota has nothing due while all was told", () => {
  const quota = new LogQuota(2);
  assertEquals([quota.take(0), quota.take(0), quota.due], [true, true, Infinity]);
  assertEquals([quota.take(0), quota.due], [false, 1000]);
});
