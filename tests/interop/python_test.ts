/**
 * Rota's sockets against libzmq as Python speaks it, cell by cell of the same matrix. Node alone is
 * demanded, so a machine without pyzmq is told so and passes; one that has it plays every cell.
 *
 * @module
 */

import * as rota from "../../protocol/mod.ts";
import { playMatrix, say } from "./play.ts";
import { findPython, startPython } from "./python_side.ts";
import { LocalSide } from "./side.ts";

const LEFT_OUT = Deno.env.get("ROTA_NO_INTEROP") === "1";
const python = LEFT_OUT ? undefined : await findPython();

if (python === undefined) {
  const why = LEFT_OUT ? "by request (ROTA_NO_INTEROP=1)" : "for want of a Python 3 with pyzmq";
  Deno.test(`interop with Python is left out ${why}`, () => {
    say(`Interop with Python was left out ${why}\n`);
  });
} else {
  Deno.test(`sockets talk with Python in every cell of the interop matrix (${python.version})`, async (t) => {
    await using ours = new LocalSide(rota);
    await using theirs = await startPython(python);
    await playMatrix(t, ours, theirs);
  });
}
