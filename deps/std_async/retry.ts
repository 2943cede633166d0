/**
 * `@std/async/retry` where JSR is out of reach: the npm build of the same code, with types.
 *
 * @module
 */

// @ts-types="./retry.d.ts"
export * from "npm:deno-std@1.4.0/async/retry.js";
