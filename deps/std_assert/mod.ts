/**
 * `@std/assert` where JSR is out of reach: the npm build of the same code, with the types that
 * the npm build lacks. It knows nothing of Rota.
 *
 * @module
 */

// @ts-types="./mod.d.ts"
export * from "npm:deno-std@1.4.0/assert/mod.js";
