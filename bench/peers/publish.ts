/**
 * Puts the comparison into `docs/`: the tables into PERFORMANCE.md, the numbers and the picture beside.
 *
 * @module
 */
import { replaceSection } from "../kit/markdown.ts";
import { drawPeers } from "./chart.ts";
import { describeSetting, type Setting } from "./machine.ts";
import { type Row, tableOf } from "./summary.ts";
import { WORKLOADS } from "./workloads.ts";

const DOCS = new URL("../../docs/", import.meta.url);

/** Publishes rows. Those of each kind of load have a place of their own. */
export async function publishPeers(
  setting: Setting,
  rows: readonly Row[],
  load: "raw" | "libzmq",
): Promise<void> {
  const name = load === "raw" ? "peers" : "peers on libzmq";
  const file = name.replaceAll(" ", "_");
  const tables = WORKLOADS.flatMap((workload) => {
    const mine = rows.filter((row) => row.workload === workload.name);
    return mine.length === 0 ? [] : [`**${workload.name}**: ${workload.text}.`, tableOf(mine)];
  });
  await publishSection(name, [describeSetting(setting), ...tables].join("\n\n"));
  await publishNumbers(file, { setting, rows });
  if (load === "raw") {
    const note = `${setting.date}; ${setting.machine}; ${setting.command}`;
    await publishPicture(file, drawPeers(rows, note));
  }
}

/** Puts a text at its place in PERFORMANCE.md. */
export async function publishSection(name: string, text: string): Promise<void> {
  const page = new URL("PERFORMANCE.md", DOCS);
  await Deno.writeTextFile(page, replaceSection(await Deno.readTextFile(page), name, text));
}

/** Puts a picture beside it. */
export async function publishPicture(file: string, picture: string): Promise<void> {
  await Deno.mkdir(new URL("performance/", DOCS), { recursive: true });
  await Deno.writeTextFile(new URL(`performance/${file}.svg`, DOCS), picture);
}

/** Puts numbers beside it. What isn't a number, such as a ratio to nothing, is null. */
export async function publishNumbers(file: string, numbers: unknown): Promise<void> {
  await Deno.mkdir(new URL("performance/", DOCS), { recursive: true });
  const text = `${JSON.stringify(numbers, tidy, 2)}\n`;
  await Deno.writeTextFile(new URL(`performance/${file}.json`, DOCS), text);
}

/** Numbers with no more digits than they are worth. */
function tidy(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value)
    ? Number(value.toPrecision(4))
    : value;
}
