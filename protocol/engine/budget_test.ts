import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { Budget, BUDGET_BYTES } from "./budget.ts";

const KIB = 1024;

Deno.test("Budget.take() rounds up: powers of two from 1 KiB to 256 KiB, then steps of 64 KiB", () => {
  const sizes: [asked: number, given: number][] = [
    [0, KIB],
    [1, KIB],
    [KIB, KIB],
    [KIB + 1, 2 * KIB],
    [200 * KIB, 256 * KIB],
    [256 * KIB, 256 * KIB],
    [256 * KIB + 1, 320 * KIB],
    [1000 * KIB, 1024 * KIB],
    [63 * KIB * KIB + 9, 63 * KIB * KIB + 64 * KIB],
  ];
  for (const [asked, given] of sizes) {
    const budget = new Budget();
    assertEquals(budget.take(asked).length, given);
    assertEquals([budget.used, budget.peak], [given, given]);
  }
});

Deno.test("Budget.take() refuses what offsets can't address, and counts nothing", () => {
  const budget = new Budget();
  assertThrows(() => budget.take(2 ** 30 + 1), RangeError, "Cannot take a buffer");
  assertEquals([budget.used, budget.peak], [0, 0]);
});

Deno.test("Budget.give() keeps small buffers for the next taker, and no large ones", () => {
  const budget = new Budget();
  for (const size of [KIB, 8 * KIB, 256 * KIB]) {
    const first = budget.take(size);
    budget.give(first);
    assertStrictEquals(budget.take(size), first);
  }
  const large = budget.take(257 * KIB);
  budget.give(large);
  assertNotStrictEquals(budget.take(257 * KIB), large);
});

Deno.test("Budget.give() keeps at most 1 MiB of each size, and 16 MiB of the largest", () => {
  for (const [size, kept] of [[2 * KIB, 512], [128 * KIB, 8], [256 * KIB, 64]] as const) {
    const budget = new Budget();
    const taken = Array.from({ length: kept + 6 }, () => budget.take(size));
    for (const bytes of taken) budget.give(bytes);
    assertEquals(budget.used, 0);
    const again = new Set(Array.from({ length: kept + 6 }, () => budget.take(size)));
    assertEquals(taken.filter((bytes) => again.has(bytes)).length, kept);
  }
});

Deno.test("Budget.charge() and discharge() count what is held elsewhere; peak stays", () => {
  const budget = new Budget(100);
  budget.charge(60);
  budget.charge(30);
  budget.discharge(60);
  budget.charge(5);
  assertEquals([budget.used, budget.peak, budget.charged], [35, 90, 35]);
  budget.take(1);
  assertEquals([budget.used, budget.charged], [35 + KIB, 35]);
});

Deno.test("Budget.allows() exactly up to its limit, which may be changed", () => {
  const budget = new Budget(100);
  budget.charge(40);
  assertEquals([budget.allows(60), budget.allows(61), budget.allows(0)], [true, false, true]);
  budget.limit = 30;
  assertEquals([budget.allows(0), new Budget().limit], [false, BUDGET_BYTES]);
});

Deno.test("Budget: used is the sum of what is out, and no buffer is out twice", () => {
  const step = fc.record({ take: fc.boolean(), size: fc.nat(600 * KIB), which: fc.nat(20) });
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const budget = new Budget();
    const out: Uint8Array[] = [];
    let peak = 0;
    for (const { take, size, which } of steps) {
      if (take) {
        const bytes = budget.take(size);
        assert(bytes.length >= size);
        assert(!out.includes(bytes));
        out.push(bytes);
      } else if (out.length > 0) {
        budget.give(out.splice(which % out.length, 1)[0]!);
      }
      const sum = out.reduce((total, bytes) => total + bytes.length, 0);
      peak = Math.max(peak, sum);
      assertEquals([budget.used, budget.peak], [sum, peak]);
    }
  }));
});
