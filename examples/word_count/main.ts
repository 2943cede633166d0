/**
 * Word count over threads: texts are cut into parts, threads count the words of the parts, and the
 * counts are added up. Broker, worker and client live in one process here; apart from the endpoint
 * nothing would change on several machines.
 *
 * `deno run -q --allow-net=127.0.0.1 --allow-read examples/word_count/main.ts [FILE…]`
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { Broker, Client, Worker as JobWorker } from "../../mod.ts";
import type * as handlers from "./handlers.ts";

/** Lines of a part. */
const LINES = 50;
const SHOWN = 10;

const files = Deno.args.length > 0 ? Deno.args : [new URL("../../README.md", import.meta.url)];
const parts: string[] = [];
for (const file of files) {
  const lines = (await Deno.readTextFile(file)).split("\n");
  for (let at = 0; at < lines.length; at += LINES) {
    parts.push(lines.slice(at, at + LINES).join("\n"));
  }
}

await using broker = await Broker.start({
  frontend: "tcp://127.0.0.1:*",
  backend: "tcp://127.0.0.1:*",
});
const threads = Math.max(2, navigator.hardwareConcurrency);
await using _worker = await JobWorker.start({
  broker: broker.backend,
  handlers: new URL("./handlers.ts", import.meta.url),
  threads,
});
// The types of the handlers flow to the calls: a wrong name or payload doesn't compile.
await using client = new Client<typeof handlers>({ broker: broker.frontend });

const totals = new Map<string, number>();
await Promise.all(parts.map(async (part) => {
  const result = await client.call("count", part);
  for (const [word, count] of Object.entries(result.json())) {
    totals.set(word, (totals.get(word) ?? 0) + count);
  }
}));

const ranked = [...totals].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
const words = ranked.reduce((sum, [, count]) => sum + count, 0);
console.log(`${words} words, ${ranked.length} different, in ${parts.length} parts`);
for (const [word, count] of ranked.slice(0, SHOWN)) console.log(`${count} ${word}`);
