/**
 * Numbers with units, read and written.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { bytesText, countText, readQuantity, timeText, type Unit } from "./quantity.ts";

Deno.test("readQuantity() reads numbers with and without units", () => {
  const good: [string, Unit, number][] = [
    ["0", "count", 0],
    ["1000000", "count", 1_000_000],
    ["1_000_000", "count", 1_000_000],
    ["1.5", "count", 1.5],
    ["64MiB", "bytes", 64 * 1024 ** 2],
    ["64 mib", "bytes", 64 * 1024 ** 2],
    ["1.5KiB", "bytes", 1536],
    ["10kB", "bytes", 10_000],
    ["2GB", "bytes", 2e9],
    ["1TiB", "bytes", 1024 ** 4],
    ["512B", "bytes", 512],
    ["512", "bytes", 512],
    ["3", "seconds", 3],
    ["0.5s", "seconds", 0.5],
    ["500ms", "seconds", 0.5],
    ["2min", "seconds", 120],
    ["1h", "seconds", 3600],
    ["1d", "seconds", 86_400],
    ["100ms", "seconds", 0.1],
  ];
  for (const [text, unit, value] of good) assertEquals(readQuantity(text, unit), value, text);
});

Deno.test("readQuantity() takes nothing else for a number", () => {
  const bad = [
    "",
    " 1",
    "1 ",
    "1  s",
    "-1",
    "+1",
    "1e3",
    "0x10",
    "ten",
    "1.",
    ".5",
    "1,000",
    "1__s",
    "_1",
  ];
  for (const text of bad) assertEquals(readQuantity(text, "count"), undefined, text);
  assertEquals(readQuantity("5MiB", "count"), undefined);
  assertEquals(readQuantity("5MiB", "seconds"), undefined);
  assertEquals(readQuantity("5s", "bytes"), undefined);
  assertEquals(readQuantity("9".repeat(50), "count"), undefined);
  assertEquals(readQuantity("Infinity", "count"), undefined);
});

Deno.test("countText(), bytesText() and timeText() write what people read", () => {
  assertEquals([0, 999, 1234, 1_000_000].map(countText), ["0", "999", "1,234", "1,000,000"]);
  const sizes = [0, 1, 1023, 1024, 1536, 10 * 1024, 1024 ** 2, 200.4 * 1024 ** 2, 5 * 1024 ** 4];
  assertEquals(sizes.map(bytesText), [
    "0 B",
    "1 B",
    "1023 B",
    "1 KiB",
    "1.5 KiB",
    "10 KiB",
    "1 MiB",
    "200 MiB",
    "5 TiB",
  ]);
  const times = [0, 999, 1000, 1500, 9_940, 59_999, 60_000, 3_599_000, 3_600_000, 90_000_000];
  assertEquals(times.map(timeText), [
    "0 ms",
    "999 ms",
    "1.0 s",
    "1.5 s",
    "9.9 s",
    "59 s",
    "1 min 00 s",
    "59 min 59 s",
    "1 h 00 min",
    "1 d 01 h",
  ]);
});
