/**
 * The handlers of the word count. They run in threads, so they stand in a module of their own: each
 * thread imports it.
 *
 * @module
 */
import type { Job } from "../../mod.ts";

/** How often each word of a text occurs. Numbers are no words. */
export function count(job: Job): Record<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of job.text().toLowerCase().matchAll(/\p{L}+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
