/**
 * One panel with lines: numbers over numbers that grow by decades.
 *
 * @module
 */
import { COLOURS, element, round, stroke, words } from "./svg.ts";

/** One line. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** What is drawn, and where. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
  /** Whether the height grows by decades too; else it starts at 0. */
  readonly logarithmic?: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const LEFT = 50;
const BOTTOM = 34;
const TOP = 24;

/** From a value to a place. */
type Scale = (value: number) => number;

/** Draws a panel. */
export function drawPanel(panel: Panel): string {
  const { title, unit, series, x, y, width, height } = panel;
  const xs = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))]
    .sort((a, b) => a - b);
  const ys = series.flatMap(({ points }) => points.map(([, value]) => value));
  const right = x + width - 14;
  const floor = y + height - BOTTOM;
  const across = acrossScale(xs, x + LEFT, right);
  const { up, marks } = upScale(ys, floor, y + TOP, panel.logarithmic ?? false);
  return [
    words(x + LEFT, y + 12, title, { "font-weight": "bold" }),
    ...marks.flatMap((mark) => [
      stroke(x + LEFT, up(mark), right, up(mark), { "stroke-opacity": 0.25 }),
      words(x + LEFT - 5, up(mark) + 4, label(mark), { "text-anchor": "end", "font-size": 10 }),
    ]),
    ...xs.map((at) =>
      words(across(at), floor + 14, label(at), { "text-anchor": "middle", "font-size": 10 })
    ),
    words((x + LEFT + right) / 2, floor + 28, unit, { "text-anchor": "middle", "font-size": 10 }),
    ...series.map(({ points }, i) => drawLine(points, i, across, up)),
  ].join("\n");
}

function drawLine(points: Series["points"], index: number, across: Scale, up: Scale): string {
  const colour = COLOURS[index % COLOURS.length]!;
  const places = points.map(([at, value]) => `${round(across(at))},${round(up(value))}`);
  const line = { fill: "none", stroke: colour, "stroke-width": 2 };
  return [
    element("polyline", { points: places.join(" "), ...line }),
    ...points.map(([at, value]) =>
      element("circle", { cx: round(across(at)), cy: round(up(value)), r: 3, fill: colour })
    ),
  ].join("");
}

/** By decades; nothing at all stands one step to the left of the least. */
function acrossScale(values: readonly number[], from: number, to: number): Scale {
  const most = Math.log10(values.at(-1)!);
  const positive = Math.log10(values.find((value) => value > 0) ?? 1);
  const least = values[0] === 0 ? positive - 1 : positive;
  const span = Math.max(most - least, 1e-9);
  return (value) => from + (to - from) * ((value === 0 ? least : Math.log10(value)) - least) / span;
}

function upScale(
  values: readonly number[],
  from: number,
  to: number,
  logarithmic: boolean,
): { up: Scale; marks: number[] } {
  const most = Math.max(...values);
  if (!logarithmic) {
    const step = niceStep(most / 3);
    const top = Math.ceil(most / step) * step;
    const marks = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step);
    return { up: (value) => from - (from - to) * value / top, marks };
  }
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(Math.ceil(Math.log10(most)), low + 1);
  const marks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { up: (value) => from - (from - to) * (Math.log10(value) - low) / (high - low), marks };
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough)!;
}

function label(value: number): string {
  if (value >= 2 ** 20 && Number.isInteger(value / 2 ** 20)) return `${value / 2 ** 20}Mi`;
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1024 && Number.isInteger(value / 1024)) return `${value / 1024}Ki`;
  return value >= 1000 ? `${value / 1000}k` : `${Number(value.toPrecision(3))}`;
}
