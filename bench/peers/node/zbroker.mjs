/**
 * The LRU broker of src/zbroker.c on Node and zeromq.js: `node zbroker.mjs FOLDER FRONTEND BACKEND`,
 * where FOLDER is where `zeromq` was installed.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";

const [folder, frontend, backend] = process.argv.slice(2);
const { Router } = createRequire(join(folder, "from_here.js"))("zeromq");
const hwm = { sendHighWaterMark: 0, receiveHighWaterMark: 0, sendTimeout: 0 };
const front = new Router(hwm);
const back = new Router({ ...hwm, mandatory: true });
await front.bind(frontend);
await back.bind(backend);

const workers = new Map(); // key -> { id, key, credit }
const lru = new Map(); // workers with credit, least recently used first
const backlog = { items: new Array(1024), head: 0, size: 0 };
const EMPTY = Buffer.alloc(0);

// With sendTimeout 0 a send is synchronous, so zeromq.js never refuses a second one as "busy" (a queue
// of awaited sends was tried too: no faster). The promise only tells of a worker that is gone.
function sendBack(w, client, body) {
  back.send([w.id, EMPTY, client, EMPTY, body]).catch(() => {
    workers.delete(w.key);
    lru.delete(w.key);
    route(client, body);
  });
}
const ignore = () => {};

function push(job) {
  const q = backlog, cap = q.items.length;
  if (q.size === cap) {
    const items = new Array(cap * 2);
    for (let i = 0; i < cap; i++) items[i] = q.items[(q.head + i) & (cap - 1)];
    q.items = items;
    q.head = 0;
  }
  q.items[(q.head + q.size++) & (q.items.length - 1)] = job;
}

function shift() {
  const q = backlog, job = q.items[q.head];
  q.items[q.head] = undefined;
  q.head = (q.head + 1) & (q.items.length - 1);
  q.size--;
  return job;
}

function dispatch(client, body) {
  for (const [key, w] of lru) {
    lru.delete(key);
    if (--w.credit > 0) lru.set(key, w);
    sendBack(w, client, body);
    return;
  }
}

function route(client, body) {
  if (backlog.size === 0 && lru.size > 0) dispatch(client, body);
  else push([client, body]);
}

async function clients() {
  for await (const [client, , body] of front) route(client, body);
}

async function results() {
  for await (const frames of back) {
    const key = frames[0].latin1Slice();
    let w = workers.get(key);
    if (!w) workers.set(key, w = { id: frames[0], key, credit: 0 });
    if (frames.length === 5) front.send([frames[2], EMPTY, frames[4]]).catch(ignore);
    else if (frames.length !== 3 || frames[2].latin1Slice() !== "READY") continue;
    if (w.credit++ === 0) lru.set(key, w);
    while (backlog.size > 0 && lru.size > 0) dispatch(...shift());
  }
}

await Promise.all([clients(), results()]);
