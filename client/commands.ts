/**
 * Types that flow from handlers to calls: what a command takes and gives, read off the worker's own
 * functions. Types alone; nothing here runs.
 *
 * @module
 */
import type { Payload } from "../protocol/dialogue/payload.ts";

/**
 * Handlers of which nothing is known: any name, any payload.
 *
 * @example
 * ```ts
 * import type { CommandMap } from "./commands.ts";
 *
 * const commands: CommandMap = { add: (job: { json(): { a: number } }) => job.json().a };
 * if (typeof commands.add !== "function") throw new Error("not a command");
 * ```
 */
// deno-lint-ignore no-explicit-any -- any function of one job is a handler
export type CommandMap = Readonly<Record<string, (job: any) => unknown>>;

/**
 * The names of commands: those properties that are functions. Handlers may be an object, a class's
 * instance, an interface, or a whole module (`typeof import("./handlers.ts")`).
 *
 * @example
 * ```ts
 * import type { CommandName } from "./commands.ts";
 *
 * const names: CommandName<{ add(): number; version: string }>[] = ["add"];
 * if (names.length !== 1) throw new Error("changed");
 * ```
 */
export type CommandName<C> = {
  // deno-lint-ignore no-explicit-any -- any function of one job is a handler
  [K in keyof C & string]: C[K] extends (job: any) => unknown ? K : never;
}[keyof C & string];

/**
 * What a command takes: what its job's `json()` gives. A job of text or octets is sent as such and
 * read with `text()` or `bytes`; a handler that doesn't say takes anything.
 *
 * @example
 * ```ts
 * import type { InputOf } from "./commands.ts";
 *
 * const input: InputOf<(job: { json(): { a: number } }) => number> = { a: 1 };
 * if (input.a !== 1) throw new Error("changed");
 * ```
 */
export type InputOf<H> = H extends (job: infer J) => unknown
  ? J extends { json(): infer T } ? unknown extends T ? Payload : T : Payload
  : never;

/**
 * What a command gives: its value, or of a stream each chunk.
 *
 * @example
 * ```ts
 * import type { OutputOf } from "./commands.ts";
 *
 * const output: OutputOf<(job: unknown) => Promise<number>> = 1;
 * if (output !== 1) throw new Error("changed");
 * ```
 */
export type OutputOf<H> = H extends (job: never) => infer R
  ? Awaited<R> extends AsyncIterable<infer C> | Generator<infer C> ? C : Awaited<R>
  : never;

/**
 * What stands behind a command's name: its payload, which may be left out where the handler doesn't
 * need one, and options.
 *
 * @example
 * ```ts
 * import type { CallArgs } from "./commands.ts";
 *
 * const rest: CallArgs<(job: { json(): number }) => number, object> = [42];
 * if (rest[0] !== 42) throw new Error("changed");
 * ```
 */
export type CallArgs<H, Options> = undefined extends InputOf<H>
  ? [payload?: InputOf<H>, options?: Options]
  : [payload: InputOf<H>, options?: Options];

/**
 * All that a call of one of these commands takes, each name with its own payload.
 *
 * @example
 * ```ts
 * import type { NamedArgs } from "./commands.ts";
 *
 * interface Commands {
 *   double(job: { json(): number }): number;
 * }
 * const args: NamedArgs<Commands, "double", object> = ["double", 21];
 * if (args.length !== 2) throw new Error("changed");
 * ```
 */
export type NamedArgs<C, K extends CommandName<C>, Options> = {
  [N in K]: [command: N, ...rest: CallArgs<C[N], Options>];
}[K];
