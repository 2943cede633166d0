/**
 * What differs between a transcript as it is written and as it was played: the lines where they part
 * and where they meet again, with a few around them.
 *
 * @module
 */

/** Lines shown before and after. */
const AROUND = 4;

/** The difference for a person to read; undefined if there is none. */
export function differenceOf(written: string, played: string): string | undefined {
  if (written === played) return undefined;
  const [old, now] = [written.split("\n"), played.split("\n")];
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same++;
  let end = 0;
  while (end < shorter - same && old.at(-1 - end) === now.at(-1 - end)) end++;
  const before = old.slice(Math.max(0, same - AROUND), same);
  const after = old.slice(old.length - end, old.length - end + AROUND);
  return [
    `from line ${same + 1} on, - as it is written, + as it was played`,
    ...before.map((line) => `  ${line}`),
    ...old.slice(same, old.length - end).map((line) => `- ${line}`),
    ...now.slice(same, now.length - end).map((line) => `+ ${line}`),
    ...after.map((line) => `  ${line}`),
  ].join("\n");
}
