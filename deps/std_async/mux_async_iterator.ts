/**
 * `@std/async/mux-async-iterator` where JSR is out of reach: the npm build of the same code, with types.
 *
 * @module
 */

// @ts-types="./mux_async_iterator.d.ts"
export * from "npm:deno-std@1.4.0/async/mux_async_iterator.js";
