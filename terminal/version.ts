/**
 * Which Rota this is. A test holds it to deno.json.
 *
 * @module
 */

/** The version of the package. */
export const VERSION = "0.1.0";
