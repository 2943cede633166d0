/**
 * `@std/async/tee` where JSR is out of reach: the npm build of the same code, with types.
 *
 * @module
 */

// @ts-types="./tee.d.ts"
export * from "npm:deno-std@1.4.0/async/tee.js";
