// What handlers give for streams, each of them to its end and stopped in the middle.

import { assertEquals, assertRejects } from "@std/assert";
import { type ChunkSource, chunkSourceOf } from "./chunk_source.ts";

const ended: string[] = [];

async function* asyncGenerator() {
  try {
    for (let i = 1; i <= 3; i++) yield i;
  } finally {
    ended.push("async generator");
  }
}

function* generator() {
  try {
    for (let i = 1; i <= 3; i++) yield i;
  } finally {
    ended.push("generator");
  }
}

function stream(): ReadableStream<number> {
  let i = 0;
  return new ReadableStream({
    pull: (controller) => ++i > 3 ? controller.close() : controller.enqueue(i),
    cancel: (reason) => void ended.push(`stream: ${reason}`),
  }, { highWaterMark: 0 });
}

async function collect(source: ChunkSource): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let step = await source.next(); !step.done; step = await source.next()) all.push(step.value);
  return all;
}

for (
  const [name, make, trace] of [
    ["an async generator", asyncGenerator, "async generator"],
    ["a generator", generator, "generator"],
    ["a ReadableStream", stream, "stream: enough"],
  ] as [string, () => unknown, string][]
) {
  Deno.test(`chunkSourceOf() reads ${name} to its end`, async () => {
    assertEquals(await collect(chunkSourceOf(make())!), [1, 2, 3]);
    ended.length = 0;
  });

  Deno.test(`chunkSourceOf() stops ${name}, which then cleans up`, async () => {
    const source = chunkSourceOf(make())!;
    assertEquals((await source.next()).value, 1);
    await source.stop("enough");
    assertEquals(ended.splice(0), [trace]);
    assertEquals((await source.next()).done, true);
  });
}

Deno.test("chunkSourceOf() stops a ReadableStream that never gives anything", async () => {
  const source = chunkSourceOf(new ReadableStream({ pull: () => new Promise(() => {}) }))!;
  const next = source.next();
  await source.stop("enough");
  assertEquals((await next).done, true);
});

Deno.test("chunkSourceOf() passes failures on, and takes none while it stops", async () => {
  const failing = chunkSourceOf({
    [Symbol.asyncIterator]: () => ({
      next: () => {
        throw new Error("no more paper");
      },
      return: () => Promise.reject(new Error("jammed")),
    }),
  })!;
  await assertRejects(() => failing.next(), Error, "no more paper");
  await failing.stop("enough");
  const plain = chunkSourceOf({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: 0 }) }),
  })!;
  await plain.stop("it has no return()");
});

Deno.test("chunkSourceOf() takes whole answers for what they are", () => {
  const values = [undefined, null, 1, "text", true, {}, [1], new Map(), new Set([1])];
  for (const value of [...values, new Uint8Array(3), new Date(0)]) {
    assertEquals(chunkSourceOf(value), undefined, String(value));
  }
});
