/**
 * How long things took: counted in buckets that grow with the time, so that a million of them cost no
 * more memory than ten, and every percentile is right to about one part in thirty.
 *
 * @module
 */

/** Buckets to each doubling. */
const STEPS = 32;
/** The shortest time that is told from nothing, in ms. */
const LEAST = 1 / 1024;
/** Doublings: from a thousandth of a millisecond to half a year. */
const DOUBLINGS = 44;

/** One row of a picture: how often it took between these times, in ms. */
export interface HistogramRow {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/**
 * Times in ms.
 *
 * @example
 * ```ts
 * import { Histogram } from "./histogram.ts";
 *
 * const times = new Histogram();
 * for (let i = 1; i <= 100; i++) times.add(i);
 * if (Math.abs(times.percentile(0.5) - 50) > 2) throw new Error("not the middle");
 * ```
 */
export class Histogram {
  readonly #buckets = new Float64Array(STEPS * DOUBLINGS);
  /** How many times were added. */
  count = 0;
  /** The longest. */
  longest = 0;

  /** Adds one time. */
  add(milliseconds: number): void {
    this.#buckets[bucketOf(milliseconds)]!++;
    this.count++;
    if (milliseconds > this.longest) this.longest = milliseconds;
  }

  /** Adds all times of another one. */
  addAll(other: Histogram): void {
    other.#buckets.forEach((count, i) => this.#buckets[i]! += count);
    this.count += other.count;
    this.longest = Math.max(this.longest, other.longest);
  }

  /** The time that the given part of all stayed within; 0 if there is none. */
  percentile(part: number): number {
    let left = Math.max(1, Math.ceil(part * this.count));
    for (let i = 0; i < this.#buckets.length && this.count > 0; i++) {
      left -= this.#buckets[i]!;
      if (left <= 0) return Math.min(endOf(i), this.longest);
    }
    return 0;
  }

  /** A row for each doubling, from the first that has something to the last. */
  rows(): HistogramRow[] {
    const rows: HistogramRow[] = [];
    for (let doubling = 0; doubling < DOUBLINGS; doubling++) {
      const part = this.#buckets.subarray(doubling * STEPS, (doubling + 1) * STEPS);
      const count = part.reduce((sum, it) => sum + it, 0);
      const from = doubling === 0 ? 0 : LEAST * 2 ** doubling;
      rows.push({ from, to: LEAST * 2 ** (doubling + 1), count });
    }
    const first = rows.findIndex(({ count }) => count > 0);
    return first < 0 ? [] : rows.slice(first, rows.findLastIndex(({ count }) => count > 0) + 1);
  }
}

function bucketOf(milliseconds: number): number {
  if (!(milliseconds > LEAST)) return 0;
  const place = Math.floor(Math.log2(milliseconds / LEAST) * STEPS);
  return Math.min(place, STEPS * DOUBLINGS - 1);
}

/** The longest time that falls into a bucket. */
function endOf(bucket: number): number {
  return LEAST * 2 ** ((bucket + 1) / STEPS);
}

/**
 * The rows as lines, the longest bar that wide.
 *
 * @example
 * ```ts
 * import { barLines } from "./histogram.ts";
 *
 * const lines = barLines([{ from: 1, to: 2, count: 4 }, { from: 2, to: 4, count: 1 }], 8);
 * if (lines[0] !== "1 ms - 2 ms  ########  4") throw new Error(lines[0]);
 * ```
 */
export function barLines(rows: readonly HistogramRow[], width: number): string[] {
  const most = Math.max(...rows.map(({ count }) => count));
  const names = rows.map(({ from, to }) => [shortTime(from), shortTime(to)] as const);
  const [first, second] = [0, 1].map((i) => Math.max(...names.map((name) => name[i]!.length)));
  return rows.map(({ count }, i) => {
    const [from, to] = names[i]!;
    const length = count === 0 ? 0 : Math.max(1, Math.round(count / most * width));
    const bar = "#".repeat(length).padEnd(width);
    return `${from.padStart(first!)} - ${to.padStart(second!)}  ${bar}  ${count}`;
  });
}

/** A time in three digits or so. */
export function shortTime(milliseconds: number): string {
  if (milliseconds === 0) return "0";
  if (milliseconds < 0.9995) return `${round(milliseconds * 1000)} us`;
  return milliseconds < 999.5 ? `${round(milliseconds)} ms` : `${round(milliseconds / 1000)} s`;
}

function round(value: number): string {
  if (value >= 99.95) return String(Math.round(value));
  return String(Number(value.toFixed(value < 9.995 ? 2 : 1)));
}
