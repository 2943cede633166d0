import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { barLines, Histogram, shortTime } from "./histogram.ts";

/** The time that a part of all stayed within, found the plain way. */
function plain(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]!;
}

Deno.test("percentile() is right to one part in thirty, and never above the longest", () => {
  const times = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 1 });
  fc.assert(fc.property(times, fc.double({ min: 0, max: 1, noNaN: true }), (list, part) => {
    const histogram = new Histogram();
    for (const time of list) histogram.add(time);
    const [found, wanted] = [histogram.percentile(part), plain(list, part)];
    assert(found >= wanted * 0.999 && found <= wanted * 1.03, `${found} for ${wanted}`);
    assert(found <= Math.max(...list));
  }));
});

Deno.test("a histogram of nothing has no rows, and takes times of any size", () => {
  const histogram = new Histogram();
  assertEquals([histogram.rows(), histogram.percentile(0.99)], [[], 0]);
  for (const time of [0, -1, NaN, 1e300]) histogram.add(time);
  assertEquals(histogram.count, 4);
  assertEquals(histogram.rows().reduce((sum, { count }) => sum + count, 0), 4);
});

Deno.test("rows() has a row for each doubling between the first and the last, empty ones too", () => {
  const histogram = new Histogram();
  for (const time of [1.5, 1.6, 10]) histogram.add(time);
  assertEquals(histogram.rows(), [
    { from: 1, to: 2, count: 2 },
    { from: 2, to: 4, count: 0 },
    { from: 4, to: 8, count: 0 },
    { from: 8, to: 16, count: 1 },
  ]);
});

Deno.test("addAll() is as if all had been added to one", () => {
  const [all, one, other] = [new Histogram(), new Histogram(), new Histogram()];
  [1, 5, 80, 3].forEach((time, i) => {
    all.add(time);
    (i < 2 ? one : other).add(time);
  });
  one.addAll(other);
  assertEquals(one.rows(), all.rows());
  assertEquals([one.count, one.longest], [4, 80]);
});

Deno.test("barLines() aligns times, and shows the smallest count and no count", () => {
  const rows = [
    { from: 0, to: 0.25, count: 1 },
    { from: 0.25, to: 0.5, count: 1000 },
    { from: 0.5, to: 1, count: 0 },
  ];
  assertEquals(barLines(rows, 5), [
    "     0 - 250 us  #      1",
    "250 us - 500 us  #####  1000",
    "500 us -   1 ms         0",
  ]);
});

Deno.test("shortTime() needs few digits", () => {
  const told = [0, 0.0012, 0.25, 1, 1.234, 12.34, 123.4, 999.6, 65_536].map(shortTime);
  assertEquals(told, [
    "0",
    "1.2 us",
    "250 us",
    "1 ms",
    "1.23 ms",
    "12.3 ms",
    "123 ms",
    "1 s",
    "65.5 s",
  ]);
});
