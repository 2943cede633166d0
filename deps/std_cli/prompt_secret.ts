/**
 * `@std/cli/prompt-secret` where JSR is out of reach: the npm build of the same code, with types.
 *
 * @module
 */

// @ts-types="./prompt_secret.d.ts"
export * from "npm:deno-std@1.4.0/cli/prompt_secret.js";
