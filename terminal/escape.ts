/**
 * What strangers chose, made fit for a terminal: nothing that moves the cursor, reverses the text,
 * ends a line or can't be seen gets through. What is escaped can be told from what looks like it.
 *
 * @module
 */

/** From and to of code points that a terminal must not see as they are, in order. */
const UNSAFE: readonly (readonly [number, number])[] = [
  [0x00, 0x1f], // control characters, ESC among them
  [0x7f, 0xa0], // DEL, the second set of control characters, a space that looks like one
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // joins without being seen
  [0x61c, 0x61c], // a mark of direction
  [0x115f, 0x1160], // letters that are nothing
  [0x1680, 0x1680], // a space
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f], // spaces, joiners, marks of direction
  [0x2028, 0x202f], // line ends, embeddings and overrides of direction
  [0x205f, 0x206f], // isolates of direction, invisible operators
  [0x3000, 0x3000], // a wide space
  [0x3164, 0x3164],
  [0xd800, 0xdfff], // halves of characters
  [0xe000, 0xf8ff], // private use: every font shows something else
  [0xfe00, 0xfe0f], // selectors of variants
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffc],
  [0xfffe, 0xffff],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0x10ffff], // tags, more selectors, private use
];

const SHORT: ReadonlyMap<number, string> = new Map([
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0d, "\\r"],
  [0x5c, "\\\\"],
]);

/** Whether a terminal must not see that code point as it is. */
export function isUnsafe(code: number): boolean {
  if (code >= 0x20 && code < 0x7f) return false;
  for (const [from, to] of UNSAFE) {
    if (code < from) return false;
    if (code <= to) return true;
  }
  return false;
}

/**
 * The text with escapes in place of what a terminal must not see. Different texts stay different.
 *
 * @example
 * ```ts
 * import { escape } from "./escape.ts";
 *
 * if (escape("a\x1b[2J\n") !== "a\\x1b[2J\\n") throw new Error("not escaped");
 * ```
 */
export function escape(text: string): string {
  let safe = "";
  for (const char of text) {
    const code = char.codePointAt(0)!;
    safe += code !== 0x5c && !isUnsafe(code) ? char : SHORT.get(code) ?? escapeOf(code);
  }
  return safe;
}

/**
 * Text of several lines for people to read: as it is, with escapes only for what a terminal must not
 * see. Different texts may look the same.
 *
 * @example
 * ```ts
 * import { printable } from "./escape.ts";
 *
 * if (printable("a\\b\n\x1b[2J") !== "a\\b\n\\x1b[2J") throw new Error("not printable");
 * ```
 */
export function printable(text: string): string {
  let safe = "";
  for (const char of text) {
    const code = char.codePointAt(0)!;
    safe += char === "\n" || char === "\t" || !isUnsafe(code) ? char : escapeOf(code);
  }
  return safe;
}

function escapeOf(code: number): string {
  const hex = code.toString(16);
  return code <= 0xff ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
}

/**
 * A name as one word: escaped, and in quotes where it is empty or has spaces or quotes.
 *
 * @example
 * ```ts
 * import { shown } from "./escape.ts";
 *
 * if (shown("w1") !== "w1" || shown("my worker") !== '"my worker"') throw new Error("not a word");
 * ```
 */
export function shown(name: string): string {
  const safe = escape(name);
  if (safe !== "" && !safe.includes(" ") && !safe.includes('"')) return safe;
  return `"${safe.replaceAll('"', '\\"')}"`;
}

/**
 * A value as JSON in one line that any terminal can take: valid JSON that means just that value.
 *
 * @example
 * ```ts
 * import { toJson } from "./escape.ts";
 *
 * const text = toJson({ name: "\u202eevil" });
 * if (text !== '{"name":"\\u202eevil"}') throw new Error(text);
 * ```
 */
export function toJson(value: unknown): string {
  let safe = "";
  for (const char of JSON.stringify(value)) {
    if (!isUnsafe(char.codePointAt(0)!)) safe += char;
    else for (let i = 0; i < char.length; i++) safe += unit(char.charCodeAt(i));
  }
  return safe;
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
