/**
 * The worker: registers with a broker and runs its jobs with your handlers.
 *
 * @module
 */
export { Worker } from "./worker.ts";
export type { WorkerStatus } from "./status.ts";
export type { WorkerLog, WorkerOptions } from "./options.ts";
export { type Handler, type HandlerResult, type Handlers, JobError } from "./handlers.ts";
export { Job } from "./job.ts";
export type { JobKind } from "./run.ts";
