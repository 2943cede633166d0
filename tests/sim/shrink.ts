/**
 * Makes a list of faults that breaks a promise short: first the shortest beginning of it that still
 * does, by halving, then without those that aren't needed.
 *
 * @module
 */

/** Whether a promise is still broken if only these happen. */
export type Breaks<T> = (items: readonly T[]) => Promise<boolean>;

/** The shortest beginning that breaks it still; all of them do. */
export async function shortestPrefix<T>(
  items: readonly T[],
  breaks: Breaks<T>,
): Promise<readonly T[]> {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await breaks(items.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return items.slice(0, high);
}

/** Leaves out what isn't needed: halves, quarters, and so on down to single ones. */
export async function withoutNeedless<T>(
  items: readonly T[],
  breaks: Breaks<T>,
): Promise<readonly T[]> {
  let kept = items;
  for (let size = items.length >> 1; size >= 1; size >>= 1) {
    // From the end on: what came last is needed most often, and tried once.
    for (let end = kept.length; end > 0; end -= size) {
      const from = Math.max(0, end - size);
      const fewer = [...kept.slice(0, from), ...kept.slice(end)];
      if (fewer.length < kept.length && await breaks(fewer)) kept = fewer;
    }
  }
  return kept;
}

/** Both. */
export async function shrink<T>(items: readonly T[], breaks: Breaks<T>): Promise<readonly T[]> {
  return await withoutNeedless(await shortestPrefix(items, breaks), breaks);
}
