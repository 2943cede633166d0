/**
 * Suggestions for words that nobody knows.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { nearest } from "./suggest.ts";

const NAMES = ["workers", "running", "backlog", "stats", "dead", "retry", "drop", "exit", "quit"];

Deno.test("nearest() finds what was meant", () => {
  const slips: [string, string | undefined][] = [
    ["worker", "workers"],
    ["wrokers", "workers"],
    ["WORKERS", "workers"],
    ["runing", "running"],
    ["wo", "workers"],
    ["back", "backlog"],
    ["stat", "stats"],
    ["staats", "stats"],
    ["qiut", "quit"],
    ["exti", "exit"],
    ["potato", undefined],
    ["x", undefined],
    ["", undefined],
    ["w".repeat(1000), undefined],
  ];
  for (const [word, meant] of slips) assertEquals(nearest(word, NAMES), meant, word);
});

Deno.test("nearest() prefers the nearer one, and the first of two", () => {
  assertEquals(nearest("backend", ["frontend", "backend-x", "backen"]), "backend-x");
  assertEquals(nearest("abcx", ["abcy", "abcz"]), "abcy");
  assertEquals(nearest("anything", []), undefined);
});
