// A stream by itself: whoever feeds it is a list of what it was asked.

import { assertEquals, assertRejects } from "@std/assert";
import { Frame } from "../protocol/sockets/frame.ts";
import { Result } from "./result.ts";
import { ResultStream } from "./stream.ts";

/** A stream, and what it asked its source for. */
function open(window: number) {
  const asked: (number | "cancel")[] = [];
  const stream = new ResultStream<string>({
    more: (count) => asked.push(count),
    cancel: () => asked.push("cancel"),
  }, window);
  return { stream, asked };
}

/** A chunk of these frames. */
function chunk(...texts: string[]): Result<string> {
  return new Result(texts.map((text) => Frame.from(new TextEncoder().encode(text)) as Frame));
}

Deno.test("next() gives chunks in order, those that wait and those that are waited for", async () => {
  const { stream } = open(4);
  stream.push(chunk("a"));
  const waiting = [stream.next(), stream.next(), stream.next(), stream.next()];
  stream.push(chunk("b"));
  stream.push(chunk("c"));
  stream.finish();
  const seen = (await Promise.all(waiting)).map(({ value }) => value?.text());
  assertEquals(seen, ["a", "b", "c", undefined]);
  assertEquals((await stream.next()).done, true);
});

Deno.test("chunks that are read are asked for again by halves of the window, no sooner", async () => {
  const { stream, asked } = open(4);
  for (const text of "abcd") stream.push(chunk(text));
  assertEquals(asked, []);
  await stream.next();
  assertEquals(asked, []);
  await stream.next();
  assertEquals(asked, [2]);
  const waiting = [stream.next(), stream.next(), stream.next()];
  assertEquals(asked, [2, 2]);
  stream.push(chunk("e"));
  stream.push(chunk("f"));
  assertEquals((await waiting[2]!).value?.text(), "e");
  assertEquals(asked, [2, 2]);
  await stream.next();
  assertEquals(asked, [2, 2, 2]);
});

Deno.test("a window of 1 asks for each chunk when the one before was read", async () => {
  const { stream, asked } = open(1);
  stream.push(chunk("a"));
  await stream.next();
  stream.push(chunk("b"));
  assertEquals(asked, [1]);
  await stream.next();
  assertEquals(asked, [1, 1]);
});

Deno.test("an error comes behind the chunks before it, once, and is no unhandled rejection", async () => {
  const { stream, asked } = open(2);
  stream.push(chunk("a"));
  stream.finish({ reason: new Error("lost") });
  stream.finish();
  stream.push(chunk("never"));
  assertEquals((await stream.next()).value?.text(), "a");
  await assertRejects(() => stream.next(), Error, "lost");
  assertEquals((await stream.next()).done, true);
  assertEquals(asked, []);
});

Deno.test("an error reaches the first who waits; the others see the end", async () => {
  const { stream } = open(2);
  const [first, second] = [stream.next(), stream.next()];
  stream.finish({ reason: "why" });
  assertEquals(await first.catch((reason) => reason), "why");
  assertEquals((await second).done, true);
});

Deno.test("leaving the loop cancels, once; a stream that is over isn't cancelled", async () => {
  const { stream, asked } = open(4);
  stream.push(chunk("a"));
  stream.push(chunk("b"));
  for await (const { frames } of stream) {
    assertEquals(frames.length, 1);
    break;
  }
  assertEquals(asked, ["cancel"]);
  assertEquals((await stream.next()).done, true);
  await stream.return();
  assertEquals(asked, ["cancel"]);
  const other = open(4);
  other.stream.finish({ reason: new Error("lost") });
  await other.stream.return();
  assertEquals((await other.stream.next()).done, true);
  assertEquals(other.asked, []);
});

Deno.test("return() wakes whoever waits, and `await using` does the same", async () => {
  const { stream, asked } = open(4);
  const waiting = stream.next();
  {
    await using left = stream;
    assertEquals(left, stream);
  }
  assertEquals((await waiting).done, true);
  assertEquals(asked, ["cancel"]);
});

Deno.test("toReadableStream() gives all octets, and skips chunks and frames that have none", async () => {
  const { stream } = open(8);
  for (const it of [chunk(), chunk("a", "", "b"), chunk(""), chunk("c")]) stream.push(it);
  stream.finish();
  assertEquals(await new Response(stream.toReadableStream()).text(), "abc");
});

Deno.test("toReadableStream() reads no chunk ahead of its reader, and cancels", async () => {
  const { stream, asked } = open(2);
  const reader = stream.toReadableStream().getReader();
  stream.push(chunk("a"));
  stream.push(chunk("b"));
  for (let i = 0; i < 10; i++) await Promise.resolve();
  assertEquals(asked, []);
  assertEquals(new TextDecoder().decode((await reader.read()).value), "a");
  assertEquals(asked, [1]);
  await reader.cancel();
  assertEquals(asked, [1, "cancel"]);
});

Deno.test("toReadableStream() fails where the stream fails", async () => {
  const { stream } = open(2);
  const reader = stream.toReadableStream().getReader();
  stream.push(chunk("a"));
  stream.finish({ reason: new Error("lost") });
  await reader.read();
  await assertRejects(() => reader.read(), Error, "lost");
});
