import { assert, assertEquals } from "@std/assert";
import { Progress } from "./progress.ts";

/** A progress whose time is moved by hand, and what it wrote. */
function start(total: number, width: number, until?: number) {
  const written: string[] = [];
  const clock = { now: 0 };
  const progress = new Progress({
    total,
    width,
    write: (text) => written.push(text),
    now: () => clock.now,
    ...(until === undefined ? {} : { until }),
  });
  return { progress, written, clock };
}

Deno.test("where no terminal is, each tenth is one mark, in one line", () => {
  const { progress, written } = start(37, 0);
  for (let i = 0; i < 37; i++) progress.step();
  progress.end();
  assertEquals(written.join(""), "10% 20% 30% 40% 50% 60% 70% 80% 90% 100%\n");
});

Deno.test("marks of something that ends early, or by time, end their line too", () => {
  const few = start(1000, 0);
  for (let i = 0; i < 250; i++) few.progress.step();
  few.progress.end();
  assertEquals(few.written.join(""), "10% 20%\n");
  const none = start(1000, 0);
  none.progress.step();
  none.progress.end();
  assertEquals(none.written, []);
  const timed = start(Infinity, 0, 1000);
  for (timed.clock.now = 0; timed.clock.now <= 1000; timed.clock.now += 50) timed.progress.step();
  timed.progress.end();
  assertEquals(timed.written.join(""), "10% 20% 30% 40% 50% 60% 70% 80% 90% 100%\n");
});

Deno.test("on a terminal the bar is drawn ten times a second at most, and taken away at the end", () => {
  const { progress, written, clock } = start(1000, 80);
  for (let i = 0; i < 1000; i++) {
    progress.step();
    clock.now += 2;
  }
  assertEquals(written.length, 20);
  const half = "#".repeat(20) + "-".repeat(20);
  assertEquals(written[10], `\r\x1b[K[${half}]   501 of 1,000  501/s`);
  progress.end();
  assertEquals(written.at(-1), "\r\x1b[K");
});

Deno.test("a bar fits every terminal, and leaves itself out of a narrow one", () => {
  for (const width of [10, 20, 30, 60, 200]) {
    const { progress, written, clock } = start(1000, width);
    clock.now = 600;
    progress.step();
    const line = written[0]!.replace("\r\x1b[K", "");
    assert(line.length < Math.max(width, 25), line);
    assertEquals(line.includes("["), width >= 30);
  }
});

Deno.test("above() clears the bar, prints, and draws it again as it was", () => {
  const { progress, written } = start(10, 80);
  progress.above(() => written.push("early\n"));
  progress.step();
  const bar = written[1]!.replace("\r\x1b[K", "");
  progress.above(() => written.push("a line\n"));
  assertEquals(written.slice(2), ["\r\x1b[K", "a line\n", bar]);
  progress.end();
  progress.above(() => written.push("late\n"));
  assertEquals(written.slice(5), ["\r\x1b[K", "late\n"]);
});
