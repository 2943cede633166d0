import { assertEquals } from "@std/assert";
import { MemoryNetwork } from "../../protocol/io/memory_io.ts";
import type { WorkerLog } from "../options.ts";
import { SharedLog } from "./shared_log.ts";

const job: WorkerLog = { level: 1, event: "job", details: { command: "PING" } };

function open() {
  const network = new MemoryNetwork();
  const lines: WorkerLog[] = [];
  const log = new SharedLog((line) => lines.push(line), network.io());
  return { network, lines, log };
}

Deno.test("SharedLog tells 20 lines about jobs in a second, and the rest as one sum", async () => {
  const { network, lines, log } = open();
  for (let i = 0; i < 100; i++) log.entry(job);
  assertEquals(lines.length, 20);
  await network.advance(1000);
  assertEquals(lines.slice(20), [{ level: 1, event: "more job events", details: { more: 80 } }]);
  log.entry(job);
  assertEquals(lines.length, 22);
});

Deno.test("SharedLog adds what children summed up to its own sum", async () => {
  const { network, lines, log } = open();
  for (let i = 0; i < 25; i++) log.entry(job);
  for (const more of [10, 7]) log.entry({ level: 1, event: "more job events", details: { more } });
  await network.advance(1000);
  assertEquals(lines.slice(20), [{ level: 1, event: "more job events", details: { more: 22 } }]);
});

Deno.test("SharedLog holds back nothing but lines about jobs, and says its last sum at the end", () => {
  const { lines, log } = open();
  for (let i = 0; i < 30; i++) log.entry({ level: 1, event: "registered", details: {} });
  assertEquals(lines.length, 30);
  for (let i = 0; i < 21; i++) log.entry({ ...job, event: "job failed" });
  log.close();
  assertEquals(lines.at(-1), { level: 1, event: "more job events", details: { more: 1 } });
});
