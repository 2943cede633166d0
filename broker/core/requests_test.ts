import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Random } from "../../tests/conformance/random.ts";
import { RequestMemory } from "./request_memory.ts";
import { REQUEST_ID_BYTES, Requests, UNKNOWN } from "./requests.ts";

/** An id made of four numbers, in a larger buffer at a place that is no multiple of 4. */
function idOf(...words: Words): Uint8Array {
  const bytes = new Uint8Array(REQUEST_ID_BYTES + 6).fill(0xee);
  const view = new DataView(bytes.buffer);
  words.forEach((word, i) => view.setUint32(AT + 4 * i, word!));
  return bytes;
}

const AT = 3;

type Words = [number, number?, number?, number?];

/** A finished request as the model knows it. */
interface Finished {
  readonly id: number;
  readonly time: number;
  readonly code: number;
  reply: Uint8Array | undefined;
}

interface Limits {
  readonly most: number;
  readonly mostBytes: number;
  readonly mostReply: number;
  readonly firstSlot: number;
}

/** Requests beside a Map and a queue that are told the same. */
class Pair {
  readonly requests: Requests;
  readonly ids: Uint8Array[];
  readonly limits: Limits;
  readonly entries: Map<number, number | Finished> = new Map();
  readonly queue: Finished[] = [];
  /** Octets of the replies in the queue. */
  bytes = 0;

  constructor(seed: number, limits: Limits, ids: Uint8Array[]) {
    const { most, mostBytes, mostReply, firstSlot } = limits;
    const memory = new RequestMemory(most, mostBytes, mostReply, firstSlot);
    this.requests = new Requests(seed, memory);
    this.limits = limits;
    this.ids = ids;
  }

  begin(id: number, row: number): void {
    this.requests.begin(this.ids[id]!, AT, row);
    this.entries.set(id, row);
  }

  forget(id: number): void {
    this.requests.forget(this.ids[id]!, AT);
    this.entries.delete(id);
  }

  finish(id: number, time: number, code: number, reply?: Uint8Array): void {
    this.requests.finish(this.ids[id]!, AT, time, code, reply);
    const { most, mostBytes, mostReply } = this.limits;
    this.entries.delete(id);
    if (most === 0) return;
    const kept = reply !== undefined && reply.length <= mostReply ? reply : undefined;
    const finished = { id, time, code, reply: kept };
    this.entries.set(id, finished);
    this.queue.push(finished);
    this.bytes += kept?.length ?? 0;
    for (const old of this.queue) {
      if (this.bytes <= mostBytes) break;
      this.#dropReply(old);
    }
    if (this.queue.length > most) this.#dropOldest();
  }

  expire(before: number): void {
    this.requests.expire(before);
    while (this.queue[0] !== undefined && this.queue[0].time < before) this.#dropOldest();
  }

  #dropReply(old: Finished): void {
    this.bytes -= old.reply?.length ?? 0;
    old.reply = undefined;
  }

  #dropOldest(): void {
    const old = this.queue.shift()!;
    this.#dropReply(old);
    if (this.entries.get(old.id) === old) this.entries.delete(old.id);
  }

  checkId(id: number): void {
    const { requests } = this;
    const found = requests.find(this.ids[id]!, AT);
    const expected = this.entries.get(id);
    if (expected === undefined) {
      assertEquals(found, UNKNOWN);
    } else if (typeof expected === "number") {
      assertEquals(found, expected + 1);
    } else {
      assert(found < 0, `${found} isn't a slot`);
      assertEquals(requests.memory.code(-1 - found), expected.code);
      assertEquals(requests.memory.reply(-1 - found), expected.reply);
    }
  }

  check(): void {
    assertEquals(this.requests.size, this.entries.size);
    assertEquals(this.requests.memory.bytes, this.bytes);
    for (const id of this.ids.keys()) this.checkId(id);
  }
}

const SLOTS = [0, 1_000, 2 ** 30 - 20, 2 ** 30, 2 ** 31 - 20, 2 ** 32 - 20, 2 ** 45 + 3];

const anyLimits = fc.record({
  most: fc.constantFrom(0, 1, 2, 7, 40, 1_000),
  mostBytes: fc.constantFrom(0, 10, 100, 10_000),
  mostReply: fc.constantFrom(0, 8, 64),
  firstSlot: fc.constantFrom(...SLOTS),
});

const anyStep = fc.record({
  verb: fc.constantFrom("begin", "begin", "finish", "finish", "finish", "forget", "expire"),
  id: fc.nat(59),
  later: fc.nat(3),
  code: fc.nat(255),
  reply: fc.option(fc.uint8Array({ maxLength: 70 }), { nil: undefined }),
});

Deno.test("Requests knows what a Map and a queue know, whatever its limits", () => {
  const ids = Array.from({ length: 60 }, (_, i) => idOf(i % 3, 0xffff_ffff, i, 7));
  const steps = fc.array(anyStep, { maxLength: 150, size: "max" });
  fc.assert(
    fc.property(fc.integer(), anyLimits, steps, (seed, limits, steps) => {
      const pair = new Pair(seed, limits, ids);
      let now = 0;
      for (const { verb, id, later, code, reply } of steps) {
        now += later;
        if (verb === "begin") pair.begin(id, code * 1_000);
        else if (verb === "finish") pair.finish(id, now, code, reply);
        else if (verb === "forget") pair.forget(id);
        else pair.expire(now - 10);
        pair.checkId(id);
      }
      pair.check();
    }),
    { numRuns: 500 },
  );
});

Deno.test("Requests finds all when others go from a crowded table, at every seed", () => {
  // Just below the size at which the table of 1,024 places grows: many ids were pushed along from
  // their place, past the end of the table too.
  for (let seed = 0; seed < 80; seed++) {
    // Ids that differ in one of their four parts only.
    const words = (i: number) => [0, 1, 2, 3].map((word) => word === seed % 4 ? i : 9) as Words;
    const ids = Array.from({ length: 800 }, (_, i) => idOf(...words(i)));
    const random = new Random(seed);
    const limits = { most: 10, mostBytes: 0, mostReply: 0, firstSlot: 0 };
    const pair = new Pair(random.bits(), limits, ids);
    for (let step = 0; step < 3_000; step++) {
      const id = random.below(ids.length);
      const crowded = pair.entries.size > 505;
      if (pair.entries.has(id) || crowded) pair.forget(id);
      else pair.begin(id, step);
    }
    pair.check();
    // All of them are more than that table holds.
    for (const id of ids.keys()) pair.begin(id, id);
    pair.check();
    for (const id of ids.keys()) pair.forget(id);
    assertEquals(pair.requests.size, 0);
    pair.check();
  }
});

Deno.test("Requests grows with its ids and shrinks its memory to the limit", () => {
  const random = new Random(8);
  const ids = Array.from({ length: 9_000 }, () => idOf(random.bits(), 1, random.bits(), 2));
  for (const firstSlot of SLOTS) {
    const limits = { most: 3_000, mostBytes: 4_000, mostReply: 20, firstSlot };
    const pair = new Pair(random.bits(), limits, ids);
    for (let step = 0; step < 12_000; step++) {
      const id = random.below(ids.length);
      if (random.chance(40)) {
        pair.begin(id, step);
      } else {
        const reply = random.chance(30) ? new Uint8Array(random.below(24)) : undefined;
        pair.finish(id, step >> 1, step % 256, reply);
      }
      if (step % 3_000 === 2_999) pair.expire(step / 2 - 1_200);
    }
    pair.check();
  }
});

Deno.test("Requests does not forget a request whose id was finished and began anew", () => {
  const ids = [idOf(1), idOf(2), idOf(3)];
  const limits = { most: 2, mostBytes: 0, mostReply: 0, firstSlot: 0 };
  const pair = new Pair(0, limits, ids);
  pair.finish(0, 1, 0);
  pair.begin(0, 77);
  pair.finish(1, 2, 0);
  pair.finish(2, 3, 0);
  assertEquals(pair.requests.find(ids[0]!, AT), 78);
  pair.check();
  const other = new Pair(0, limits, ids);
  other.finish(0, 1, 4);
  other.finish(0, 2, 5);
  other.expire(2);
  assertEquals(other.requests.memory.code(-1 - other.requests.find(ids[0]!, AT)), 5);
  other.check();
});

Deno.test("Requests tells ids apart that differ in one bit", () => {
  const requests = new Requests(5, new RequestMemory(0, 0, 0));
  const base = idOf(0x0123_4567, 0x89ab_cdef, 0x0246_8ace, 0x1357_9bdf);
  requests.begin(base, AT, 1_000);
  for (let bit = 0; bit < 8 * REQUEST_ID_BYTES; bit++) {
    const other = base.slice();
    other[AT + (bit >> 3)]! ^= 1 << (bit & 7);
    assertEquals(requests.find(other, AT), UNKNOWN);
    requests.begin(other, AT, bit);
    assertEquals(requests.find(other, AT), bit + 1);
  }
  // What stands around an id is no part of it.
  const elsewhere = new Uint8Array(60);
  elsewhere.set(base.subarray(AT, AT + REQUEST_ID_BYTES), 40);
  assertEquals(requests.find(elsewhere, 40), 1_001);
  assertEquals(requests.size, 1 + 8 * REQUEST_ID_BYTES);
});

Deno.test("Requests remembers nothing if that is its limit", () => {
  const requests = new Requests(1, new RequestMemory(0, 1_000, 1_000));
  const id = idOf(4);
  requests.begin(id, AT, 9);
  requests.finish(id, AT, 0, 1, new Uint8Array(5));
  assertEquals([requests.find(id, AT), requests.size, requests.memory.bytes], [UNKNOWN, 0, 0]);
  requests.finish(id, AT, 0, 1);
  assertEquals(requests.size, 0);
});
