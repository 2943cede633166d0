/**
 * The worker: registers with a broker and runs its jobs with your handlers.
 *
 * @example
 * ```ts
 * import { Broker, Client, Worker as JobWorker } from "../mod.ts";
 *
 * await using broker = await Broker.start({
 *   frontend: "tcp://127.0.0.1:*",
 *   backend: "tcp://127.0.0.1:*",
 * });
 * const handlers = { add: (job: { json(): number[] }) => job.json().reduce((a, b) => a + b, 0) };
 * await using worker = await JobWorker.start({ broker: broker.backend, handlers });
 * await using client = new Client<typeof handlers>({ broker: broker.frontend });
 * const sum = await client.call("add", [1, 2, 3]);
 * if (sum.json() !== 6 || worker.status.completed !== 1) throw new Error("wrong sum");
 * ```
 *
 * @module
 */
export { Worker } from "./worker.ts";
export type { WorkerStatus } from "./status.ts";
export type { WorkerLog, WorkerOptions } from "./options.ts";
export { type Handler, type HandlerResult, type Handlers, JobError } from "./handlers.ts";
export { Job } from "./job.ts";
export type { JobKind } from "./run.ts";
export type { Payload } from "../protocol/dialogue/payload.ts";
export type {
  Io,
  IoAddress,
  IoConnection,
  IoListener,
  IoSink,
  TimerId,
} from "../protocol/io/io.ts";
