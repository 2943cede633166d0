/**
 * Tables and sections in Markdown, written as `deno fmt` writes them.
 *
 * @module
 */

/** A table; the first `names` columns hold names, the others numbers. */
export function markdownTable(rows: readonly (readonly string[])[], names: number): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, i) => Math.max(3, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => pad(cell, widths[i]!, i < names)).join(" | ")} |`;
  const rule = widths.map((width, i) =>
    i < names ? "-".repeat(width) : `${"-".repeat(width - 1)}:`
  );
  return [line(head), `| ${rule.join(" | ")} |`, ...body.map(line)].join("\n");
}

function pad(cell: string, width: number, isName: boolean): string {
  return isName ? cell.padEnd(width) : cell.padStart(width);
}

/** A document with what stands between the marks of that name replaced. */
export function replaceSection(document: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
  const from = document.indexOf(start);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`Cannot publish: no place is marked ${name}`);
  return `${document.slice(0, from + start.length)}\n${text}\n${document.slice(to)}`;
}
