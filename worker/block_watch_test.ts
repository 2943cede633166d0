// Handlers that keep their thread busy are told of once, by name.

import { assertEquals } from "@std/assert";
import { BLOCKED_MS, BlockWatch } from "./block_watch.ts";

function watch() {
  const said: string[] = [];
  return { said, watch: new BlockWatch((commands, ms) => said.push(`${commands} ${ms}`)) };
}

Deno.test("BlockWatch names the handler that took long, once", () => {
  const { said, watch: it } = watch();
  it.ran("quick", BLOCKED_MS - 1);
  assertEquals(said, []);
  it.ran("primes", 1234.4);
  it.ran("other", 9999);
  it.late(9999, ["third"]);
  assertEquals(said, ["primes 1234"]);
});

Deno.test("BlockWatch names all that were at work where a timer came late", () => {
  const { said, watch: it } = watch();
  it.late(BLOCKED_MS - 1, ["a"]);
  it.late(9999, []);
  assertEquals(said, []);
  it.late(BLOCKED_MS, ["a", "b", "a"]);
  assertEquals(said, [`a or b ${BLOCKED_MS}`]);
});

Deno.test("BlockWatch has a name for the default handler", () => {
  const { said, watch: it } = watch();
  it.ran("", 600);
  assertEquals(said, ["the default handler 600"]);
});
