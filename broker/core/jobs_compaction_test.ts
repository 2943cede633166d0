// Whatever order jobs end in, the table holds little more memory than twice what they need, every
// record that is moved stays as it was, and moving them costs no more than releasing them did.

import { assert, assertEquals } from "@std/assert";
import { Random } from "../../tests/conformance/random.ts";
import { SEGMENT_BYTES } from "./body_store.ts";
import { Jobs, WAITING } from "./jobs.ts";

/** Waste that is allowed besides half of all: a margin, the segment in use and the one before. */
const MARGIN = 18 * SEGMENT_BYTES;
const RECORD = 1_024;
const IN_SEGMENT = SEGMENT_BYTES / RECORD;
const SEGMENTS = 64;

/** A table whose records carry a mark each, and whose bounds are checked after each step. */
class Watched {
  readonly jobs: Jobs = new Jobs();
  /** The mark of each row in use. */
  readonly marks: Map<number, number> = new Map();
  /** Rows that a compaction looked at. */
  looked = 0;
  /** Octets that a compaction moved. */
  moved = 0;
  /** Octets that ended jobs released. */
  released = 0;
  steps = 0;
  #mark = 0;

  constructor() {
    const { jobs } = this;
    const { store } = jobs;
    const { isSparse, put } = store;
    let inside = false;
    store.isSparse = (segment) => {
      this.looked++;
      inside = isSparse.call(store, segment);
      return inside;
    };
    store.put = (length) => {
      if (inside) this.moved += length;
      inside = false;
      return put.call(store, length);
    };
  }

  add(bytes: number): number {
    const { jobs } = this;
    const row = jobs.make(4, bytes - 4);
    jobs.state[row] = WAITING;
    const mark = ++this.#mark;
    const record = jobs.record(row);
    const at = jobs.at[row]!;
    record.fill(mark % 256, at, at + bytes);
    new DataView(record.buffer).setUint32(at, mark);
    this.marks.set(row, mark);
    return row;
  }

  free(row: number): void {
    this.released += this.jobs.bytes[row]!;
    this.jobs.free(row);
    this.marks.delete(row);
    this.checkBounds();
  }

  readdress(row: number): void {
    const at = this.jobs.at[row]!;
    this.released += this.jobs.bytes[row]!;
    this.jobs.readdress(row, this.jobs.record(row).slice(at, at + 4));
    this.checkBounds();
  }

  checkBounds(): void {
    const { held, used, sparse } = this.jobs.store;
    this.steps++;
    assert(held <= 2 * used + MARGIN, `${held} octets are held for ${used}`);
    assertEquals(sparse, false);
  }

  /** Every record is as it was written; looks at its mark, its end and some octets between. */
  checkRecords(): void {
    const { jobs } = this;
    for (const [row, mark] of this.marks) {
      const record = jobs.record(row);
      const at = jobs.at[row]!;
      const end = at + jobs.bytes[row]!;
      const octet = mark % 256;
      if (new DataView(record.buffer).getUint32(at) !== mark) throw new Error("a mark is lost");
      for (let i = at + 4; i < end; i += 499) assertEquals(record[i], octet);
      assertEquals(record[end - 1], octet);
    }
  }

  /** What it cost to move records: bounded by what was released, whoever chose the order. */
  checkCost(): void {
    assert(this.moved <= 2 * this.released, `${this.moved} moved for ${this.released}`);
    assert(this.looked <= 64 * this.steps, `${this.looked} rows in ${this.steps} steps`);
  }
}

/** Rows 0 to n - 1 in the order in which a case ends them; the rest stay. */
type Order = (rows: number[], random: Random) => number[];

const ORDERS: Record<string, Order> = {
  "the oldest first": (rows) => rows,
  "the newest first": (rows) => rows.toReversed(),
  "at random": (rows, random) => shuffled(rows, random),
  "all but one of each segment": (rows) => rows.filter((row) => row % IN_SEGMENT !== 500),
  "every second, then every second of the rest, and so on": (rows) => {
    const order: number[] = [];
    for (let stride = 2; stride <= 2 * rows.length; stride *= 2) {
      order.push(...rows.filter((row) => row % stride === stride / 2));
    }
    return order;
  },
  "two of three in each segment, the last segment first": (rows) =>
    rows.toReversed().filter((row) => row % 3 !== 0),
  "one of each segment, then the next of each": (rows) =>
    rows.toSorted((a, b) => a % IN_SEGMENT - b % IN_SEGMENT),
};

function shuffled(rows: readonly number[], random: Random): number[] {
  const order = [...rows];
  for (let i = order.length - 1; i > 0; i--) {
    const other = random.below(i + 1);
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  return order;
}

for (const [name, order] of Object.entries(ORDERS)) {
  Deno.test(`Jobs.free() keeps memory bounded if jobs end ${name}`, () => {
    const watched = new Watched();
    const rows = Array.from({ length: SEGMENTS * IN_SEGMENT }, () => watched.add(RECORD));
    const ending = order(rows, new Random(1));
    ending.forEach((row, i) => {
      watched.free(row);
      if (i % 8_000 === 0) watched.checkRecords();
    });
    watched.checkRecords();
    watched.checkCost();
    assertEquals(watched.jobs.size, rows.length - ending.length);
  });
}

Deno.test("Jobs.free() does not look for waste again and again where there is none to find", () => {
  const watched = new Watched();
  const rows = Array.from({ length: (SEGMENTS + 1) * IN_SEGMENT - 1 }, () => watched.add(RECORD));
  const half = rows.filter((row) => row < SEGMENTS * IN_SEGMENT && row % 2 === 0);
  for (const row of half) watched.free(row);
  // Every segment is just half full now, and the one in use becomes empty octet by octet.
  for (const row of rows.slice(SEGMENTS * IN_SEGMENT)) watched.free(row);
  watched.checkRecords();
  watched.checkCost();
});

Deno.test("Jobs.readdress() keeps memory bounded though no job ends", () => {
  const watched = new Watched();
  const random = new Random(3);
  const rows = Array.from({ length: 16 * IN_SEGMENT }, () => watched.add(RECORD));
  for (let round = 0; round < 12; round++) {
    // Each round leaves some behind in every segment.
    for (const row of rows) if (random.chance(90)) watched.readdress(row);
    watched.checkRecords();
  }
  watched.checkCost();
  assert(watched.moved > 0, "nothing was ever moved");
});

Deno.test("Jobs keeps memory bounded while jobs of all sizes come and go", () => {
  const watched = new Watched();
  const random = new Random(4);
  const sizes = [20, 300, 5_000, 70_000, SEGMENT_BYTES / 8, SEGMENT_BYTES / 8 + 1, 400_000];
  const rows: number[] = [];
  for (let step = 0; step < 12_000; step++) {
    // Grows for a while, then shrinks for a while.
    const grows = Math.floor(step / 2_000) % 2 === 0;
    if (rows.length === 0 || random.chance(grows ? 65 : 30)) {
      rows.push(watched.add(random.pick(sizes)));
    } else {
      const place = random.below(rows.length);
      const row = rows[place]!;
      if (random.chance(20)) {
        watched.readdress(row);
      } else {
        rows[place] = rows.at(-1)!;
        rows.pop();
        watched.free(row);
      }
    }
    if (step % 500 === 0) watched.checkRecords();
  }
  watched.checkRecords();
  watched.checkCost();
  assert(watched.moved > 0, "nothing was ever moved");
  for (const row of rows) watched.free(row);
  assertEquals([watched.jobs.size, watched.jobs.store.used], [0, 0]);
  assert(watched.jobs.store.held <= SEGMENT_BYTES);
});

Deno.test("Jobs.free() moves the record of a row whose state isn't set yet", () => {
  const watched = new Watched();
  const rows = Array.from({ length: SEGMENTS * IN_SEGMENT }, () => watched.add(RECORD));
  const stays = rows.filter((row) => row % IN_SEGMENT === 1);
  for (const row of stays) watched.jobs.state[row] = 0;
  for (const row of rows) if (!stays.includes(row)) watched.free(row);
  watched.checkRecords();
  assert(watched.moved > 0, "nothing was ever moved");
});
