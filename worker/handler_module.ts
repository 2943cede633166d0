/**
 * Handlers in a module: its default export if that is an object of them, else what it exports by
 * name. An export named `defaultHandler` takes opaque jobs and unknown commands.
 *
 * @module
 */
import { checkHandlers, type Handler, type Handlers } from "./handlers.ts";

/** What a module has to offer. */
export interface HandlerModule {
  readonly handlers: Handlers;
  readonly defaultHandler: Handler | undefined;
}

/** The handlers in a module; throws a TypeError if there are none. */
export function handlersIn(module: Readonly<Record<string, unknown>>): HandlerModule {
  const { default: main, defaultHandler, ...named } = module;
  if (defaultHandler !== undefined && typeof defaultHandler !== "function") {
    throw new TypeError("Cannot start: the export defaultHandler is not a function");
  }
  const functions = Object.entries(named).filter(([, value]) => typeof value === "function");
  const isObject = typeof main === "object" && main !== null;
  const handlers = checkHandlers(isObject ? main : Object.fromEntries(functions));
  if (Object.keys(handlers).length === 0 && defaultHandler === undefined) {
    throw new TypeError(
      "Cannot start: the module exports no handlers, neither by name nor as a default object",
    );
  }
  return { handlers, defaultHandler: defaultHandler as Handler | undefined };
}
