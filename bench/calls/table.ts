/**
 * Calls as a table, each system set against zeromq.js through the same broker.
 *
 * @module
 */
import { markdownTable } from "../kit/markdown.ts";
import type { Spread } from "../kit/spread.ts";
import { formatCount } from "../kit/table.ts";

/** Whom all are set against. */
const BASE = "zeromq.js";

/** All runs of one system with so many calls in flight. */
export interface CallRow {
  readonly system: string;
  readonly inFlight: number;
  readonly runs: number;
  readonly rate: Spread;
  readonly cpuUs: Spread;
  readonly serverUs: number;
  readonly p50us: number;
  readonly p99us: number;
  readonly wrong: number;
  readonly otherCores: number;
}

/** The table, in Markdown. */
export function callTable(rows: readonly CallRow[]): string {
  return markdownTable([
    [
      "in flight",
      "system",
      "calls a second",
      "x",
      "CPU us a call, all three",
      "of them the server",
      "p50 us",
      "p99 us",
      "lost or wrong",
      "others' cores",
    ],
    ...rows.map((row, i) => [
      rows[i - 1]?.inFlight === row.inFlight ? "" : `${row.inFlight}`,
      row.system,
      `${formatCount(row.rate.median)} (${formatCount(row.rate.least)} to ${
        formatCount(row.rate.most)
      })`,
      ratioOf(row, rows),
      `${row.cpuUs.median.toFixed(1)} (${row.cpuUs.least.toFixed(1)} to ${
        row.cpuUs.most.toFixed(1)
      })`,
      row.serverUs.toFixed(1),
      formatCount(row.p50us),
      formatCount(row.p99us),
      `${row.wrong}`,
      row.otherCores.toFixed(2),
    ]),
  ], 2);
}

function ratioOf(row: CallRow, rows: readonly CallRow[]): string {
  const base = rows.find(({ system, inFlight }) => system === BASE && inFlight === row.inFlight);
  return base === undefined ? "" : (row.rate.median / base.rate.median).toFixed(2);
}
