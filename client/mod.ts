/**
 * The client: calls commands by name, wherever a worker runs them.
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
export { Client } from "./client.ts";
export type {
  CallArgs,
  CommandMap,
  CommandName,
  InputOf,
  NamedArgs,
  OutputOf,
} from "./commands.ts";
export * from "./errors.ts";
export type {
  CallOptions,
  ClientLog,
  ClientOptions,
  SendOptions,
  StreamOptions,
} from "./options.ts";
export { type JsonOf, Result } from "./result.ts";
export { ResultStream } from "./stream.ts";
export type { Payload } from "../protocol/dialogue/payload.ts";
export { Frame, type FrameEncoding } from "../protocol/sockets/frame.ts";
export type {
  Io,
  IoAddress,
  IoConnection,
  IoListener,
  IoSink,
  TimerId,
} from "../protocol/io/io.ts";
