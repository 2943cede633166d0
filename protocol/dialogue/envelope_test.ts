import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ViewMaker } from "../../tests/kit/messages.ts";
import { bodyOf, DELIMITER, envelopeEnd } from "./envelope.ts";
import { encodeFrames } from "./frames.ts";
import { octets } from "./words.ts";

const maker = new ViewMaker();

/** Where the body of these frames starts, and the octets of the envelope before it. */
function split(frames: readonly Uint8Array[]): { body: number; envelope: Uint8Array } {
  let found = { body: -1, envelope: new Uint8Array() };
  maker.with(frames, (view) => {
    const body = bodyOf(view);
    found = { body, envelope: view.bytes.slice(view.heads[0]!, envelopeEnd(view, body)) };
  });
  return found;
}

/** Frames by their texts. */
function texts(...frames: string[]): Uint8Array[] {
  return frames.map(octets);
}

Deno.test("bodyOf() starts behind the first empty frame, as each kind of peer puts it", () => {
  const cases: [string, Uint8Array[], number][] = [
    ["REQ, or a DEALER that adds the delimiter", texts("", "body"), 1],
    ["REQ that correlates", texts("\x00\x00\x00\x01", "", "body", "more"), 2],
    ["through two proxies", texts("\x00abcd", "\x00efgh", "", "body"), 3],
    ["a bare DEALER", texts("body", "more"), 0],
    ["an empty body of one frame", texts("", ""), 1],
    ["empty frames inside the body", texts("", "body", "", "x"), 1],
    ["a probe", texts(""), 1],
    ["a probe through a proxy", texts("\x00abcd", ""), 2],
  ];
  for (const [name, frames, body] of cases) {
    const found = split(frames);
    assertEquals(found.body, body, name);
    assertEquals(found.envelope, encodeFrames(frames.slice(0, body), body < frames.length), name);
  }
});

Deno.test("DELIMITER is the envelope of a peer that sends nothing else before its body", () => {
  assertEquals(split(texts("", "body")).envelope, DELIMITER);
  assertEquals(encodeFrames([new Uint8Array()], true), DELIMITER);
});

Deno.test("envelopeEnd() takes all octets of the envelope, and none of the body", () => {
  const frame = fc.oneof(
    fc.constant(new Uint8Array()),
    fc.uint8Array({ minLength: 1, maxLength: 20 }),
    fc.uint8Array({ minLength: 256, maxLength: 300 }),
  );
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 8 }), (frames) => {
      const { body, envelope } = split(frames);
      const empty = frames.findIndex(({ length }) => length === 0);
      assertEquals(body, empty + 1);
      // The last frame of an envelope says that more follows, unless there is no body.
      assertEquals(envelope, encodeFrames(frames.slice(0, body), body < frames.length));
    }),
    { numRuns: 500 },
  );
});
