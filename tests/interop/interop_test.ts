/**
 * Rota's sockets against the real libzmq (zeromq.js in a Node process), cell by cell of the matrix.
 *
 * @module
 */

import * as rota from "../../protocol/mod.ts";
import { playMatrix, say } from "./play.ts";
import { LocalSide } from "./side.ts";
import { startZeromq } from "./zeromq_side.ts";

const LEFT_OUT = Deno.env.get("ROTA_NO_INTEROP") === "1";

if (LEFT_OUT) {
  Deno.test("interop with libzmq is left out by request (ROTA_NO_INTEROP=1)", () => {
    say("Interop with libzmq was left out by request: ROTA_NO_INTEROP=1\n");
  });
} else {
  Deno.test("sockets talk with libzmq in every cell of the interop matrix", async (t) => {
    await using ours = new LocalSide(rota);
    await using theirs = await startZeromq();
    await playMatrix(t, ours, theirs);
  });
}
