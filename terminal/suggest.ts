/**
 * What somebody may have meant by a word that isn't known.
 *
 * @module
 */

/** Words longer than this are no slip of the finger. */
const LONGEST = 64;

/**
 * The name that is nearest to a word, if one is near enough.
 *
 * @example
 * ```ts
 * import { nearest } from "./suggest.ts";
 *
 * if (nearest("wrokers", ["workers", "running"]) !== "workers") throw new Error("not found");
 * if (nearest("potato", ["workers", "running"]) !== undefined) throw new Error("not near");
 * ```
 */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length === 0 || word.length > LONGEST) return undefined;
  const asked = word.toLowerCase();
  let best: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const known = name.toLowerCase();
    const beginning = asked.length > 1 && known.startsWith(asked);
    const away = beginning ? 0.5 : distance(asked, known);
    const near = Math.max(1, Math.floor(Math.max(asked.length, known.length) / 3));
    if (away <= near && away < least) [best, least] = [name, away];
  }
  return best;
}

/** Letters to add, take away, exchange or swap to make one word of the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let steps = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps = Math.min(steps, before[j - 2]! + 1);
      }
      row.push(steps);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
