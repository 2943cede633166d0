import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { BodyStore, SEGMENT_BYTES } from "./body_store.ts";

/** The longest record that shares a segment. */
const SHARED = SEGMENT_BYTES / 8;

interface Kept {
  readonly segment: number;
  readonly at: number;
  readonly length: number;
  readonly mark: number;
}

/** A store whose records are all written full, so that one that lies upon another is found. */
class MarkedStore {
  readonly store: BodyStore = new BodyStore();
  readonly records: Kept[] = [];
  #mark = 0;

  put(length: number): void {
    const { store } = this;
    const bytes = store.put(length);
    const { segment, at } = store;
    assertStrictEquals(store.segments[segment], bytes);
    assert(at + length <= bytes.length);
    this.#mark = this.#mark % 255 + 1;
    bytes.fill(this.#mark, at, at + length);
    this.records.push({ segment, at, length, mark: this.#mark });
  }

  release(which: number): void {
    const record = this.records.splice(which, 1)[0]!;
    this.checkRecord(record);
    this.store.release(record.segment, record.length);
  }

  /** A record is as it was written. Looks at its ends and at some octets between. */
  checkRecord({ segment, at, length, mark }: Kept): void {
    const bytes = this.store.segments[segment]!;
    const stride = Math.max(1, length >> 6);
    for (let i = at; i < at + length; i += stride) assertEquals(bytes[i], mark);
    if (length > 0) assertEquals(bytes[at + length - 1], mark);
  }

  check(): void {
    const { store, records } = this;
    assertEquals(store.used, records.reduce((sum, { length }) => sum + length, 0));
    assertEquals(store.held, store.segments.reduce((sum, { length }) => sum + length, 0));
    assertEquals(store.sparse, store.held > 2 * store.used + 16 * SEGMENT_BYTES);
    for (const record of records) this.checkRecord(record);
  }
}

const anyLength = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: SHARED }) },
  { weight: 1, arbitrary: fc.constantFrom(SHARED - 1, SHARED, SHARED + 1) },
  { weight: 1, arbitrary: fc.constantFrom(SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1) },
);

Deno.test("BodyStore keeps every record apart, and counts its octets", () => {
  const step = fc.tuple(fc.constantFrom("put", "put", "release"), anyLength, fc.nat());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: "max" }), (steps) => {
      const marked = new MarkedStore();
      for (const [verb, length, which] of steps) {
        if (verb === "put") marked.put(length);
        else if (marked.records.length > 0) marked.release(which % marked.records.length);
      }
      marked.check();
      while (marked.records.length > 0) marked.release(marked.records.length >> 1);
      marked.check();
      assert(marked.store.held <= SEGMENT_BYTES, "segments are held for nothing");
    }),
    { numRuns: 150 },
  );
});

Deno.test("BodyStore.put() gives a long record a segment of its own length", () => {
  const store = new BodyStore();
  store.put(10);
  const shared = store.segment;
  for (const length of [SHARED + 1, SEGMENT_BYTES, 5 * SEGMENT_BYTES + 3]) {
    assertEquals(store.put(length).length, length);
    assert(store.segment !== shared);
    assertEquals(store.at, 0);
    const own = store.segment;
    store.put(10);
    assertEquals(store.segment, shared);
    store.release(own, length);
    assertEquals(store.held, SEGMENT_BYTES);
    assertEquals(store.segments[own]!.length, 0);
  }
  assertEquals(store.put(SHARED).length, SEGMENT_BYTES);
});

Deno.test("BodyStore.put() opens the next segment when a record doesn't fit any more", () => {
  const store = new BodyStore();
  for (let i = 0; i < 8; i++) store.put(SHARED);
  assertEquals([store.held, store.at], [SEGMENT_BYTES, 7 * SHARED]);
  store.put(1);
  assertEquals([store.held, store.at], [2 * SEGMENT_BYTES, 0]);
});

Deno.test("BodyStore.release() lets the segment in use start anew when it is empty", () => {
  const store = new BodyStore();
  for (let i = 0; i < 1_000; i++) {
    store.put(60_000);
    store.put(60_000);
    store.release(store.segment, 60_000);
    store.release(store.segment, 60_000);
  }
  assertEquals([store.used, store.held, store.segments.length], [0, SEGMENT_BYTES, 1]);
});

Deno.test("BodyStore uses emptied segments again instead of making some, eight of them at most", () => {
  const store = new BodyStore();
  const full = (): number => {
    for (let i = 0; i < 8; i++) store.put(SHARED);
    return store.segment;
  };
  const empty = (segment: number): void => {
    for (let i = 0; i < 8; i++) store.release(segment, SHARED);
  };
  const segments = Array.from({ length: 12 }, full);
  const emptied = segments.slice(0, 10).map((segment) => store.segments[segment]!);
  for (const segment of segments.slice(0, 10)) empty(segment);
  const again = new Set(Array.from({ length: 10 }, () => store.segments[full()]!));
  assertEquals(emptied.filter((bytes) => again.has(bytes)).length, 8);
});

Deno.test("BodyStore uses the places of closed segments again", () => {
  const store = new BodyStore();
  for (let i = 0; i < 100; i++) {
    store.put(SHARED + i + 1);
    store.release(store.segment, SHARED + i + 1);
  }
  assertEquals(store.segments.length, 1);
});

Deno.test("BodyStore.release() of an empty record changes nothing", () => {
  const marked = new MarkedStore();
  marked.put(0);
  for (let i = 0; i < 9; i++) marked.put(SHARED);
  // The first segment is closed, and its place free, when the empty record is released.
  while (marked.records.length > 2) marked.release(1);
  marked.release(0);
  for (let i = 0; i < 20; i++) marked.put(SHARED);
  marked.check();
});

Deno.test("BodyStore.isSparse() is true of a segment less than half full, never of the one in use", () => {
  const store = new BodyStore();
  for (let i = 0; i < 8; i++) store.put(SHARED);
  const { segment } = store;
  for (let i = 0; i < 3; i++) store.release(segment, SHARED);
  store.put(SHARED);
  assert(store.segment !== segment);
  store.release(segment, SHARED);
  assertEquals(store.isSparse(segment), false);
  store.release(segment, 1);
  assertEquals(store.isSparse(segment), true);
  const inUse = store.segment;
  store.release(inUse, SHARED - 1);
  assertEquals(store.isSparse(inUse), false);
  store.put(3 * SEGMENT_BYTES);
  assertEquals(store.isSparse(store.segment), false);
});

Deno.test("BodyStore.sparse is false while little is held, and then when half of it is used", () => {
  const marked = new MarkedStore();
  const { store } = marked;
  for (let i = 0; i < 16 * 8; i++) marked.put(SHARED);
  while (marked.records.length > 1) marked.release(0);
  assertEquals(store.sparse, false);
  const other = new MarkedStore();
  for (let i = 0; i < 64 * 8; i++) other.put(SHARED);
  // Every second record goes, and no segment becomes empty.
  for (let i = 0; i < 32 * 8; i++) other.release(i);
  assertEquals([other.store.held, other.store.used], [64 * SEGMENT_BYTES, 32 * SEGMENT_BYTES]);
  assertEquals(other.store.sparse, false);
  for (let i = 0; other.store.used > 24 * SEGMENT_BYTES; i += 3) other.release(i);
  assertEquals(other.store.sparse, false);
  other.release(1);
  assertEquals([other.store.held, other.store.sparse], [64 * SEGMENT_BYTES, true]);
});
