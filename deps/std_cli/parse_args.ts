/**
 * `@std/cli/parse-args` where JSR is out of reach: the npm build of the same code, with types.
 *
 * @module
 */

// @ts-types="./parse_args.d.ts"
export * from "npm:deno-std@1.4.0/cli/parse_args.js";
