/**
 * A worker of this project, with its handlers in two threads: `worker.ts [BACKEND]`.
 *
 * @module
 */
import { Worker } from "http://127.0.0.1:8000/mod.ts";

const [broker = "tcp://127.0.0.1:5556"] = Deno.args;
const handlers = new URL("./handlers.ts", import.meta.url);
const worker = await Worker.start({ broker, handlers, threads: 2 });
console.log(`${worker.status.address} is registered`);
