// What is told of a handler that failed.

import { assertEquals } from "@std/assert";
import { failureOf } from "./failure.ts";
import { JobError } from "./handlers.ts";

const idle = new AbortController().signal;

for (
  const [what, thrown, code, message] of [
    ["an Error", new Error("no paper"), "WORKER_FAILED", "no paper"],
    ["an Error without a message", new RangeError(), "WORKER_FAILED", "RangeError"],
    ["a text", "no ink", "WORKER_FAILED", "no ink"],
    ["nothing", undefined, "WORKER_FAILED", "undefined"],
    ["null", null, "WORKER_FAILED", "null"],
    ["a JobError", new JobError("NO_INK", "no ink"), "NO_INK", "no ink"],
    ["a JobError with a broker's code", new JobError("BUSY", "later"), "BUSY", "later"],
    ["an error of the system", Object.assign(new Error("x"), { code: "ENOENT" }), "ENOENT", "x"],
    [
      "an error of a client inside",
      Object.assign(new Error("x"), { code: "BUSY" }),
      "WORKER_FAILED",
      "x",
    ],
    ["an illegal code", Object.assign(new Error("x"), { code: "\x1b[2J" }), "WORKER_FAILED", "x"],
    ["a code that is a number", Object.assign(new Error("x"), { code: 7 }), "WORKER_FAILED", "x"],
    [
      "something that is no text",
      Object.create(null),
      "WORKER_FAILED",
      "something that is no text was thrown",
    ],
    ["a long message", new Error("y".repeat(5000)), "WORKER_FAILED", "y".repeat(1000)],
  ] as [string, unknown, string, string][]
) {
  Deno.test(`failureOf() names ${what}`, () => {
    assertEquals(failureOf(thrown, idle), { code, message });
  });
}

Deno.test("failureOf() names the reason where the signal had fired, whatever is thrown then", () => {
  const cancelled = AbortSignal.abort(new DOMException("nobody waits", "AbortError"));
  assertEquals(failureOf(new Error("socket closed"), cancelled), {
    code: "CANCELLED",
    message: "nobody waits",
  });
  const late = AbortSignal.abort(new DOMException("too late", "TimeoutError"));
  assertEquals(failureOf(late.reason, late), { code: "EXPIRED", message: "too late" });
  assertEquals(failureOf(new JobError("HALF_DONE", "3 of 5"), late).code, "HALF_DONE");
});
