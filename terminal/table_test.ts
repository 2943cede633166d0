/**
 * Tables and the widths of what stands in them.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { table } from "./table.ts";
import { cut, pad, widthOf } from "./width.ts";

Deno.test("widthOf() counts columns, not characters", () => {
  const widths: [string, number][] = [
    ["", 0],
    ["abc", 3],
    ["äöü", 3],
    ["日本", 4],
    ["한국", 4],
    ["ｆｕｌｌ", 8],
    ["🙂", 2],
    ["⏩", 2],
    ["e\u0301", 1],
    ["ก\u0e31", 1],
    ["a…b", 3],
    ["\u{20000}", 2],
  ];
  for (const [text, width] of widths) assertEquals(widthOf(text), width, text);
});

Deno.test("pad() fills up to columns on either side, and never cuts", () => {
  assertEquals([pad("日本", 6), pad("日本", 6, true), pad("abc", 2)], ["日本  ", "  日本", "abc"]);
});

Deno.test("cut() keeps to the columns, and marks what it cut", () => {
  assertEquals(cut("abcdef", 6), "abcdef");
  assertEquals(cut("abcdef", 5), "abcd…");
  // A wide character that would stand half in is left out.
  assertEquals(cut("日本語", 4), "日…");
  for (let width = 1; width < 8; width++) {
    assertEquals(widthOf(cut("a日b本c語", width)) <= width, true);
  }
});

Deno.test("table() aligns wide names with narrow ones", () => {
  const lines = table(
    [{ name: "name" }, { name: "jobs", right: true }, { name: "state" }],
    [["w1", "3", "idle"], ["日本語", "12,345", "busy"], ["e\u0301t", "1", ""]],
  );
  assertEquals(lines, [
    "NAME      JOBS  STATE",
    "w1           3  idle",
    "日本語  12,345  busy",
    "e\u0301t           1",
  ]);
});

Deno.test("table() cuts the widest cells that may be cut, and only as far as it must", () => {
  const columns = [{ name: "a", cut: true }, { name: "b", cut: true }, { name: "c" }];
  const rows = [["x".repeat(50), "y".repeat(30), "z".repeat(20)]];
  for (const width of [60, 75, 90, 103]) {
    const lines = table(columns, rows, width);
    assertEquals(widthOf(lines[1]!), width);
    assertEquals(lines[1]!.endsWith("z".repeat(20)), true);
  }
  assertEquals(table(columns, rows, 104)[1], rows[0]!.join("  "));
  // There is a point past which nothing can be read any more.
  assertEquals(widthOf(table(columns, rows, 10)[1]!), 8 + 2 + 8 + 2 + 20);
});

Deno.test("table() takes any number of rows", () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [String(i)]);
  const lines = table([{ name: "n", right: true }], rows);
  assertEquals([lines.length, lines[1], lines.at(-1)], [200_001, "     0", "199999"]);
});

Deno.test("table() has its head alone where there are no rows", () => {
  assertEquals(table([{ name: "in flight", right: true }, { name: "b" }], []), ["IN FLIGHT  B"]);
});
