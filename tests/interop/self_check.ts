/**
 * Plays the matrix with zeromq.js on BOTH sides, by hand: what fails here is a fault of the tests.
 *
 * `deno run -A tests/interop/self_check.ts ["part of a cell's title"]`
 *
 * @module
 */

import { playByHand } from "./by_hand.ts";
import { startZeromq } from "./zeromq_side.ts";

await using ours = await startZeromq();
await using theirs = await startZeromq();
Deno.exitCode = await playByHand(ours, theirs, Deno.args[0]) > 0 ? 1 : 0;
