/**
 * Tables of text: aligned columns under their names, cut to the width of a terminal where one is.
 *
 * @module
 */
import { cut, pad, widthOf } from "./width.ts";

/** One column. */
export interface Column {
  readonly name: string;
  /** Numbers stand on the right. */
  readonly right?: boolean;
  /** Whether its cells may be cut where the terminal is too narrow. */
  readonly cut?: boolean;
}

const GAP = "  ";
/** Cells aren't cut to less than this. */
const LEAST = 8;

/**
 * Lines of a table, the names of its columns first. Cells must be fit for a terminal already.
 *
 * @example
 * ```ts
 * import { table } from "./table.ts";
 *
 * const lines = table([{ name: "worker" }, { name: "jobs", right: true }], [["w1", "3"]]);
 * if (lines.join("\n") !== "WORKER  JOBS\nw1         3") throw new Error("not aligned");
 * ```
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Infinity,
): string[] {
  const lines = [columns.map(({ name }) => name.toUpperCase()), ...rows];
  const widths = columns.map((_, i) =>
    lines.reduce((most, line) => Math.max(most, widthOf(line[i] ?? "")), 0)
  );
  fit(columns, widths, width - GAP.length * (columns.length - 1));
  return lines.map((line) =>
    columns.map(({ right }, i) => pad(cut(line[i] ?? "", widths[i]!), widths[i]!, right))
      .join(GAP).trimEnd()
  );
}

/** Takes columns away from the widest cells that may be cut, until the line fits or none is left. */
function fit(columns: readonly Column[], widths: number[], room: number): void {
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    let widest = -1;
    for (let i = 0; i < widths.length; i++) {
      if (!columns[i]!.cut || widths[i]! <= LEAST) continue;
      if (widest < 0 || widths[i]! > widths[widest]!) widest = i;
    }
    if (widest < 0) return;
    widths[widest]!--;
    over--;
  }
}
