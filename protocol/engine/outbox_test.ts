import { assertEquals } from "@std/assert";
import { encodePong } from "../zmtp/command.ts";
import { Budget } from "./budget.ts";
import { Outbox } from "./outbox.ts";

const KIB = 1024;

/** An outbox with messages of these sizes in KiB, each filled with its number from 1 on. */
function filled(...sizes: number[]): { readonly outbox: Outbox; readonly budget: Budget } {
  const budget = new Budget();
  const outbox = new Outbox(budget);
  sizes.forEach((size, i) => outbox.batch().message([new Uint8Array(size * KIB).fill(i + 1)]));
  return { outbox, budget };
}

/** Takes everything out: the numbers of the messages in each batch. */
function empty(outbox: Outbox): number[][] {
  const batches: number[][] = [];
  for (let batch = outbox.take(); batch !== undefined; batch = outbox.take()) {
    const numbers: number[] = [];
    const bytes = batch.bytes.subarray(0, batch.length);
    for (let at = 0; at < bytes.length;) {
      const long = (bytes[at]! & 2) !== 0;
      const size = long ? new DataView(bytes.buffer).getUint32(at + 5) : bytes[at + 1]!;
      const start = at + (long ? 9 : 2);
      if ((bytes[at]! & 4) === 0) numbers.push(bytes[start]!);
      at = start + size;
    }
    assertEquals(numbers.length, batch.messages);
    batches.push(numbers);
    batch.release();
  }
  return batches;
}

Deno.test("Outbox.batch() is the same one until it holds 128 KiB", () => {
  const { outbox, budget } = filled(64, 63, 64, 1, 500, 1);
  assertEquals(outbox.messages, 6);
  assertEquals(outbox.bytes, (64 + 63 + 64 + 1 + 500 + 1) * KIB + 6 * 9);
  assertEquals(empty(outbox), [[1, 2, 3], [4, 5], [6]]);
  assertEquals([outbox.messages, outbox.bytes, budget.used], [0, 0, 0]);
});

Deno.test("Outbox.ripe tells that the next batch() begins another one", () => {
  const { outbox } = filled(127);
  assertEquals(outbox.ripe, false);
  outbox.batch().message([new Uint8Array(KIB)]);
  assertEquals(outbox.ripe, true);
  outbox.batch();
  assertEquals(outbox.ripe, false);
});

Deno.test("Outbox.take() gives nothing where nothing was appended", () => {
  const outbox = new Outbox(new Budget());
  assertEquals(outbox.take(), undefined);
  outbox.batch();
  assertEquals(outbox.take(), undefined);
});

Deno.test("Outbox.batch() takes buffers that the budget keeps, however much waits", () => {
  const { outbox, budget } = filled(64);
  const buffers = new Set<Uint8Array>();
  for (let i = 0; i < 1000; i++) {
    const batch = outbox.batch();
    batch.message([new Uint8Array(64 * KIB)]);
    buffers.add(batch.bytes);
    if (i % 2 === 0 || i < 20) continue;
    outbox.take()?.release();
  }
  outbox.clear();
  assertEquals(budget.used, 0);
  assertEquals([...buffers].every(({ length }) => length <= 256 * KIB), true);
  assertEquals(buffers.size < 50, true);
});

Deno.test("Outbox.salvage() keeps the order, and drops what was begun and all commands", () => {
  const { outbox, budget } = filled(100, 100, 100, 100, 1);
  const pong = encodePong();
  outbox.batch().raw(pong, 0, pong.length);
  const begun = outbox.take()!;
  outbox.salvage(begun, 100 * KIB + 10);
  assertEquals([outbox.messages, outbox.bytes], [3, 201 * KIB + 3 * 9]);
  assertEquals(empty(outbox), [[3, 4], [5]]);
  assertEquals(budget.used, 0);
});

Deno.test("Outbox.salvage() puts what was not begun in front again", () => {
  const { outbox } = filled(100, 100, 100);
  const begun = outbox.take()!;
  outbox.salvage(begun, 0);
  assertEquals(empty(outbox), [[1, 2], [3]]);
  outbox.salvage(undefined, 0);
  assertEquals(outbox.messages, 0);
});

Deno.test("Outbox.clear() gives all memory back", () => {
  const { outbox, budget } = filled(100, 100, 100, 300, 1);
  outbox.clear();
  assertEquals([outbox.messages, outbox.bytes, budget.used], [0, 0, 0]);
});
