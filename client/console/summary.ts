/**
 * Figures as people and programs read them. What workers chose (codes of their own) is escaped here.
 *
 * @module
 */
import { shown } from "../../terminal/escape.ts";
import { barLines, shortTime } from "../../terminal/histogram.ts";
import { bytesText, countText } from "../../terminal/quantity.ts";
import type { Figures } from "./load.ts";

/** Columns of the longest bar. */
const BAR = 32;
/** Parts of all whose times are told. */
const PARTS = [["p50", 0.5], ["p99", 0.99], ["p99.9", 0.999]] as const;

/** The summary as lines. With `exact` more is told of the slowest. */
export function summaryLines(figures: Figures, exact: boolean): string[] {
  const { sent, succeeded, times, octets, milliseconds, stopped } = figures;
  const lost = countFailed(figures);
  const rate = countText(Math.round(perSecond(succeeded, milliseconds)));
  const volume = octets === 0
    ? ""
    : `, ${bytesText(octets)} (${bytesText(Math.round(perSecond(octets, milliseconds)))}/s)`;
  const lines = [
    `${countText(sent)} sent, ${countText(succeeded)} succeeded, ${countText(lost)} failed in ` +
    `${shortTime(milliseconds)} (${rate}/s)${volume}${stopped ? ", stopped" : ""}`,
  ];
  if (lost > 0) lines.push(`failed: ${reasons(figures)}`);
  if (times.count === 0) return lines;
  const parts = PARTS.slice(0, exact ? 3 : 2).map(([name, part]) =>
    `${name} ${shortTime(times.percentile(part))}`
  );
  lines.push(`latency ${parts.join(", ")}, longest ${shortTime(times.longest)}`);
  return [...lines, ...barLines(times.rows(), BAR).map((line) => `  ${line}`)];
}

/** The summary as a value for JSON; times in ms. */
export function summaryValue(command: string, figures: Figures): Record<string, unknown> {
  const { sent, succeeded, failed, times, octets, milliseconds, stopped } = figures;
  return {
    command,
    sent,
    succeeded,
    failed: countFailed(figures),
    reasons: Object.fromEntries(failed),
    stopped,
    octets,
    milliseconds: digits(milliseconds),
    perSecond: Math.round(perSecond(succeeded, milliseconds)),
    ...Object.fromEntries(PARTS.map(([name, part]) => [name, digits(times.percentile(part))])),
    longest: digits(times.longest),
    histogram: times.rows(),
  };
}

function countFailed({ failed }: Figures): number {
  return [...failed.values()].reduce((sum, count) => sum + count, 0);
}

function reasons({ failed }: Figures): string {
  const all = [...failed].sort(([, a], [, b]) => b - a);
  return all.map(([code, count]) => `${shown(code)} ${countText(count)}`).join(", ");
}

function perSecond(count: number, milliseconds: number): number {
  return milliseconds <= 0 ? 0 : count / milliseconds * 1000;
}

/** A time as JSON has it: three digits behind the point are enough. */
export function digits(value: number): number {
  return Number(value.toFixed(3));
}
