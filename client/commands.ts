/**
 * Types that flow from handlers to calls: what a command takes and gives, read off the worker's own
 * functions. Types alone; nothing here runs.
 *
 * @module
 */

/**
 * Handlers as a client sees them.
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
 * What a command takes.
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
  ? J extends { json(): infer T } ? T : unknown
  : never;

/**
 * What a command gives.
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
  ? Awaited<R> extends AsyncIterable<infer C> ? C : Awaited<R>
  : never;
