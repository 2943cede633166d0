/**
 * The client: calls commands by name, wherever a worker runs them.
 *
 * @module
 */
export { Client } from "./client.ts";
export type { CommandMap, InputOf, OutputOf } from "./commands.ts";
export * from "./errors.ts";
export type { CallOptions, ClientOptions, SendOptions, StreamOptions } from "./options.ts";
export { Result } from "./result.ts";
export { ResultStream } from "./stream.ts";
