/**
 * Judges what was measured by what is expected. A ratio says how many times as fast as the naive
 * reference Rota is: less is worse. Of a count more is worse.
 *
 * @module
 */

/** What is expected, by name. */
export interface Expected {
  readonly ratios: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
}

/** What became worse by more than this part fails. */
const MOST_LOSS = 0.3;

/** Whether a ratio is as good as expected, or nearly. */
export function isRatioFine(measured: number, wanted: number): boolean {
  return measured >= wanted * (1 - MOST_LOSS);
}

/** Whether a count is as small as expected, or nearly. */
export function isCountFine(measured: number, wanted: number): boolean {
  return measured <= wanted * (1 + MOST_LOSS);
}

/** What is wrong: too slow, too many, or not the same names. */
export function faultsOf(measured: Expected, wanted: Expected): string[] {
  return [
    ...compare(measured.ratios, wanted.ratios, isRatioFine, "times as fast as the reference"),
    ...compare(measured.counts, wanted.counts, isCountFine, "counted"),
  ];
}

function compare(
  measured: Readonly<Record<string, number>>,
  wanted: Readonly<Record<string, number>>,
  isFine: (measured: number, wanted: number) => boolean,
  unit: string,
): string[] {
  const names = new Set([...Object.keys(measured), ...Object.keys(wanted)]);
  return [...names].flatMap((name) => {
    const [now, then] = [measured[name], wanted[name]];
    if (now === undefined) return [`${name}: expected, but not measured`];
    if (then === undefined) return [`${name}: measured, but nothing is expected`];
    if (isFine(now, then)) return [];
    return [`${name}: ${now.toFixed(1)} ${unit}, where ${then} is expected`];
  });
}
