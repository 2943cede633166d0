/**
 * Runs to rows: medians, ends and ratios, and the table that people read.
 *
 * @module
 */
import { formatCount } from "../kit/table.ts";
import { type Spread, spreadOf } from "../kit/spread.ts";
import { markdownTable } from "../kit/markdown.ts";
import type { Run } from "./measure.ts";
import { isDisturbed } from "./quiet.ts";
import type { Workload } from "./workloads.ts";

/** Whom all are set against. */
export const BASE = "libzmq-c";

/** One run, and whose it was. */
export interface Record {
  readonly workload: string;
  readonly broker: string;
  readonly repetition: number;
  readonly run?: Run;
  readonly error?: string;
}

/** All runs of one workload on one broker. */
export interface Row {
  readonly workload: string;
  readonly broker: string;
  readonly runs: number;
  /** Runs in which something else used the machine, in this row nevertheless. */
  readonly disturbed: number;
  readonly failed: number;
  readonly rps: Spread;
  readonly perCpu: Spread;
  /** Ratios of medians to the base. */
  readonly rpsRatio: number;
  readonly perCpuRatio: number;
  readonly p50us: number;
  readonly p99us: number;
  readonly p999us: number;
  readonly peakBytes: number;
  readonly lost: number;
  readonly otherCores: number;
  readonly jobs: number;
  readonly enqueueRate?: Spread;
  readonly enqueueRatio?: number;
  readonly bytesPerJob?: Spread;
}

/** The rows of a workload. Undisturbed runs count, if there are any. */
export function rowsOf(workload: Workload, records: readonly Record[]): Row[] {
  const mine = records.filter((record) => record.workload === workload.name);
  const names = [...new Set(mine.map(({ broker }) => broker))];
  const base = goodRuns(mine, BASE);
  return names.flatMap((broker) => {
    const runs = goodRuns(mine, broker);
    if (runs.length === 0) return [];
    const failed = mine.filter((each) => each.broker === broker && each.error !== undefined).length;
    return [rowOf(workload.name, broker, runs, failed, base)];
  });
}

function goodRuns(records: readonly Record[], broker: string): Run[] {
  const all = records.flatMap((each) =>
    each.broker === broker && each.run !== undefined ? [each.run] : []
  );
  const quiet = all.filter((run) => !isDisturbed(run));
  return quiet.length > 0 ? quiet : all;
}

function rowOf(
  workload: string,
  broker: string,
  runs: readonly Run[],
  failed: number,
  base: readonly Run[],
): Row {
  const spread = (of: (run: Run) => number) => spreadOf(runs.map(of));
  const ratio = (of: (run: Run) => number) =>
    base.length === 0 ? NaN : spread(of).median / spreadOf(base.map(of)).median;
  const isBacklog = runs[0]!.bytesPerJob !== undefined;
  return {
    workload,
    broker,
    runs: runs.length,
    disturbed: runs.filter(isDisturbed).length,
    failed,
    rps: spread(({ rps }) => rps),
    perCpu: spread(({ perCpu }) => perCpu),
    rpsRatio: ratio(({ rps }) => rps),
    perCpuRatio: ratio(({ perCpu }) => perCpu),
    p50us: spread(({ p50us }) => p50us).median,
    p99us: spread(({ p99us }) => p99us).median,
    p999us: spread(({ p999us }) => p999us).median,
    peakBytes: spread(({ peakBytes }) => peakBytes).median,
    lost: Math.max(...runs.map(({ lost }) => lost)),
    otherCores: Math.max(...runs.map(({ otherCores }) => otherCores)),
    jobs: runs[0]!.jobs,
    ...(isBacklog && {
      enqueueRate: spread(({ enqueueRate }) => enqueueRate!),
      enqueueRatio: ratio(({ enqueueRate }) => enqueueRate!),
      bytesPerJob: spread(({ bytesPerJob }) => bytesPerJob!),
    }),
  };
}

/** The table of one workload, in Markdown. */
export function tableOf(rows: readonly Row[]): string {
  return rows[0]?.bytesPerJob === undefined ? loopTable(rows) : backlogTable(rows);
}

function loopTable(rows: readonly Row[]): string {
  return markdownTable([
    [
      "broker",
      "x per CPU",
      "per broker-CPU-second",
      "x rate",
      "per second",
      "p50 us",
      "p99 us",
      "peak MiB",
      "lost",
      "others' cores",
    ],
    ...rows.map((row) => [
      nameOf(row),
      ratioText(row.perCpuRatio),
      spreadText(row.perCpu),
      ratioText(row.rpsRatio),
      spreadText(row.rps),
      formatCount(row.p50us),
      formatCount(row.p99us),
      mebibytes(row.peakBytes),
      `${row.lost}`,
      row.otherCores.toFixed(2),
    ]),
  ], 1);
}

function backlogTable(rows: readonly Row[]): string {
  return markdownTable([
    [
      "broker",
      "B a waiting job",
      "x enqueue",
      "enqueued per second",
      "x drain per CPU",
      "drained per broker-CPU-second",
      "x drain rate",
      "peak MiB",
      "lost",
      "others' cores",
    ],
    ...rows.map((row) => [
      nameOf(row),
      spreadText(row.bytesPerJob!),
      ratioText(row.enqueueRatio!),
      spreadText(row.enqueueRate!),
      ratioText(row.perCpuRatio),
      spreadText(row.perCpu),
      ratioText(row.rpsRatio),
      mebibytes(row.peakBytes),
      `${row.lost}`,
      row.otherCores.toFixed(2),
    ]),
  ], 1);
}

function nameOf({ broker, jobs, bytesPerJob, failed }: Row): string {
  const few = bytesPerJob !== undefined && jobs < 1_000_000 ? ` (${formatCount(jobs)} jobs)` : "";
  return broker + few + (failed > 0 ? ` (${failed} failed)` : "");
}

/** A ratio as people read it. */
export function ratioText(ratio: number): string {
  return Number.isFinite(ratio) ? ratio.toFixed(2) : "";
}

function spreadText({ median, least, most }: Spread): string {
  const few = least === most ? "" : ` (${formatCount(least)} to ${formatCount(most)})`;
  return formatCount(median) + few;
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
