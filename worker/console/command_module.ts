/**
 * All commands of a console's worker in one module, so that threads can load them too: the built-in
 * ones, and those of the user's own module, which its URL names (`?commands=URL`).
 *
 * @module
 */
import { handlersIn } from "../handler_module.ts";
import type { Handler, Handlers } from "../handlers.ts";
import { builtIn } from "./builtin.ts";

const own = new URL(import.meta.url).searchParams.get("commands");
const user = own === null ? undefined : handlersIn(await import(own));

/** Handlers by name; the user's win. */
const all: Handlers = { ...builtIn, ...user?.handlers };
export default all;

/** Takes what no handler does. */
export const defaultHandler: Handler | undefined = user?.defaultHandler;
