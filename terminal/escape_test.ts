/**
 * Escapes: nothing dangerous gets through, nothing is confused, JSON stays JSON.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { escape, isUnsafe, printable, shown, toJson } from "./escape.ts";

/** Names that a peer could choose, and how they are shown. */
const NAMES: readonly (readonly [string, string])[] = [
  ["w1", "w1"],
  ["worker-1.example:7/äöü", "worker-1.example:7/äöü"],
  ["日本語 🙂", '"日本語 🙂"'],
  ["\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"],
  ["a\nb\r\tc", "a\\nb\\r\\tc"],
  ["\u202eevil\u202c\u2066x\u2069\u200f", "\\u{202e}evil\\u{202c}\\u{2066}x\\u{2069}\\u{200f}"],
  ["\x9b31m\x7f\x85", "\\x9b31m\\x7f\\x85"],
  ["a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
  ["a\\nb", "a\\\\nb"],
  ["\u{e0041}\u{10ffff}", "\\u{e0041}\\u{10ffff}"],
  ["\ud800x", "\\u{d800}x"],
  ["zero\u200bwidth\ufeff", "zero\\u{200b}width\\u{feff}"],
  ["", '""'],
  ["my worker", '"my worker"'],
  ['say "hi"', '"say \\"hi\\""'],
];

Deno.test("shown() shows names as one safe word", () => {
  for (const [name, expected] of NAMES) assertEquals(shown(name), expected);
});

Deno.test("escape() lets no code point through that a terminal must not see", () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = escape(String.fromCodePoint(code));
    for (const char of text) {
      if (isUnsafe(char.codePointAt(0)!)) throw new Error(`U+${code.toString(16)} gets through`);
    }
  }
});

Deno.test("isUnsafe() knows all control, format and surrogate characters, and line ends", () => {
  const bad = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
  // Letters and signs of living scripts that Unicode counts as format: they are seen.
  const seen =
    /[\u0600-\u0605\u06dd\u070f\u0890-\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1345f}]/u;
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code);
    if (bad.test(char) && !seen.test(char) && !isUnsafe(code)) {
      throw new Error(`U+${code.toString(16)} is taken for safe`);
    }
  }
});

Deno.test("escape() keeps different texts different", () => {
  const texts = ["\n", "\\n", "\\\\n", "\x1b", "\\x1b", "\u202e", "\\u{202e}", "a", ""];
  assertEquals(new Set(texts.map(escape)).size, texts.length);
});

Deno.test("toJson() gives JSON that means the same, with nothing dangerous in it", () => {
  for (const [name] of NAMES) {
    const text = toJson({ [name]: [name, 1, null] });
    assertEquals(JSON.parse(text), { [name]: [name, 1, null] });
    for (const char of text) assertEquals(isUnsafe(char.codePointAt(0)!), false, text);
  }
});

Deno.test("printable() keeps lines, tabs and backslashes, and nothing that moves a cursor", () => {
  assertEquals(printable("a\n\tb\\n ü 日"), "a\n\tb\\n ü 日");
  assertEquals(printable("\r\x1b[31m\u202e\x9b"), "\\x0d\\x1b[31m\\u{202e}\\x9b");
});
