import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { type Payload, payloadFrames } from "./payload.ts";
import { octets } from "./words.ts";

/** The frames of a value as texts. */
function texts(value: Payload): string[] {
  return payloadFrames(value).map((frame) => new TextDecoder().decode(frame));
}

Deno.test("payloadFrames() sends octets and text as they are, and nothing as no frame", () => {
  const bytes = octets("abc");
  assertStrictEquals(payloadFrames(bytes)[0], bytes);
  assertEquals(texts("grüß"), ["grüß"]);
  assertEquals(texts(undefined), []);
  assertEquals(texts(""), [""]);
  assertEquals(payloadFrames(bytes.buffer), [bytes]);
  assertEquals(payloadFrames(new DataView(bytes.buffer, 1, 1)), [octets("b")]);
});

Deno.test("payloadFrames() sends an array of octets as several frames", () => {
  assertEquals(texts([octets("a"), octets("")]), ["a", ""]);
});

Deno.test("payloadFrames() sends anything else as JSON", () => {
  assertEquals(texts({ a: [1, null] }), ['{"a":[1,null]}']);
  assertEquals([42, true, null].flatMap((it) => texts(it)), ["42", "true", "null"]);
  assertEquals(texts([]), ["[]"]);
  assertEquals(texts(["a", "b"]), ['["a","b"]']);
  assertEquals(texts([octets("a"), "b"]), ['[{"0":97},"b"]']);
});

Deno.test("payloadFrames() refuses what is neither octets nor JSON", () => {
  for (const value of [() => 1, Symbol("s")]) {
    assertThrows(() => payloadFrames(value as Payload), TypeError, `a ${typeof value} is neither`);
  }
  assertThrows(() => payloadFrames(10n as unknown as Payload), TypeError);
});
