/**
 * Commands that make many calls: bulkping, bulkdata, bench. A bar or marks say how far they are, a
 * summary how it went.
 *
 * @module
 */
import type { ExitCode } from "../../terminal/exit_code.ts";
import { isPattern } from "../../terminal/pattern.ts";
import { Progress } from "../../terminal/progress.ts";
import type { Client } from "../client.ts";
import { type Desk, tell } from "./desk.ts";
import { carry, codeOf, type Load, WrongDataError } from "./load.ts";
import type { Parameter } from "./parameters.ts";
import { summaryLines, summaryValue } from "./summary.ts";

const KiB = 1024;
const MiB = 1024 * 1024;

/** How many, in all commands of this file. */
const COUNT: Parameter = { name: "n", unit: "count", least: 1, most: 1e9 };
const PARALLEL: Parameter = {
  name: "parallel",
  unit: "count",
  least: 1,
  most: 100_000,
  otherwise: 10,
};

/** What stands behind `bulkping`. */
export const BULKPING: readonly Parameter[] = [COUNT, PARALLEL];

/** What stands behind `bulkdata`. The broker lets one client have 1,024 streams. */
export const BULKDATA: readonly Parameter[] = [
  COUNT,
  { name: "bytes", unit: "bytes", least: 0, most: 1024 * MiB, otherwise: KiB },
  { ...PARALLEL, most: 1024 },
];

/** What stands behind `bench`. */
export const BENCH: readonly Parameter[] = [
  { name: "clients", unit: "count", least: 1, most: 1000, otherwise: 1 },
  { name: "size", unit: "bytes", least: 0, most: 63 * MiB, otherwise: 128 },
  { name: "duration", unit: "seconds", least: 0.1, most: 86_400, otherwise: 5 },
  PARALLEL,
];

type Values = Readonly<Record<string, number>>;

/** `bulkping n [parallel]`: TRACKEXEC PING, so many times. */
export function bulkping(desk: Desk, { n, parallel }: Values): Promise<ExitCode> {
  const { client, options } = desk;
  return load(desk, "bulkping", {
    count: n!,
    parallel: parallel!,
    until: Infinity,
    once: async () => {
      await client.call("PING", undefined, options);
      return 0;
    },
  });
}

/** `bulkdata n [bytes] [parallel]`: STREAM of so many octets; each octet is looked at. */
export function bulkdata(desk: Desk, { n, bytes, parallel }: Values): Promise<ExitCode> {
  return load(desk, "bulkdata", {
    count: n!,
    parallel: parallel!,
    until: Infinity,
    once: () => takeData(desk, bytes!),
  });
}

/** Has one stream sent and looks at every octet of it. */
async function takeData({ client, options }: Desk, bytes: number): Promise<number> {
  let octets = 0;
  for await (const { frames } of client.stream("STREAM", String(bytes), options)) {
    for (const frame of frames) {
      if (!isPattern(frame, octets)) throw new WrongDataError(`Octets from ${octets} on are wrong`);
      octets += frame.length;
    }
  }
  if (octets !== bytes) throw new WrongDataError(`${octets} octets came, not ${bytes}`);
  return octets;
}

/** `bench [clients] [size] [duration] [parallel]`: TRACKEXEC ECHO as fast as it goes. */
export async function bench(desk: Desk, values: Values): Promise<ExitCode> {
  const { clients, size, duration, parallel } = values;
  const all: Client[] = [desk.client];
  try {
    while (all.length < clients!) all.push(desk.another());
    const { timeout, signal } = desk.options;
    await Promise.all(all.map((client) => client.ready({ timeout, signal })));
    const payload = new Uint8Array(size!).fill(120);
    return await load(desk, "bench", {
      count: Infinity,
      parallel: parallel! * clients!,
      until: desk.io.now() + duration! * 1000,
      once: async (lane) => {
        const { bytes } = await all[lane % clients!]!.call("ECHO", payload, desk.options);
        if (bytes.length !== size) {
          throw new WrongDataError(`${bytes.length} octets came back, not ${size}`);
        }
        return bytes.length;
      },
    });
  } finally {
    await Promise.all(all.slice(1).map((client) => client.close()));
  }
}

type Task = Pick<Load, "count" | "parallel" | "until" | "once">;

/** Makes the calls, shows how far they are, and sums up. */
async function load(desk: Desk, command: string, task: Task): Promise<ExitCode> {
  const { io, output, json, log, barWidth, options } = desk;
  const now = () => io.now();
  const progress = new Progress({
    total: task.count,
    until: task.until,
    width: barWidth,
    write: (text) => json || output.err(text),
    now,
  });
  const { above } = log;
  log.above = (print) => progress.above(print);
  let figures;
  try {
    const { signal } = options;
    figures = await carry({ ...task, now, signal, onStep: () => progress.step() });
  } finally {
    progress.end();
    log.above = above;
  }
  tell(desk, summaryLines(figures, command === "bench"), summaryValue(command, figures));
  return codeOf(figures);
}
