// What the compiler says of calls: each mistake stands behind a `@ts-expect-error`, so that
// `deno check` fails if one is let through; and the same calls run.

import { assertEquals, assertRejects } from "@std/assert";
import { TestCluster } from "../tests/kit/mod.ts";
import type { Job } from "../worker/mod.ts";
import type { Client } from "./client.ts";
import { NoCommandError } from "./errors.ts";

const handlers = {
  add: (job: Job<{ a: number; b: number }>) => job.json().a + job.json().b,
  shout: (job: Job<string>) => job.text().toUpperCase(),
  reverse: (job: Job<Uint8Array>) => job.bytes.toReversed(),
  anything: (job: Job) => ({ length: job.bytes.length }),
  now: () => Promise.resolve({ time: 5 }),
  nothing: () => {},
  async *count(job: Job<{ to: number }>) {
    for (let i = 1; i <= job.json().to; i++) yield await Promise.resolve(i);
  },
  web: () => ReadableStream.from([{ x: 1 }]),
};

/** The same as an interface, which has no index signature, with something that is no handler. */
interface Commands {
  readonly version: string;
  add(job: Job<{ a: number; b: number }>): number;
  count(job: Job<{ to: number }>): AsyncIterable<number>;
  now(): Promise<{ time: number }>;
}

/** Compiles if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;

function isSame<A, B>(_: Same<A, B>): void {}

async function calls(client: Client<typeof handlers>): Promise<unknown[]> {
  const sum = (await client.call("add", { a: 1, b: 2 })).json();
  isSame<typeof sum, number>(true);
  // @ts-expect-error: the payload lacks b
  client.call("add", { a: 1 }).catch(() => {});
  // @ts-expect-error: a is no text
  client.call("add", { a: "1", b: 2 }).catch(() => {});
  // @ts-expect-error: the payload is missing
  client.call("add").catch(() => {});
  // @ts-expect-error: there is no such command
  await assertRejects(() => client.call("subtract", { a: 1, b: 2 }), NoCommandError);
  const loud = await client.call("shout", "hi", { timeout: 1000 });
  // @ts-expect-error: text isn't JSON, so nothing is known of it
  assertThrowsJson(() => loud.json().length);
  // @ts-expect-error: a number is no text
  await client.call("shout", 5);
  const bytes = (await client.call("reverse", new Uint8Array([1, 2]))).bytes;
  const some = (await client.call("anything", [1, 2, 3])).json();
  isSame<typeof some, { length: number }>(true);
  const { time } = (await client.call("now")).json();
  isSame<typeof time, number>(true);
  const nothing = (await client.call("nothing")).json();
  isSame<typeof nothing, void>(true);
  // @ts-expect-error: an option that isn't there
  await client.call("now", undefined, { timeuot: 1 });
  return [sum, loud.text(), [...bytes], some, time, nothing];
}

function assertThrowsJson(read: () => unknown): void {
  assertEquals(errorOf(read) instanceof SyntaxError, true);
}

function errorOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

async function streams(client: Client<typeof handlers>): Promise<number[]> {
  const seen: number[] = [];
  for await (const chunk of client.stream("count", { to: 3 }, { window: 2 })) {
    const number = chunk.json();
    isSame<typeof number, number>(true);
    seen.push(number);
  }
  for await (const chunk of client.stream("web")) seen.push(chunk.json().x);
  // @ts-expect-error: the payload is missing
  await client.stream("count").return();
  // @ts-expect-error: a window is an option of streams only
  await client.call("now", undefined, { window: 1 });
  // @ts-expect-error: accepted is an option of send only
  await client.stream("web", undefined, { accepted: true }).return();
  return seen;
}

async function sends(client: Client<typeof handlers>): Promise<void> {
  await client.send("add", { a: 1, b: 2 }, { accepted: true });
  // @ts-expect-error: there is no such command
  await client.send("multiply", { a: 1, b: 2 });
  // @ts-expect-error: the payload is no list
  await client.send("add", [1, 2]);
}

/** A client that knows nothing, with commands given for one call. */
async function perCall(client: Client): Promise<unknown[]> {
  const any = await client.call("add", { a: 1, b: 2 });
  const unknown = any.json();
  isSame<typeof unknown, unknown>(true);
  // @ts-expect-error: a symbol can't be sent
  await client.call("now", Symbol("s")).catch(() => {});
  const either = (await client.call<Commands>("add", { a: 2, b: 2 })).json();
  isSame<typeof either, number | { time: number }>(true);
  const sum = (await client.call<Commands, "add">("add", { a: 3, b: 2 })).json();
  isSame<typeof sum, number>(true);
  // @ts-expect-error: the payload is another command's
  await client.call<Commands>("add", { to: 3 });
  // @ts-expect-error: version is no command
  await client.call<Commands>("version").catch(() => {});
  // @ts-expect-error: there is no such command
  await client.call<Commands>("subtract", { a: 2, b: 2 }).catch(() => {});
  await client.send<Commands>("now", undefined, { accepted: true });
  // @ts-expect-error: the payload is missing
  await client.send<Commands>("add");
  const chunks = [];
  for await (const chunk of client.stream<Commands, "count">("count", { to: 2 })) {
    const number = chunk.json();
    isSame<typeof number, number>(true);
    chunks.push(number);
  }
  return [unknown, either, sum, ...chunks];
}

Deno.test("calls are checked against the types of handlers, and mean what the types say", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ handlers });
  const client = cluster.client<typeof handlers>();
  assertEquals(await calls(client), [3, "HI", [2, 1], { length: 7 }, 5, undefined]);
  assertEquals(await streams(client), [1, 2, 3, 1]);
  await sends(client);
  assertEquals(await perCall(cluster.client()), [3, 4, 5, 1, 2]);
});

Deno.test("a whole module, an interface and a class are commands too", async () => {
  class Counter {
    #count = 0;
    step = (job: Job<number>): number => this.#count += job.json();
  }
  await using cluster = await TestCluster.start();
  await cluster.worker({ handlers: { ...new Counter(), now: () => ({ time: 7 }) } });
  const byClass: Client<Counter> = cluster.client<Counter>();
  assertEquals((await byClass.call("step", 2)).json(), 2);
  // @ts-expect-error: a step is a number
  await byClass.call("step", "2");
  const byInterface = cluster.client<Commands>();
  assertEquals((await byInterface.call("now")).json().time, 7);
  // @ts-expect-error: version is no command
  await byInterface.call("version").catch(() => {});
  type Module = typeof import("../tests/kit/mod.ts");
  const byModule = cluster.client<Module>();
  // @ts-expect-error: nothing in there is a handler
  await byModule.call("nothing").catch(() => {});
});
