import { assert, assertEquals, assertRejects } from "@std/assert";
import { BusyError, ConnectionLostError, TimeoutError } from "../errors.ts";
import { carry, codeOf, type Load, WrongDataError } from "./load.ts";
import { summaryLines, summaryValue } from "./summary.ts";

/** Calls that take 10 ms each of a clock that only they move. */
function load(wish: Partial<Load> = {}): Load & { readonly clock: { now: number; most: number } } {
  const clock = { now: 0, most: 0 };
  let under = 0;
  return {
    clock,
    count: 100,
    parallel: 10,
    until: Infinity,
    now: () => clock.now,
    signal: new AbortController().signal,
    once: async () => {
      clock.most = Math.max(clock.most, ++under);
      await Promise.resolve();
      under--;
      clock.now += 10;
      return 5;
    },
    onStep: () => {},
    ...wish,
  };
}

Deno.test("carry() makes so many calls, so many at a time, and adds up what came", async () => {
  let steps = 0;
  const work = load({ onStep: () => steps++ });
  const figures = await carry(work);
  assertEquals([figures.sent, figures.succeeded, figures.octets, steps], [100, 100, 500, 100]);
  assertEquals([work.clock.most, figures.milliseconds, figures.times.count], [10, 1000, 100]);
  assertEquals(codeOf(figures), 0);
});

Deno.test("carry() makes no more lanes than calls", async () => {
  const work = load({ count: 3 });
  assertEquals((await carry(work)).sent, 3);
  assertEquals(work.clock.most, 3);
});

Deno.test("carry() counts failures by their code, and goes on", async () => {
  let calls = 0;
  const once = () => {
    calls++;
    if (calls % 10 === 0) return Promise.reject(new TimeoutError("late"));
    if (calls % 15 === 0) return Promise.reject(new BusyError("full"));
    return calls === 1 ? Promise.reject(new WrongDataError("wrong")) : Promise.resolve(1);
  };
  const figures = await carry(load({ once }));
  assertEquals([...figures.failed].sort(), [["BUSY", 3], ["TIMEOUT", 10], ["WRONG_DATA", 1]]);
  assertEquals([figures.sent, figures.succeeded, figures.octets], [100, 86, 86]);
  assertEquals(codeOf(figures), 1);
  const [head, reasons] = summaryLines(figures, false);
  assert(head!.startsWith("100 sent, 86 succeeded, 14 failed in 0 "), head);
  assertEquals(reasons, "failed: TIMEOUT 10, BUSY 3, WRONG_DATA 1");
});

Deno.test("codeOf() is 4 where nothing failed but by timeouts", async () => {
  const once = () => Promise.reject(new TimeoutError("late"));
  assertEquals(codeOf(await carry(load({ once, count: 2 }))), 4);
});

Deno.test("carry() begins nothing after its time, and stops where nobody is there", async () => {
  const figures = await carry(load({ count: Infinity, until: 500 }));
  assert(figures.sent >= 50 && figures.sent < 60, `${figures.sent}`);
  const once = () => Promise.reject(new ConnectionLostError("gone"));
  const lost = await carry(load({ count: Infinity, once, parallel: 3 }));
  assertEquals([...lost.failed], [["CONNECTION_LOST", 3]]);
});

Deno.test("a signal ends it; what was taken back isn't counted", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  let calls = 0;
  const once = () => {
    if (++calls === 25) controller.abort();
    if (!signal.aborted) return Promise.resolve(0);
    return Promise.reject(signal.reason);
  };
  const figures = await carry(load({ once, signal }));
  assertEquals([figures.sent, figures.succeeded, figures.stopped], [24, 24, true]);
  assertEquals(codeOf(figures), 130);
  assert(summaryLines(figures, false)[0]!.endsWith("stopped"));
});

Deno.test("a fault of the program's own is no failed call", async () => {
  const once = () => Promise.reject(new TypeError("a bug"));
  await assertRejects(() => carry(load({ once })), TypeError, "a bug");
});

Deno.test("the summary tells rate, percentiles and a histogram, as text and as a value", async () => {
  const figures = await carry(load({ parallel: 1 }));
  assertEquals(summaryLines(figures, true), [
    "100 sent, 100 succeeded, 0 failed in 1 s (100/s), 500 B (500 B/s)",
    "latency p50 10 ms, p99 10 ms, p99.9 10 ms, longest 10 ms",
    `  8 ms - 16 ms  ${"#".repeat(32)}  100`,
  ]);
  assertEquals(summaryValue("bulkping", figures), {
    command: "bulkping",
    sent: 100,
    succeeded: 100,
    failed: 0,
    reasons: {},
    stopped: false,
    octets: 500,
    milliseconds: 1000,
    perSecond: 100,
    p50: 10,
    p99: 10,
    "p99.9": 10,
    longest: 10,
    histogram: [{ from: 8, to: 16, count: 100 }],
  });
});
