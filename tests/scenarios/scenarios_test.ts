/**
 * The broker's behaviour as transcripts that a person can read: every `*.txt` here is played, and
 * must come out as it is written. To write them anew after a change, and then read the difference:
 *
 *     deno test --allow-read --allow-write tests/scenarios/scenarios_test.ts -- --rewrite
 *
 * @module
 */
import { AssertionError } from "@std/assert";
import { differenceOf } from "./difference.ts";
import { play } from "./script.ts";

const FOLDER = new URL("./", import.meta.url);
const rewrites = Deno.args.includes("--rewrite");

for (const { name } of [...Deno.readDirSync(FOLDER)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  if (!name.endsWith(".txt")) continue;
  Deno.test(`scenario ${name.slice(0, -4)} plays as it is written`, () => {
    const file = new URL(name, FOLDER);
    const written = Deno.readTextFileSync(file);
    const played = play(written);
    const difference = differenceOf(written, played);
    if (difference === undefined) return;
    if (!rewrites) throw new AssertionError(`${name} ${difference}`);
    Deno.writeTextFileSync(file, played);
  });
}
