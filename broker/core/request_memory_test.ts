import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { RequestMemory } from "./request_memory.ts";

function idOf(name: number): Uint8Array {
  const id = new Uint8Array(16).fill(7);
  new DataView(id.buffer).setUint32(5, name);
  return id;
}

/** Ids from the oldest to the newest, by taking them out. */
function drain(memory: RequestMemory): number[] {
  const names: number[] = [];
  while (memory.oldestTime !== Infinity) {
    const id = memory.oldestId;
    const name = new DataView(id.buffer, id.byteOffset).getUint32(5);
    assertEquals(id, idOf(name));
    names.push(name);
    memory.drop();
  }
  return names;
}

function count(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Near each of them a number stops to fit some type, or the circle starts anew. */
const STARTS = [0, 1_023, 2 ** 30 - 3, 2 ** 31 - 3, 2 ** 32 - 3, 2 ** 40 + 1_000];

for (const start of STARTS) {
  Deno.test(`RequestMemory keeps the order from slot ${start} on, however it grows`, () => {
    const memory = new RequestMemory(10_000, 1e6, 100, start);
    const slots = new Map<number, number>();
    for (const name of count(0, 5_000)) {
      const slot = memory.keep(idOf(name), 0, name, name % 256, new Uint8Array([name % 256]));
      slots.set(name, slot);
      // Small enough for an entry of 32 bits, with its sign.
      assertEquals(slot, (start + name) % 2 ** 30);
      if (name < 700) {
        memory.drop();
        slots.delete(name);
      }
    }
    for (const [name, slot] of slots) {
      assertEquals(memory.code(slot), name % 256);
      assertEquals(memory.reply(slot), new Uint8Array([name % 256]));
    }
    assertEquals(memory.bytes, 4_300);
    assertEquals([memory.oldestTime, memory.oldestSlot], [700, slots.get(700)!]);
    assertEquals(drain(memory), count(700, 5_000));
    assertEquals(memory.bytes, 0);
  });
}

Deno.test("RequestMemory.over is true when there is one too many", () => {
  const memory = new RequestMemory(3, 0, 0);
  for (const name of count(0, 3)) {
    memory.keep(idOf(name), 0, 0, 0);
    assertEquals(memory.over, false);
  }
  memory.keep(idOf(3), 0, 0, 0);
  assertEquals(memory.over, true);
  memory.drop();
  assertEquals(memory.over, false);
  assertEquals(drain(memory), [1, 2, 3]);
});

Deno.test("RequestMemory.keep() drops the oldest replies when octets are too many, not their requests", () => {
  const memory = new RequestMemory(100, 100, 60);
  const reply = (size: number): Uint8Array => new Uint8Array(size);
  const a = memory.keep(idOf(0), 0, 0, 1, reply(60));
  const b = memory.keep(idOf(1), 0, 0, 2, reply(40));
  assertEquals(memory.bytes, 100);
  const c = memory.keep(idOf(2), 0, 0, 3, reply(1));
  assertEquals([memory.reply(a), memory.bytes], [undefined, 41]);
  const d = memory.keep(idOf(3), 0, 0, 4, reply(60));
  assertEquals([memory.reply(b), memory.bytes], [undefined, 61]);
  assertEquals([a, b, c, d].map((slot) => memory.code(slot)), [1, 2, 3, 4]);
  assertEquals(memory.reply(c)?.length, 1);
  assertEquals(drain(memory), [0, 1, 2, 3]);
  assertEquals(memory.bytes, 0);
});

Deno.test("RequestMemory.keep() keeps no reply above its limits, and an empty one", () => {
  const memory = new RequestMemory(10, 50, 60);
  const none = memory.keep(idOf(0), 0, 0, 0, new Uint8Array(61));
  assertEquals([memory.reply(none), memory.bytes], [undefined, 0]);
  // It alone is more than all replies may be.
  const large = memory.keep(idOf(1), 0, 0, 0, new Uint8Array(51));
  assertEquals([memory.reply(large), memory.bytes], [undefined, 0]);
  const empty = memory.keep(idOf(2), 0, 0, 0, new Uint8Array(0));
  assertEquals(memory.reply(empty), new Uint8Array(0));
  const exact = new Uint8Array(50);
  assertStrictEquals(memory.reply(memory.keep(idOf(3), 0, 0, 0, exact)), exact);
  assertEquals(memory.bytes, 50);
});

Deno.test("RequestMemory.keep() leaves nothing of the request that had its place before", () => {
  const memory = new RequestMemory(10, 100, 100);
  for (let round = 0; round < 3_000; round++) {
    const slot = memory.keep(idOf(round), 0, round, 5, round % 2 === 0 ? idOf(round) : undefined);
    assertEquals(memory.reply(slot), round % 2 === 0 ? idOf(round) : undefined);
    if (memory.over) memory.drop();
  }
  assertEquals(drain(memory), count(2_990, 3_000));
});

Deno.test("RequestMemory.keep() drops the oldest replies first where the circle starts anew", () => {
  const memory = new RequestMemory(10, 20, 16);
  const slots = count(0, 1_029).map((name) => {
    const slot = memory.keep(idOf(name), 0, 0, 0, new Uint8Array(1));
    if (memory.over) memory.drop();
    return slot;
  });
  // Slots 1,019 to 1,028 are left, and one more reply is one octet too many.
  memory.keep(idOf(1_029), 0, 0, 0, new Uint8Array(11));
  const left = slots.slice(-10).map((slot) => memory.reply(slot) !== undefined);
  assertEquals(left, [false, ...Array(9).fill(true)]);
});

Deno.test("RequestMemory.keep() copies the id from where it stands", () => {
  const memory = new RequestMemory(10, 0, 0);
  const bytes = new Uint8Array(50);
  bytes.set(idOf(123), 21);
  memory.keep(bytes, 21, 0, 0);
  bytes.fill(0);
  assertEquals(drain(memory), [123]);
});

Deno.test("RequestMemory.drop() refuses when there is none", () => {
  const memory = new RequestMemory(10, 0, 0);
  assertThrows(() => memory.drop(), Error, "Cannot drop a request: there is none");
});
