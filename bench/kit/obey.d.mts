/** Types of obey.mjs, for the Deno side. */

/** Obeys commands: these operations, or `rest` to be asked for the CPU time only. */
// deno-lint-ignore no-explicit-any
export function obey(operations: Record<string, (work: any) => Promise<unknown>>): void;
