import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { FIRST_INPUT_BYTES, InputBuffer, READ_BYTES } from "./input_buffer.ts";
import { CountingMemory } from "../../tests/conformance/talk.ts";

/** Lets `count` octets arrive in the room that the buffer gives, at most as many as fit. */
function read(input: InputBuffer, needed: number, count: number): number {
  const room = input.room(needed);
  const got = Math.min(count, room.length);
  room.fill(1, 0, got);
  input.filled(got, room.length);
  return got;
}

Deno.test("room() takes nothing before the first read, then 2 KiB", () => {
  const memory = new CountingMemory();
  const input = new InputBuffer(memory);
  assertEquals(memory.peak, 0);
  assertEquals(input.room(0).length, FIRST_INPUT_BYTES);
  assertEquals(memory.held, FIRST_INPUT_BYTES);
});

Deno.test("room() never grows by more than READ_BYTES for a size merely announced", () => {
  const memory = new CountingMemory();
  const input = new InputBuffer(memory);
  read(input, 0, 9);
  for (let i = 0; i < 100; i++) read(input, 2 ** 30, 1);
  assertEquals(input.waiting, 109);
  assert(memory.peak <= READ_BYTES + FIRST_INPUT_BYTES);
});

Deno.test("room() follows what really arrived: at most about twice as much", () => {
  const memory = new CountingMemory();
  const input = new InputBuffer(memory);
  const needed = 8 * 1024 * 1024;
  while (input.waiting < needed) {
    read(input, needed, needed - input.waiting);
    const bound = Math.max(2 * input.waiting, READ_BYTES);
    assert(memory.held <= bound, `${memory.held} held, ${bound} allowed`);
  }
  assertEquals(memory.held, needed);
});

Deno.test("room() keeps what waits when it compacts, grows or shrinks", () => {
  const action = fc.record({
    arrive: fc.nat(5000),
    take: fc.nat(6000),
    needed: fc.nat(20_000),
  });
  fc.assert(fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
    const memory = new CountingMemory();
    const input = new InputBuffer(memory);
    const waiting: number[] = [];
    let next = 0;
    for (const { arrive, take, needed } of actions) {
      const room = input.room(input.waiting === 0 ? 0 : needed);
      assert(room.length > 0);
      const count = Math.min(arrive, room.length);
      for (let i = 0; i < count; i++) {
        waiting.push(room[i] = next = (next + 7) & 255);
      }
      input.filled(count, room.length);
      const taken = Math.min(take, input.waiting);
      input.head += taken;
      waiting.splice(0, taken);
      assertEquals(input.waiting, waiting.length);
      const seen = input.bytes.subarray(input.head, input.tail);
      assert(waiting.every((octet, i) => octet === seen[i]));
      assertEquals(memory.held, input.bytes.length);
    }
    input.release();
    assertEquals(memory.held, 0);
  }));
});

Deno.test("filled() lets the buffer grow with full reads and shrink with small ones", () => {
  const memory = new CountingMemory();
  const input = new InputBuffer(memory);
  const rounds = (count: number) => {
    for (let i = 0; i < 20; i++) {
      read(input, 0, count);
      input.head = input.tail;
    }
    input.room(0);
  };
  rounds(Infinity);
  assertEquals(memory.held, READ_BYTES);
  rounds(10);
  assert(memory.held <= 4 * FIRST_INPUT_BYTES, `${memory.held} held`);
});

Deno.test("growth() says how long the buffer must become, 0 if it need not", () => {
  const input = new InputBuffer(new CountingMemory());
  read(input, 0, 100);
  assertEquals(input.growth(2048), 0);
  assertEquals(input.growth(5000), 5000);
  assertEquals(input.growth(2 ** 30), READ_BYTES);
});

Deno.test("release() gives all memory back, also twice", () => {
  const memory = new CountingMemory();
  const input = new InputBuffer(memory);
  read(input, 0, 10);
  input.release();
  input.release();
  assertEquals([memory.held, input.waiting], [0, 0]);
});

Deno.test("trim() keeps what waits and lets the rest of a large buffer go", () => {
  const memory = new CountingMemory();
  const input = new InputBuffer(memory);
  const needed = 4 * READ_BYTES;
  while (input.waiting < needed) read(input, needed, needed - input.waiting);
  input.trim();
  assertEquals([memory.held, input.waiting], [needed, needed]);
  input.bytes.set([7, 8, 9], input.tail - 3);
  input.head = input.tail - 3;
  input.trim();
  assertEquals([memory.held, [...input.bytes.subarray(input.head, input.tail)]], [
    FIRST_INPUT_BYTES,
    [7, 8, 9],
  ]);
  input.head = input.tail;
  input.trim();
  assertEquals([memory.held, input.waiting], [0, 0]);
  assertEquals(input.room(0).length > 0, true);
});
