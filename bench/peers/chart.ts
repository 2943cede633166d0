/**
 * The picture of the comparison: for each workload a bar for each broker, as long as its requests per
 * CPU second are against the C broker's.
 *
 * @module
 */
import { COLOURS, drawing, element, round, stroke, words } from "../kit/svg.ts";
import { BASE, ratioText, type Row } from "./summary.ts";

const WIDTH = 760;
const LEFT = 90;
const RIGHT = 60;
const TOP = 70;
const BAR = 12;
const GAP = 10;

/** Draws rows; the note says what they hold for. */
export function drawPeers(rows: readonly Row[], note: string): string {
  const brokers = [...new Set(rows.map(({ broker }) => broker))];
  const workloads = [...new Set(rows.map(({ workload }) => workload))];
  const shown = rows.filter(({ perCpuRatio }) => Number.isFinite(perCpuRatio));
  const most = Math.max(2, ...shown.map(({ perCpuRatio }) => perCpuRatio));
  const scale = (WIDTH - LEFT - RIGHT) / most;
  const parts: string[] = [];
  let y = TOP;
  for (const workload of workloads) {
    const mine = shown.filter((row) => row.workload === workload);
    parts.push(words(LEFT - 8, y + mine.length * BAR / 2 + 4, workload, { "text-anchor": "end" }));
    for (const row of mine) {
      parts.push(...bar(row, brokers.indexOf(row.broker), y, scale));
      y += BAR;
    }
    y += GAP;
  }
  const one = LEFT + scale;
  return drawing(
    WIDTH,
    y + 30,
    words(8, 20, `Requests per CPU second of the broker, against ${BASE} in the same run`, {
      "font-size": 15,
      "font-weight": "bold",
    }),
    ...legend(brokers),
    ...parts,
    stroke(one, TOP - 6, one, y - GAP + 4, { "stroke-dasharray": "3 3" }),
    words(8, y + 18, note, { "font-size": 10 }),
  );
}

function bar({ perCpuRatio }: Row, colour: number, y: number, scale: number): string[] {
  const width = round(perCpuRatio * scale);
  const fill = COLOURS[colour % COLOURS.length]!;
  return [
    element("rect", { x: LEFT, y: round(y), width, height: BAR - 2, fill }),
    words(LEFT + width + 4, y + BAR - 3, ratioText(perCpuRatio), { "font-size": 10 }),
  ];
}

function legend(brokers: readonly string[]): string[] {
  return brokers.flatMap((broker, i) => {
    const x = LEFT + i * 108;
    const fill = COLOURS[i % COLOURS.length]!;
    return [
      element("rect", { x, y: 36, width: 10, height: 10, fill }),
      words(x + 15, 45, broker, { "font-size": 11 }),
    ];
  });
}
