/**
 * A Rota worker as a program: `rota_worker.ts ENDPOINT THREADS ADDRESS`. Prints `registered` whenever
 * it is; ends at the end of its input.
 *
 * @module
 */
import { Worker as JobWorker } from "../../worker/mod.ts";
import handlers from "./rota_handlers.ts";

const [broker, threads, address] = Deno.args as [string, string, string];
const inThreads = Number(threads) > 0;

await using _worker = await JobWorker.start({
  broker,
  address,
  threads: Number(threads),
  handlers: inThreads ? new URL("rota_handlers.ts", import.meta.url) : handlers,
  slots: 2,
  debug: 1,
  onLog: ({ event }) => {
    const told = new TextEncoder().encode(`${event}\n`);
    if (event === "registered") Deno.stdout.writeSync(told);
  },
});
for await (const _ of Deno.stdin.readable);
