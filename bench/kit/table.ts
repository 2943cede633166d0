/**
 * Text in columns: names to the left, numbers to the right.
 *
 * @module
 */

/** An aligned table with a line under its first row; the first `names` columns hold no numbers. */
export function formatTable(rows: readonly (readonly string[])[], names: number): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const rule = widths.map((width) => "-".repeat(width));
  const [head, ...body] = rows;
  const lines = [head ?? [], rule, ...body].map((row) =>
    row.map((cell, i) => i < names ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)).join("  ")
  );
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** A number with thousands set apart. */
export function formatCount(number: number): string {
  return Math.round(number).toLocaleString("en-US");
}
