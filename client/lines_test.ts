import { assertEquals } from "@std/assert";
import { Lines } from "./lines.ts";

/** The next lines in turn. */
function turns(lines: Lines, count: number): number[] {
  return Array.from({ length: count }, () => lines.next());
}

Deno.test("next() takes those that are there in turn, and -1 says that none is", () => {
  const lines = new Lines(3);
  assertEquals([lines.next(), lines.connected, lines.welcoming], [-1, false, false]);
  lines.up(2);
  assertEquals(turns(lines, 2), [2, 2]);
  lines.up(0);
  lines.up(1);
  assertEquals(turns(lines, 4), [0, 1, 2, 0]);
  lines.down(1, undefined);
  assertEquals(turns(lines, 3), [2, 0, 2]);
});

Deno.test("next() uses one that drains only where there is no other", () => {
  const lines = new Lines(2);
  lines.up(0);
  lines.up(1);
  lines.drains(0);
  assertEquals([...turns(lines, 2), lines.connected, lines.welcoming], [1, 1, true, true]);
  lines.drains(1);
  assertEquals([...turns(lines, 2), lines.connected, lines.welcoming], [0, 1, true, false]);
  lines.up(1);
  assertEquals(turns(lines, 2), [1, 1]);
  lines.down(0, undefined);
  lines.drains(0);
  lines.down(1, undefined);
  assertEquals([lines.next(), lines.connected], [-1, false], "one that is gone doesn't drain");
});

Deno.test("trouble tells the last reason once every way is shut for good, and no sooner", () => {
  const lines = new Lines(2);
  assertEquals(lines.trouble, undefined);
  lines.down(0, "refused");
  lines.down(1, undefined);
  assertEquals(lines.trouble, undefined);
  lines.down(1, "not allowed");
  assertEquals([lines.trouble, lines.connected], ["not allowed", false]);
  lines.up(0);
  assertEquals(lines.trouble, undefined);
});
