import { assertEquals } from "@std/assert";
import { faultsOf } from "./judge.ts";

const WANTED = { ratios: { fast: 10 }, counts: { few: 10 } };

Deno.test("faultsOf() finds nothing where all is as expected, better, or a little worse", () => {
  assertEquals(faultsOf(WANTED, WANTED), []);
  assertEquals(faultsOf({ ratios: { fast: 7.1 }, counts: { few: 12.9 } }, WANTED), []);
  assertEquals(faultsOf({ ratios: { fast: 90 }, counts: { few: 0 } }, WANTED), []);
});

Deno.test("faultsOf() finds a loss of more than 30 %", () => {
  const slow = faultsOf({ ratios: { fast: 6.9 }, counts: { few: 10 } }, WANTED);
  assertEquals(slow, ["fast: 6.9 times as fast as the reference, where 10 is expected"]);
  const many = faultsOf({ ratios: { fast: 10 }, counts: { few: 13.1 } }, WANTED);
  assertEquals(many, ["few: 13.1 counted, where 10 is expected"]);
});

Deno.test("faultsOf() finds names that only one side has", () => {
  assertEquals(faultsOf({ ratios: {}, counts: { few: 10, new: 1 } }, WANTED), [
    "fast: expected, but not measured",
    "new: measured, but nothing is expected",
  ]);
});
