/**
 * `@std/async` where JSR is out of reach. Module by module, since the npm build's own entry point
 * does not load; for that reason `Channel` is absent.
 *
 * @module
 */

export * from "./abortable.ts";
export * from "./deadline.ts";
export * from "./debounce.ts";
export * from "./delay.ts";
export * from "./mux_async_iterator.ts";
export * from "./pool.ts";
export * from "./retry.ts";
export * from "./tee.ts";
