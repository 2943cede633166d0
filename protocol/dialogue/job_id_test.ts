import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isJobId, JOB_ID_BYTES, jobGeneration, jobRow, writeJobId } from "./job_id.ts";
import * as words from "./words.ts";

const uint32 = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.constantFrom(0, 1, 255, 256, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1),
);

Deno.test("jobRow() and jobGeneration() read what writeJobId() wrote, wherever it stands", () => {
  fc.assert(
    fc.property(uint32, uint32, fc.nat(20), (row, generation, at) => {
      const bytes = new Uint8Array(at + JOB_ID_BYTES + 5).fill(0xee);
      writeJobId(bytes, at, row, generation);
      assert(isJobId(bytes, at, at + JOB_ID_BYTES));
      assertEquals([jobRow(bytes, at), jobGeneration(bytes, at)], [row, generation]);
      const around = [...bytes.subarray(0, at), ...bytes.subarray(at + JOB_ID_BYTES)];
      assert(around.every((octet) => octet === 0xee), "it wrote beside its place");
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("writeJobId() gives two attempts two ids", () => {
  const seen = new Set<string>();
  for (const row of [0, 1, 256, 65_536, 2 ** 24, 2 ** 32 - 1]) {
    for (const generation of [0, 1, 256, 65_536, 2 ** 24, 2 ** 32 - 1]) {
      const bytes = new Uint8Array(JOB_ID_BYTES);
      writeJobId(bytes, 0, row, generation);
      seen.add(words.keyOf(bytes));
    }
  }
  assertEquals(seen.size, 36);
});

Deno.test("isJobId() is true of that length with an octet 0 in front alone", () => {
  const bytes = new Uint8Array(20);
  for (let length = 0; length < 20; length++) {
    assertEquals(isJobId(bytes, 0, length), length === JOB_ID_BYTES);
  }
  for (let octet = 0; octet < 256; octet++) {
    bytes[4] = octet;
    assertEquals(isJobId(bytes, 4, 4 + JOB_ID_BYTES), octet === 0);
  }
});

Deno.test("isJobId() is false of every word of the dialogues", () => {
  const all = Object.values(words).filter((word) => word instanceof Uint8Array);
  assert(all.length > 15);
  for (const word of all) assertEquals(isJobId(word, 0, word.length), false);
});
