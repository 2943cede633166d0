/**
 * The same calls with BullMQ on Redis: `bullmq.mjs client|worker …`, see loop.mjs. A client learns
 * its results from the queue's events, as `job.waitUntilFinished()` does.
 *
 * @module
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { loop, readPlace, ready } from "./loop.mjs";

const place = readPlace(process.argv.slice(2));
const { Queue, QueueEvents, Worker } = createRequire(join(place.folder, "from_here.js"))("bullmq");
const connection = { host: "127.0.0.1", port: place.front, maxRetriesPerRequest: null };

if (place.role === "worker") await work();
else await ask();

async function work() {
  const worker = new Worker("calls", (job) => Promise.resolve(job.data), {
    connection,
    concurrency: 100,
    removeOnComplete: { count: 0 },
  });
  await worker.waitUntilReady();
  ready();
}

async function ask() {
  const queue = new Queue("calls", { connection, streams: { events: { maxLen: 10_000 } } });
  const events = new QueueEvents("calls", { connection, lastEventId: "0-0" });
  await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
  const waiting = new Map();
  let serial = 0;
  events.on("completed", ({ jobId, returnvalue }) => {
    waiting.get(jobId)?.(returnvalue);
    waiting.delete(jobId);
  });
  await loop((body) =>
    new Promise((resolve, reject) => {
      const jobId = `call-${serial++}`;
      waiting.set(jobId, resolve);
      queue.add("echo", body, { jobId, removeOnComplete: true }).catch(reject);
    }), place);
  process.exit(0);
}
