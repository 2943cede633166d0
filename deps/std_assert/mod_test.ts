// Shows that the adapter's assertions pass, fail and narrow types as those of @std/assert do.

import * as a from "@std/assert";

Deno.test("assert() narrows, and throws AssertionError", () => {
  const value = ["x"].find((x) => x === "x");
  a.assert(value !== undefined);
  const narrowed: string = value;
  a.assertStrictEquals(narrowed, "x");
  const error = a.assertThrows(() => a.assert(false, "why"), a.AssertionError, "why");
  a.assertInstanceOf(error, Error);
});

Deno.test("assertEquals() compares deeply, bytes too", () => {
  a.assertEquals({ x: [1, new Map([["k", new Uint8Array([1, 2])]])] }, {
    x: [1, new Map([["k", new Uint8Array([1, 2])]])],
  });
  a.assertThrows(() => a.assertEquals(new Uint8Array([1]), new Uint8Array([2])), a.AssertionError);
  a.assertNotEquals({ x: 1 }, { x: 2 });
  a.assert(a.equal([1], [1]));
});

Deno.test("assertRejects() resolves with the typed reason", async () => {
  const error = await a.assertRejects(
    () => Promise.reject(new RangeError("Cannot count: below zero")),
    RangeError,
    "below zero",
  );
  const typed: RangeError = error;
  a.assertMatch(typed.message, /^Cannot count/);
  await a.assertRejects(() => a.assertRejects(() => Promise.resolve(1)), a.AssertionError);
});

Deno.test("assertExists() and assertInstanceOf() narrow", () => {
  const maybe = new Map([["k", 1]]).get("k");
  a.assertExists(maybe);
  const sure: number = maybe;
  a.assertAlmostEquals(sure, 1);
  const thing: unknown = new Date(0);
  a.assertInstanceOf(thing, Date);
  const date: Date = thing;
  a.assertLess(date.getTime(), 1);
});

Deno.test("the comparing and searching assertions fail when they should", () => {
  a.assertGreater(2, 1);
  a.assertGreaterOrEqual(2, 2);
  a.assertLessOrEqual(2, 2);
  a.assertFalse(0);
  a.assertArrayIncludes([1, 2, 3], [2]);
  a.assertObjectMatch({ x: 1, y: { z: 2 } }, { y: { z: 2 } });
  a.assertStringIncludes("rota", "ot");
  const failing: readonly (() => void)[] = [
    () => a.assertGreater(1, 1),
    () => a.assertGreaterOrEqual(1, 2),
    () => a.assertLess(1, 1),
    () => a.assertLessOrEqual(2, 1),
    () => a.assertFalse(1),
    () => a.assertArrayIncludes([1], [2]),
    () => a.assertObjectMatch({ x: 1 }, { x: 2 }),
    () => a.assertStringIncludes("rota", "x"),
    () => a.assertNotEquals(1, 1),
    () => a.assertStrictEquals<unknown>({}, {}),
    () => a.fail("on purpose"),
    () => a.unreachable(),
  ];
  for (const fn of failing) a.assertThrows(fn, a.AssertionError);
});
