/**
 * Rota's sockets against the real libzmq (zeromq.js in a Node process), cell by cell of the matrix.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import * as rota from "../../protocol/mod.ts";
import { CELLS } from "./cells/cells.ts";
import { Stage } from "./cells/stage.ts";
import {
  CASE_NAMES,
  CASES,
  type Direction,
  directionName,
  DIRECTIONS,
  Grid,
  type Pair,
  PAIRS,
} from "./matrix.ts";
import { LocalSide, type Side } from "./side.ts";
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
    const grid = new Grid();
    for (const pair of PAIRS) {
      for (const direction of DIRECTIONS) await playColumn(t, grid, pair, direction, ours, theirs);
    }
    say(`\n${grid}`);
    assertEquals(grid.empty(), [], "cells that nobody has marked");
  });
}

async function playColumn(
  t: Deno.TestContext,
  grid: Grid,
  pair: Pair,
  direction: Direction,
  ours: Side,
  theirs: Side,
): Promise<void> {
  const stage = new Stage(pair, direction, ours, theirs);
  for (const name of CASE_NAMES) {
    const title = `${pair.name}, ${directionName(pair, direction)}: ${name}`;
    const reason = CASES[name](pair);
    if (reason) {
      grid.mark(pair, direction, name, "n/a");
      continue;
    }
    const passed = await t.step(title, () => CELLS[name](stage));
    grid.mark(pair, direction, name, passed ? "ok" : "FAILED");
  }
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
