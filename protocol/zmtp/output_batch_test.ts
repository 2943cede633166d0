import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { encodePing, encodePong } from "./command.ts";
import { MORE } from "./frame.ts";
import { BUFFER_BYTES } from "./limits.ts";
import { copy, OutputBatch, salvage } from "./output_batch.ts";
import { CountingMemory } from "../../tests/conformance/talk.ts";
import { join, MESSAGES, text } from "../../tests/conformance/vectors.ts";

function written(batch: OutputBatch): Uint8Array {
  return batch.bytes.slice(0, batch.length);
}

Deno.test("message() frames messages as libzmq does", () => {
  for (const { frames, wire } of MESSAGES) {
    const batch = new OutputBatch(new CountingMemory(), 4);
    batch.message(frames);
    assertEquals(written(batch), wire);
    assertEquals(batch.messages, 1);
  }
});

Deno.test("message() appends: many messages go out as one run of octets", () => {
  const batch = new OutputBatch(new CountingMemory(), 16);
  for (const { frames } of MESSAGES) batch.message(frames);
  assertEquals(written(batch), join(...MESSAGES.map(({ wire }) => wire)));
  assertEquals(batch.messages, MESSAGES.length);
});

Deno.test("raw() appends octets as they are, frame() a range with a header", () => {
  const batch = new OutputBatch(new CountingMemory(), 1);
  batch.frame(MORE, text("abcdef"), 1, 3);
  batch.raw(text("xyz"), 1, 2);
  batch.frame(0, text(""), 0, 0);
  assertEquals(written(batch), new Uint8Array([1, 2, 98, 99, 121, 0, 0]));
});

Deno.test("reserve() doubles the buffer, but not past the largest one", () => {
  const taken: number[] = [];
  // Buffers in name only: nobody needs a real GiB here.
  const named = (length: number) => ({ length, set() {}, subarray() {} }) as unknown as Uint8Array;
  const take = (size: number) => (taken.push(size), named(size));
  const batch = new OutputBatch({ take, give() {} }, 1024);
  batch.reserve(1025);
  batch.reserve(BUFFER_BYTES / 2);
  batch.reserve(1024);
  batch.reserve(BUFFER_BYTES / 8);
  const half = 1025 + BUFFER_BYTES / 2;
  assertEquals(taken, [1024, 2048, half, BUFFER_BYTES]);
});

Deno.test("reserve() grows, keeps what is there and gives the old buffer back", () => {
  const memory = new CountingMemory();
  const batch = new OutputBatch(memory, 8);
  batch.raw(text("12345678"), 0, 8);
  assertEquals(batch.reserve(1), 8);
  assertEquals([batch.length, batch.bytes.length], [9, 16]);
  assertEquals(written(batch).subarray(0, 8), text("12345678"));
  batch.reserve(1000);
  assertEquals(memory.held, batch.bytes.length);
  batch.release();
  assertEquals(memory.held, 0);
});

Deno.test("copy() copies a range of any length and nothing beside it", () => {
  for (const size of [0, 1, 3, 4, 44, 255, 256, 257, 5000]) {
    const source = new Uint8Array(size + 10).map((_, i) => i % 251);
    const target = new Uint8Array(size + 10).fill(0xee);
    copy(source, 5, 5 + size, target, 3);
    assertEquals(target.subarray(3, 3 + size), source.subarray(5, 5 + size));
    assertEquals([target[2], target[3 + size]], [0xee, 0xee]);
  }
});

/** A part of a batch: a message's frames, or a command's octets. */
type Part = { readonly frames: Uint8Array[] } | {
  readonly command: Uint8Array;
};

/** What must be left, found by hand: whole messages that start at or behind `sent`. */
function expected(parts: readonly Part[], sent: number): [Uint8Array, number] {
  const kept: Uint8Array[] = [];
  let at = 0;
  for (const part of parts) {
    if ("command" in part) {
      at += part.command.length;
      continue;
    }
    const one = new OutputBatch(new CountingMemory(), 1);
    one.message(part.frames);
    if (at >= sent) kept.push(written(one));
    at += one.length;
  }
  return [join(...kept), kept.length];
}

function fill(parts: readonly Part[]): OutputBatch {
  const batch = new OutputBatch(new CountingMemory(), 16);
  for (const part of parts) {
    if ("frames" in part) batch.message(part.frames);
    else batch.raw(part.command, 0, part.command.length);
  }
  return batch;
}

Deno.test("salvage() keeps whole messages not begun, wherever the write broke", () => {
  const parts: Part[] = [
    { command: encodePing(10) },
    { frames: [text("one"), text("")] },
    { frames: [text("two")] },
    { command: encodePong(text("context")) },
    { frames: [text("three"), new Uint8Array(300).fill(7), text("end")] },
    { command: encodePong() },
    { frames: [text("")] },
  ];
  const whole = fill(parts).length;
  for (let sent = 0; sent <= whole; sent++) {
    const batch = fill(parts);
    salvage(batch, sent);
    const [bytes, messages] = expected(parts, sent);
    assertEquals(written(batch), bytes, `after ${sent} octets`);
    assertEquals(batch.messages, messages, `after ${sent} octets`);
  }
});

Deno.test("salvage() of any batch at any point keeps the same as a naive walk", () => {
  const part: fc.Arbitrary<Part> = fc.oneof(
    fc.array(fc.uint8Array({ maxLength: 270 }), { minLength: 1, maxLength: 4 })
      .map((frames) => ({ frames: frames.map((f) => new Uint8Array(f)) })),
    fc.uint8Array({ maxLength: 16 })
      .map((context) => ({ command: encodePong(new Uint8Array(context)) })),
  );
  fc.assert(fc.property(
    fc.array(part, { maxLength: 8 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    (parts, share) => {
      const batch = fill(parts);
      const sent = Math.floor(share * batch.length);
      salvage(batch, sent);
      const [bytes, messages] = expected(parts, sent);
      assertEquals(written(batch), bytes);
      assertEquals(batch.messages, messages);
    },
  ));
});
