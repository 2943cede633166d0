/**
 * Plays the whole matrix inside of a test, a step for each cell, and prints it.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
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
import type { Side } from "./side.ts";

/** Plays every cell; fails if one fails or if one stays empty. */
export async function playMatrix(t: Deno.TestContext, ours: Side, theirs: Side): Promise<void> {
  const grid = new Grid();
  for (const pair of PAIRS) {
    for (const direction of DIRECTIONS) await playColumn(t, grid, pair, direction, ours, theirs);
  }
  say(`\n${grid}`);
  assertEquals(grid.empty(), [], "cells that nobody has marked");
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

/** Tells people something; a test's own output. */
export function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
