/**
 * Calls with Rota's own client and worker: `rota.ts client|worker …`, see loop.mjs.
 *
 * @module
 */
import { Client } from "../../client/mod.ts";
import { Worker as JobWorker } from "../../worker/mod.ts";
import { loop, readPlace, ready } from "./loop.mjs";

const place = readPlace(Deno.args);

if (place.role === "worker") {
  const worker = await JobWorker.start({
    broker: `tcp://127.0.0.1:${place.back}`,
    handlers: { echo: (job) => job.text() },
    slots: 100,
  });
  ready();
  await worker.closed;
} else {
  await using client = new Client({ broker: `tcp://127.0.0.1:${place.front}` });
  await client.ready();
  await loop(async (body) => (await client.call("echo", body)).text(), place);
}
