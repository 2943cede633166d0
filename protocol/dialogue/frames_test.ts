import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { splitMessages } from "../../tests/kit/messages.ts";
import { hex, join } from "../../tests/conformance/vectors.ts";
import { encodeFrames } from "./frames.ts";
import { octets } from "./words.ts";

Deno.test("encodeFrames() writes frames as the wire has them", () => {
  assertEquals(encodeFrames([]), new Uint8Array());
  assertEquals(encodeFrames([new Uint8Array(), octets("hi")]), hex("01 00 00 02 68 69"));
  assertEquals(encodeFrames([new Uint8Array()], true), hex("01 00"));
  const long = new Uint8Array(256).fill(7);
  assertEquals(encodeFrames([long]), join(hex("02 0000000000000100"), long));
  assertEquals(encodeFrames([long], true), join(hex("03 0000000000000100"), long));
});

Deno.test("encodeFrames() writes what comes back as the same frames", () => {
  const frame = fc.uint8Array({ maxLength: 300, size: "max" });
  fc.assert(fc.property(fc.array(frame, { minLength: 1, maxLength: 6 }), (frames) => {
    assertEquals(splitMessages(encodeFrames(frames)), [frames]);
    const last = octets("last");
    const whole = join(encodeFrames(frames, true), encodeFrames([last]));
    assertEquals(splitMessages(whole), [[...frames, last]]);
  }));
});
