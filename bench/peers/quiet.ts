// deno-lint-ignore-file no-console
/**
 * Measuring on a machine that others use too: a run that something disturbed is made again.
 *
 * @module
 */
import type { Observer } from "./observer.ts";

/** Anything else on the machine that uses more of a core spoils a run. */
export const DISTURBED_CORES = 0.15;
/** How often a run is made at most. */
const TRIES = 3;

/** What tells whether a run was disturbed. */
export interface Watched {
  /** Cores that anything else used meanwhile. */
  readonly otherCores: number;
}

/** Whether something else used the machine during a run. */
export function isDisturbed({ otherCores }: Watched): boolean {
  return otherCores > DISTURBED_CORES;
}

/** Measures until a run is undisturbed, three times at most; gives the least disturbed one. */
export async function measureQuietly<R extends Watched>(
  observer: Pick<Observer, "quiet">,
  waitSeconds: number,
  measure: () => Promise<R>,
): Promise<R> {
  let best: R | undefined;
  for (let i = 0; i < TRIES && (best === undefined || isDisturbed(best)); i++) {
    if (i > 0) console.error(`  disturbed by ${best!.otherCores.toFixed(2)} cores: again`);
    await observer.quiet(DISTURBED_CORES, waitSeconds);
    const run = await measure();
    if (best === undefined || run.otherCores < best.otherCores) best = run;
  }
  return best!;
}
