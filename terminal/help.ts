/**
 * Lists for help texts: a name, a value, and what they mean, aligned and broken at 80 columns.
 *
 * @module
 */
import type { OptionSpec } from "./options.ts";

/** What every terminal has. */
const COLUMNS = 80;
/** A name that is longer stands on a line of its own. */
const NAME_COLUMNS = 44;
const INDENT = "  ";

/**
 * Names and what they mean, the meanings aligned.
 *
 * @example
 * ```ts
 * import { helpLines } from "./help.ts";
 *
 * const lines = helpLines([["workers", "who is there"], ["quit", "ends it"]]);
 * if (lines[1] !== "  quit     ends it") throw new Error(lines[1]);
 * ```
 */
export function helpLines(rows: readonly (readonly [string, string])[]): string[] {
  const lengths = rows.map(([name]) => name.length).filter((length) => length <= NAME_COLUMNS);
  const width = Math.max(0, ...lengths);
  const margin = INDENT.length + width + INDENT.length;
  return rows.flatMap(([name, about]) => {
    const isLong = name.length > width;
    const lines = wrap(about, COLUMNS - margin).map((line, i) =>
      `${INDENT}${(i === 0 && !isLong ? name : "").padEnd(width)}${INDENT}${line}`
    );
    return isLong ? [`${INDENT}${name}`, ...lines] : lines;
  });
}

/** The lines that list options. */
export function optionLines(specs: readonly OptionSpec[]): string[] {
  return helpLines(specs.map(({ name, short, takes, about, otherwise }) => {
    const letter = short === undefined ? "    " : `-${short}, `;
    const value = takes === undefined ? "" : ` ${takes}`;
    const rest = otherwise === undefined ? "" : ` (default ${otherwise})`;
    return [`${letter}--${name}${value}`, about + rest];
  }));
}

/** Words in lines of at most that many columns. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}
