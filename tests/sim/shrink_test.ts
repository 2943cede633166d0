// Lists that break a promise are made short.

import { assertEquals } from "@std/assert";
import { shortestPrefix, shrink, withoutNeedless } from "./shrink.ts";

const HUNDRED = Array.from({ length: 100 }, (_, i) => i);

/** Breaks when all of these happen; counts how often it was tried. */
function breaksBy(...needed: readonly number[]) {
  const tried = { times: 0 };
  const breaks = (items: readonly number[]) => {
    tried.times++;
    return Promise.resolve(needed.every((it) => items.includes(it)));
  };
  return { tried, breaks };
}

Deno.test("shortestPrefix() ends with the last item that is needed, by halving", async () => {
  const { tried, breaks } = breaksBy(3, 41);
  assertEquals(await shortestPrefix(HUNDRED, breaks), HUNDRED.slice(0, 42));
  assertEquals(tried.times <= 8, true, `${tried.times} tries`);
});

Deno.test("shortestPrefix() is empty where nothing is needed, and whole where all is", async () => {
  assertEquals(await shortestPrefix(HUNDRED, breaksBy().breaks), []);
  assertEquals(await shortestPrefix(HUNDRED, breaksBy(0, 99).breaks), HUNDRED);
});

Deno.test("withoutNeedless() keeps only what is needed", async () => {
  const { tried, breaks } = breaksBy(3, 17, 98);
  assertEquals(await withoutNeedless(HUNDRED, breaks), [3, 17, 98]);
  assertEquals(tried.times < 100, true, `${tried.times} tries`);
});

Deno.test("shrink() does both", async () => {
  assertEquals(await shrink(HUNDRED, breaksBy(7, 8).breaks), [7, 8]);
  assertEquals(await shrink([], breaksBy().breaks), []);
});
