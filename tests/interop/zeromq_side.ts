/**
 * Starts the real libzmq as a side: zeromq.js in Node.
 *
 * @module
 */

import { installZeromq } from "./install.ts";
import { ProcessSide } from "./side.ts";

/** Starts a Node process with zeromq.js, installing that first where it is missing. */
export async function startZeromq(): Promise<ProcessSide> {
  const program = decodeURIComponent(new URL("peer.mjs", import.meta.url).pathname);
  return await ProcessSide.start("node", [program, await installZeromq()]);
}
