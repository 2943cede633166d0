/**
 * Growth as tables and as a picture with a panel for each series.
 *
 * @module
 */
import { drawPanel } from "../kit/line_chart.ts";
import { markdownTable } from "../kit/markdown.ts";
import type { Spread } from "../kit/spread.ts";
import { COLOURS, drawing, element, words } from "../kit/svg.ts";
import { formatCount } from "../kit/table.ts";
import type { Cost } from "./memory.ts";
import { GROWTHS } from "./series.ts";

/** All runs of one point on one broker. */
export interface GrowthRow {
  readonly series: string;
  readonly at: number;
  readonly broker: string;
  readonly runs: number;
  /** CPU microseconds of the broker for each job. */
  readonly cost: Spread;
  readonly rate: number;
  readonly p99us: number;
  readonly peakBytes: number;
  readonly lost: number;
  readonly otherCores: number;
}

/** What something costs on one broker. */
export interface CostRow extends Cost {
  readonly broker: string;
}

/** The table of one series. */
export function growthTable(rows: readonly GrowthRow[], unit: string): string {
  return markdownTable([
    [
      unit,
      "broker",
      "CPU us a job (least to most)",
      "jobs a second",
      "p99 us",
      "peak MiB",
      "lost",
      "others' cores",
    ],
    ...rows.map((row, i) => [
      rows[i - 1]?.at === row.at ? "" : formatCount(row.at),
      row.broker,
      `${digits(row.cost.median)} (${digits(row.cost.least)} to ${digits(row.cost.most)})`,
      formatCount(row.rate),
      row.p99us > 0 ? formatCount(row.p99us) : "",
      formatCount(row.peakBytes / 2 ** 20),
      `${row.lost}`,
      row.otherCores.toFixed(2),
    ]),
  ], 2);
}

/** The table of what is held. */
export function costTable(rows: readonly CostRow[]): string {
  return markdownTable([
    ["what", "how many", "broker", "B each"],
    ...rows.map(({ what, count, broker, each }) => [
      what,
      formatCount(count),
      broker,
      formatCount(each),
    ]),
  ], 3);
}

const WIDTH = 760;
const PANEL = { width: 375, height: 230 };

/** The picture. */
export function drawGrowth(rows: readonly GrowthRow[], note: string): string {
  const brokers = [...new Set(rows.map(({ broker }) => broker))];
  const shown = GROWTHS.filter(({ name }) => rows.some(({ series }) => series === name));
  const panels = shown.map(({ name, unit, logarithmic = false }, i) =>
    drawPanel({
      title: `CPU us a job over ${unit}`,
      unit,
      series: brokers.map((broker) => ({
        name: broker,
        points: rows.filter((row) => row.series === name && row.broker === broker)
          .map(({ at, cost }) => [at, cost.median] as const),
      })),
      logarithmic,
      x: (i % 2) * (PANEL.width + 10),
      y: 60 + Math.floor(i / 2) * (PANEL.height + 10),
      ...PANEL,
    })
  );
  const height = 70 + Math.ceil(shown.length / 2) * (PANEL.height + 10) + 20;
  return drawing(
    WIDTH,
    height,
    words(8, 20, "What a job costs the broker as things grow", {
      "font-size": 15,
      "font-weight": "bold",
    }),
    ...brokers.flatMap((broker, i) => [
      element("rect", { x: 50 + i * 110, y: 34, width: 10, height: 10, fill: COLOURS[i]! }),
      words(65 + i * 110, 43, broker, { "font-size": 11 }),
    ]),
    ...panels,
    words(8, height - 8, note, { "font-size": 10 }),
  );
}

function digits(value: number): string {
  return value >= 100 ? formatCount(value) : value.toPrecision(3);
}
