import { assertEquals } from "@std/assert";
import { differenceOf } from "./difference.ts";

Deno.test("differenceOf() is undefined of equal transcripts", () => {
  assertEquals(differenceOf("a\nb\n", "a\nb\n"), undefined);
});

Deno.test("differenceOf() shows where two transcripts part and meet again", () => {
  const written = "1\n2\n3\n4\n5\nold\n6\n7\n8\n9\n10\n";
  const played = "1\n2\n3\n4\n5\nnew\nmore\n6\n7\n8\n9\n10\n";
  assertEquals(
    differenceOf(written, played),
    "from line 6 on, - as it is written, + as it was played\n" +
      "  2\n  3\n  4\n  5\n- old\n+ new\n+ more\n  6\n  7\n  8\n  9",
  );
});

Deno.test("differenceOf() shows what is missing at the end, and what is too much", () => {
  assertEquals(
    differenceOf("a\nb", "a"),
    "from line 2 on, - as it is written, + as it was played\n  a\n- b",
  );
  assertEquals(
    differenceOf("a\n", "a\na\n"),
    "from line 2 on, - as it is written, + as it was played\n  a\n+ a\n  ",
  );
});
