/**
 * Plays the matrix outside of the test runner, whole or in part, and prints it.
 *
 * @module
 */

import { CELLS } from "./cells/cells.ts";
import { Stage } from "./cells/stage.ts";
import { CASE_NAMES, CASES, directionName, DIRECTIONS, Grid, PAIRS } from "./matrix.ts";
import type { Side } from "./side.ts";

/** Plays the cells whose title has `wanted` in it; returns how many failed. */
export async function playByHand(ours: Side, theirs: Side, wanted = ""): Promise<number> {
  const grid = new Grid();
  let failures = 0;
  for (const pair of PAIRS) {
    for (const direction of DIRECTIONS) {
      const stage = new Stage(pair, direction, ours, theirs);
      for (const name of CASE_NAMES) {
        const title = `${pair.name}, ${directionName(pair, direction)}: ${name}`;
        if (!title.includes(wanted)) continue;
        const mark = CASES[name](pair)
          ? "n/a"
          : await CELLS[name](stage).then(() => "ok", (error) => {
            failures++;
            say(`${title}\n${error.stack ?? error}\n\n`);
            return "FAILED";
          });
        grid.mark(pair, direction, name, mark);
      }
    }
  }
  say(`${grid}\n${failures} failed\n`);
  return failures;
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
