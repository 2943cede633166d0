// What a worker tells: up to its level, not too much of jobs, and nobody's failure but their own.

import { assertEquals } from "@std/assert";
import { MemoryNetwork } from "../protocol/io/memory_io.ts";
import { Journal } from "./journal.ts";
import type { WorkerLog } from "./options.ts";

Deno.test("Journal tells what its level allows, and nothing where nobody listens", () => {
  const io = new MemoryNetwork().io();
  const lines: WorkerLog[] = [];
  const journal = new Journal((line) => lines.push(line), 1, io);
  journal.say(0, "a");
  journal.say(1, "b", { x: 1 });
  journal.say(2, "c");
  assertEquals(lines, [
    { level: 0, event: "a", details: {} },
    { level: 1, event: "b", details: { x: 1 } },
  ]);
  const deaf = new Journal(undefined, 5, io);
  deaf.say(0, "a");
  assertEquals(deaf.level < 0, true);
});

Deno.test("Journal outlives whoever listens badly", () => {
  const journal = new Journal(
    () => {
      throw new Error("full disk");
    },
    5,
    new MemoryNetwork().io(),
  );
  journal.say(0, "a");
  journal.job(1, "job", {});
});

Deno.test("Journal tells of 20 jobs a second, and sums the rest up", async () => {
  const network = new MemoryNetwork();
  const lines: string[] = [];
  const tell = ({ event, details }: WorkerLog) => lines.push(`${event} ${details.more ?? ""}`);
  const journal = new Journal(tell, 1, network.io());
  for (let i = 0; i < 50; i++) journal.job(1, "job", {});
  assertEquals(lines.splice(0), Array(20).fill("job "));
  await network.advance(1000);
  assertEquals(lines.splice(0), ["more job events 30"]);
  for (let i = 0; i < 21; i++) journal.job(1, "job", {});
  lines.length = 0;
  journal.close();
  assertEquals(lines, ["more job events 1"]);
  journal.job(2, "job", {});
  await network.advance(5000);
  assertEquals(lines.length, 1);
});
