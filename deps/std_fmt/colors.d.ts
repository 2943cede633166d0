/** Types of `@std/fmt/colors`, which its npm build lacks. */

/** A 24-bit color, each part from 0 to 255. */
export interface Rgb {
  /** Red. */
  r: number;
  /** Green. */
  g: number;
  /** Blue. */
  b: number;
}

/** Switches colors on or off; without effect where NO_COLOR is set. */
export function setColorEnabled(value: boolean): void;

/** Whether colors are on. */
export function getColorEnabled(): boolean;

/** Text with every style reset. */
export function reset(str: string): string;

/** Bold text. */
export function bold(str: string): string;

/** Dimmed text. */
export function dim(str: string): string;

/** Italic text. */
export function italic(str: string): string;

/** Underlined text. */
export function underline(str: string): string;

/** Text with its colors swapped. */
export function inverse(str: string): string;

/** Hidden text. */
export function hidden(str: string): string;

/** Text struck through. */
export function strikethrough(str: string): string;

/** Text in black. */
export function black(str: string): string;

/** Text in red. */
export function red(str: string): string;

/** Text in green. */
export function green(str: string): string;

/** Text in yellow. */
export function yellow(str: string): string;

/** Text in blue. */
export function blue(str: string): string;

/** Text in magenta. */
export function magenta(str: string): string;

/** Text in cyan. */
export function cyan(str: string): string;

/** Text in white. */
export function white(str: string): string;

/** Text in gray. */
export function gray(str: string): string;

/** Text in bright black. */
export function brightBlack(str: string): string;

/** Text in bright red. */
export function brightRed(str: string): string;

/** Text in bright green. */
export function brightGreen(str: string): string;

/** Text in bright yellow. */
export function brightYellow(str: string): string;

/** Text in bright blue. */
export function brightBlue(str: string): string;

/** Text in bright magenta. */
export function brightMagenta(str: string): string;

/** Text in bright cyan. */
export function brightCyan(str: string): string;

/** Text in bright white. */
export function brightWhite(str: string): string;

/** Text on black. */
export function bgBlack(str: string): string;

/** Text on red. */
export function bgRed(str: string): string;

/** Text on green. */
export function bgGreen(str: string): string;

/** Text on yellow. */
export function bgYellow(str: string): string;

/** Text on blue. */
export function bgBlue(str: string): string;

/** Text on magenta. */
export function bgMagenta(str: string): string;

/** Text on cyan. */
export function bgCyan(str: string): string;

/** Text on white. */
export function bgWhite(str: string): string;

/** Text on bright black. */
export function bgBrightBlack(str: string): string;

/** Text on bright red. */
export function bgBrightRed(str: string): string;

/** Text on bright green. */
export function bgBrightGreen(str: string): string;

/** Text on bright yellow. */
export function bgBrightYellow(str: string): string;

/** Text on bright blue. */
export function bgBrightBlue(str: string): string;

/** Text on bright magenta. */
export function bgBrightMagenta(str: string): string;

/** Text on bright cyan. */
export function bgBrightCyan(str: string): string;

/** Text on bright white. */
export function bgBrightWhite(str: string): string;

/** Text in one of the 256 colors. */
export function rgb8(str: string, color: number): string;

/** Text on one of the 256 colors. */
export function bgRgb8(str: string, color: number): string;

/** Text in a 24-bit color. */
export function rgb24(str: string, color: number | Rgb): string;

/** Text on a 24-bit color. */
export function bgRgb24(str: string, color: number | Rgb): string;

/** The text without its escape codes. */
export function stripAnsiCode(string: string): string;
