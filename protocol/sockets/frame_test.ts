import { assert, assertEquals, assertNotStrictEquals, assertThrows } from "@std/assert";
import { ArgumentError } from "../errors.ts";
import type { MessageView } from "../zmtp/message_reader.ts";
import { hex, text } from "../../tests/conformance/vectors.ts";
import { Frame, type FrameEncoding, FrameMaker } from "./frame.ts";

function frame(...octets: number[]): Frame {
  return Frame.from(octets) as Frame;
}

/** A message as the transport shows it: views into one buffer, with other octets around. */
function view(...bodies: readonly Uint8Array[]): MessageView & { readonly bytes: Uint8Array } {
  const count = bodies.length;
  const bytes = new Uint8Array(bodies.reduce((sum, body) => sum + body.length + 3, 1)).fill(0xee);
  const [heads, starts, ends] = [0, 1, 2].map(() => new Int32Array(count + 2).fill(7));
  let at = 1;
  bodies.forEach((body, i) => {
    heads![i] = at;
    starts![i] = at + 2;
    ends![i] = at + 2 + body.length;
    bytes.set(body, at + 2);
    at = ends![i]! + 1;
  });
  return { bytes, count, heads: heads!, starts: starts!, ends: ends! };
}

function made(frames: readonly Frame[]): number[][] {
  return frames.map((it) => [...it]);
}

Deno.test("Frame.toString() is text, as a Buffer gives it, and knows other encodings", () => {
  const it = frame(0xc3, 0xa9, 0x31, 0xfb);
  assertEquals(`${it}`, "é1\ufffd");
  assertEquals(frame(104, 105).text(), "hi");
  assertEquals(String(frame(0xef, 0xbb, 0xbf, 104)), "\ufeffh");
  assertEquals(frame().toString(), "");
  const encodings: [FrameEncoding, string][] = [
    ["utf8", "é1\ufffd"],
    ["utf-8", "é1\ufffd"],
    ["hex", "c3a931fb"],
    ["base64", "w6kx+w=="],
    ["base64url", "w6kx-w"],
    ["latin1", "\xc3\xa91\xfb"],
    ["binary", "\xc3\xa91\xfb"],
  ];
  for (const [encoding, expected] of encodings) assertEquals(it.toString(encoding), expected);
  const error = assertThrows(() => it.toString("utf16" as FrameEncoding), ArgumentError);
  assertEquals(error.code, "EINVAL");
});

Deno.test("Frame.json() parses, and throws on what isn't JSON", () => {
  const json = frame(...text('{"a":[1,null]}'));
  assertEquals(json.json(), { a: [1, null] });
  assertThrows(() => frame(123).json(), SyntaxError);
});

Deno.test("Frame.slice() copies, subarray() shares; both are frames", () => {
  const it = frame(97, 98, 99);
  const [copy, shared] = [it.slice(1), it.subarray(1, 2)];
  it[1] = 120;
  assertEquals([copy.text(), shared.text()], ["bc", "x"]);
  assert(copy instanceof Frame && shared instanceof Frame);
});

Deno.test("FrameMaker.make() copies a message out: the transport's buffer may change", () => {
  const maker = new FrameMaker();
  const message = view(text("one"), hex(""), text("three"));
  const frames = maker.make(message, 0);
  assertEquals(maker.size, 8);
  message.bytes.fill(0);
  assertEquals(frames.map(String), ["one", "", "three"]);
  assertEquals(maker.make(view(text("a"), text("b"), text("c")), 2).map(String), ["c"]);
  assertEquals(maker.make(view(text("a")), 1), []);
});

Deno.test("FrameMaker.make() puts a copy of an address in front", () => {
  const maker = new FrameMaker();
  const address = text("id");
  const frames = maker.make(view(text("x")), 0, address);
  address.fill(0);
  assertEquals([frames.map(String), maker.size], [["id", "x"], 3]);
  assertEquals(maker.make(view(), 0, new Uint8Array(0)).map(String), [""]);
});

Deno.test("FrameMaker.make() never lets two frames share octets", () => {
  const maker = new FrameMaker();
  const sizes = [0, 1, 44, 700, 2047, 2048, 2049, 5, 8192, 3, 2000, 2000, 2000, 2000, 9];
  const frames = sizes.map((size, i) => maker.make(view(new Uint8Array(size).fill(i + 1)), 0)[0]!);
  for (const [i, it] of frames.entries()) it.fill(100 + i);
  const expected = sizes.map((size, i) => new Array(size).fill(100 + i));
  assertEquals(made(frames), expected);
});

Deno.test("FrameMaker.make() gives a large message a buffer of its own, just as large", () => {
  const maker = new FrameMaker();
  const [small] = maker.make(view(text("small")), 0);
  const [large] = maker.make(view(new Uint8Array(2049)), 0);
  const [next] = maker.make(view(text("next")), 0);
  assertEquals(large!.buffer.byteLength, 2049);
  assertNotStrictEquals(large!.buffer, small!.buffer);
  assertEquals([next!.buffer, next!.byteOffset], [small!.buffer, 5]);
  assert(small!.buffer.byteLength <= 8192);
});
