/**
 * Log lines as text and JSON, colours, lines of input, and what a signal means.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { linesOf } from "./lines.ts";
import { jsonLine, textLine } from "./log.ts";
import { paintFor, PLAIN } from "./paint.ts";
import { StopRule } from "./stop_rule.ts";

const TIME = new Date(2026, 0, 2, 3, 4, 5, 6);
const ENTRY = {
  level: 1,
  event: "worker joined",
  details: { address: "evil\n\x1b[2Jx", free: 3, name: "two words", empty: "" },
};

Deno.test("textLine() is one line, whatever the details are", () => {
  assertEquals(
    textLine(ENTRY, TIME, PLAIN),
    '03:04:05.006 worker joined address=evil\\n\\x1b[2Jx free=3 name="two words" empty=""',
  );
});

Deno.test("textLine() has no control characters of its own without colours", () => {
  const colours = paintFor(true, false);
  assertEquals(textLine(ENTRY, TIME, colours).includes("\x1b["), true);
  for (const paint of [paintFor(true, true), paintFor(false, false), paintFor(false, true)]) {
    assertEquals(textLine(ENTRY, TIME, paint), textLine(ENTRY, TIME, PLAIN));
  }
});

Deno.test("textLine() marks what must be told, and dims what is fine detail", () => {
  const lines = [0, 1, 2].map((level) =>
    textLine({ level, event: "x", details: {} }, TIME, {
      dim: (text) => `(${text})`,
      warn: (text) => `!${text}!`,
    })
  );
  assertEquals(lines, ["(03:04:05.006) !x!", "(03:04:05.006) x", "(03:04:05.006) (x)"]);
});

Deno.test("jsonLine() is one line of JSON with the details as they were", () => {
  const line = jsonLine(ENTRY, new Date(0));
  assertEquals(line.includes("\n"), false);
  assertEquals(JSON.parse(line), {
    time: "1970-01-01T00:00:00.000Z",
    level: 1,
    event: "worker joined",
    ...ENTRY.details,
  });
});

Deno.test("jsonLine() lets no detail take the place of time, level or event", () => {
  const details = { event: "fake", level: 9, time: "never" };
  const line = JSON.parse(jsonLine({ level: 0, event: "real", details }, new Date(0)));
  assertEquals(line, { time: "1970-01-01T00:00:00.000Z", level: 0, event: "real" });
});

/** A stream of these pieces. */
function streamOf(...parts: string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)));
}

Deno.test("linesOf() gives whole lines, however they are cut", async () => {
  const cases: [string[], string[]][] = [
    [[], []],
    [["a\nb\n"], ["a", "b"]],
    [["wor", "kers\nst", "ats"], ["workers", "stats"]],
    [["a\r\nb\r\n"], ["a", "b"]],
    [["\n\n"], ["", ""]],
    [["quit"], ["quit"]],
  ];
  for (const [parts, lines] of cases) {
    assertEquals(await Array.fromAsync(linesOf(streamOf(...parts))), lines);
  }
});

Deno.test("linesOf() joins characters that were cut, and cuts lines without end", async () => {
  const bytes = new TextEncoder().encode("日\n");
  const stream = ReadableStream.from([bytes.slice(0, 1), bytes.slice(1)]);
  assertEquals(await Array.fromAsync(linesOf(stream)), ["日"]);
  const parts = Array.from({ length: 100 }, () => "x".repeat(10_000));
  const [line] = await Array.fromAsync(linesOf(streamOf(...parts, "\n")));
  assertEquals(line!.length, 65_536);
});

Deno.test("StopRule takes what comes within a second of the first for the same", () => {
  const meanings = (times: number[]) => {
    const rule = new StopRule();
    return times.map((now) => rule.signal(now));
  };
  assertEquals(meanings([5]), ["gently"]);
  assertEquals(meanings([5, 5, 1004.9]), ["gently", "same", "same"]);
  assertEquals(meanings([5, 1005]), ["gently", "at once"]);
  assertEquals(meanings([5, 6, 900, 2000]), ["gently", "same", "same", "at once"]);
});
