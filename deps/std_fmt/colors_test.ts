// Shows that the @std/fmt/colors adapter paints and strips.

import { assertEquals } from "@std/assert";
import { bold, getColorEnabled, red, rgb24, setColorEnabled, stripAnsiCode } from "@std/fmt/colors";

Deno.test("colors paint when switched on, and stripAnsiCode() takes them off", () => {
  const before = getColorEnabled();
  setColorEnabled(false);
  assertEquals(red("x"), "x");
  setColorEnabled(true);
  assertEquals(stripAnsiCode(bold(rgb24("x", { r: 1, g: 2, b: 3 }))), "x");
  if (!Deno.noColor) assertEquals(red("x"), "\x1b[31mx\x1b[39m");
  setColorEnabled(before);
});
