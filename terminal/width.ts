/**
 * How many columns text takes on a terminal, so that tables stay aligned whatever the names are.
 *
 * @module
 */

/** From and to of code points that take two columns, in order: East Asian letters, pictures. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23ec],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

/** One character that stands on the one before it. Used on single characters only. */
const ON_TOP = /^[\p{Mn}\p{Me}]$/u;
/** One character that is shown as a picture of two columns. */
const PICTURE = /^\p{Emoji_Presentation}$/u;

/** Columns of one character. */
function columnsOf(char: string): number {
  const code = char.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (ON_TOP.test(char)) return 0;
  for (const [from, to] of WIDE) {
    if (code < from) break;
    if (code <= to) return 2;
  }
  return PICTURE.test(char) ? 2 : 1;
}

/**
 * Columns of a text without control characters.
 *
 * @example
 * ```ts
 * import { widthOf } from "./width.ts";
 *
 * if (widthOf("日本") !== 4 || widthOf("e\u0301") !== 1) throw new Error("not aligned");
 * ```
 */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += columnsOf(char);
  return width;
}

/** The text with spaces up to that many columns, behind it or in front of it. */
export function pad(text: string, width: number, right = false): string {
  const spaces = " ".repeat(Math.max(0, width - widthOf(text)));
  return right ? spaces + text : text + spaces;
}

/** The text in at most that many columns, with a mark where it was cut. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const char of text) {
    used += columnsOf(char);
    if (used > width) break;
    kept += char;
  }
  return `${kept}…`;
}
