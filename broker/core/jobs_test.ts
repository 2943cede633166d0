import { assert, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { SEGMENT_BYTES } from "./body_store.ts";
import {
  DEAD,
  FREE,
  Jobs,
  NO_ROW,
  OPAQUE,
  type RowList,
  rowList,
  RUNNING,
  STREAM_JOB,
  WAITING,
} from "./jobs.ts";

/** A new row, its record filled with these octets. */
function make(jobs: Jobs, envelope: Uint8Array, body: Uint8Array): number {
  const row = jobs.make(envelope.length, body.length);
  jobs.record(row).set(envelope, jobs.at[row]!);
  jobs.record(row).set(body, jobs.at[row]! + envelope.length);
  return row;
}

function envelopeOf(jobs: Jobs, row: number): Uint8Array {
  const at = jobs.at[row]!;
  return jobs.record(row).slice(at, at + jobs.envelopeBytes[row]!);
}

function bodyOf(jobs: Jobs, row: number): Uint8Array {
  const at = jobs.at[row]!;
  return jobs.record(row).slice(at + jobs.envelopeBytes[row]!, at + jobs.bytes[row]!);
}

/** The rows of a list, checked along both directions. */
function rowsOf(list: RowList, next: Int32Array, previous: Int32Array): number[] {
  const rows: number[] = [];
  let before = NO_ROW;
  for (let row = list.first; row !== NO_ROW; row = next[row]!) {
    assertEquals(previous[row], before);
    rows.push(row);
    before = row;
  }
  assertEquals(list.last, before);
  assertEquals(list.length, rows.length);
  return rows;
}

/** What the model knows of a row. */
interface Known {
  envelope: Uint8Array;
  readonly body: Uint8Array;
  /** Which list it stands in. */
  list: number;
  client: number;
  worker: number;
  generation: number;
}

const LISTS = 3;
const CLIENTS = 4;
const STATES = [WAITING, RUNNING, DEAD];

/** A table beside a plain model of it. */
class Pair {
  readonly jobs: Jobs = new Jobs();
  readonly lists: RowList[] = Array.from({ length: LISTS }, rowList);
  readonly clients: RowList[] = Array.from({ length: CLIENTS }, rowList);
  readonly known: Map<number, Known> = new Map();
  readonly order: number[][] = Array.from({ length: LISTS }, () => []);
  readonly orderOfClient: number[][] = Array.from({ length: CLIENTS }, () => []);

  add(list: number, client: number, envelope: Uint8Array, body: Uint8Array): void {
    const { jobs } = this;
    const row = make(jobs, envelope, body);
    assert(!this.known.has(row), "a row in use was given out again");
    assertEquals([jobs.flags[row], jobs.attempts[row]], [0, 0]);
    assertEquals([jobs.kind[row], jobs.service[row], jobs.client[row]], [0, 0, NO_ROW]);
    const generation = jobs.generation[row]!;
    this.known.set(row, { envelope, body, list, client: NO_ROW, worker: NO_ROW, generation });
    jobs.flags[row] = jobs.attempts[row] = 255;
    // The column means nothing before a row runs; here a row may begin as a running one.
    jobs.worker[row] = NO_ROW;
    this.#enter(row, list, false);
    this.attach(row, client);
  }

  /** Goes to another list, at its head or end; running means a new attempt at that worker. */
  move(row: number, list: number, atHead: boolean, worker: number): void {
    const { jobs, known } = this;
    this.#leave(row);
    if (list === STATES.indexOf(RUNNING)) {
      known.get(row)!.generation = jobs.generation[row] = jobs.generation[row]! + 1;
      known.get(row)!.worker = jobs.worker[row] = worker;
    }
    this.#enter(row, list, atHead);
  }

  attach(row: number, client: number): void {
    this.detach(row);
    this.jobs.attach(this.clients[client]!, row, client);
    this.orderOfClient[client]!.unshift(row);
    this.known.get(row)!.client = client;
  }

  detach(row: number): void {
    const known = this.known.get(row)!;
    if (known.client === NO_ROW) return;
    this.jobs.detach(this.clients[known.client]!, row);
    take(this.orderOfClient[known.client]!, row);
    known.client = NO_ROW;
  }

  readdress(row: number, envelope: Uint8Array): void {
    this.jobs.readdress(row, envelope);
    this.known.get(row)!.envelope = envelope;
  }

  free(row: number): void {
    const { jobs } = this;
    const { generation } = this.known.get(row)!;
    this.detach(row);
    this.#leave(row);
    jobs.free(row);
    this.known.delete(row);
    assertEquals(jobs.state[row], FREE);
    assertNotEquals(jobs.generation[row], generation);
  }

  #enter(row: number, list: number, atHead: boolean): void {
    const { jobs } = this;
    jobs.state[row] = STATES[list]!;
    this.known.get(row)!.list = list;
    if (atHead) jobs.unshift(this.lists[list]!, row);
    else jobs.push(this.lists[list]!, row);
    if (atHead) this.order[list]!.unshift(row);
    else this.order[list]!.push(row);
  }

  #leave(row: number): void {
    const { list } = this.known.get(row)!;
    this.jobs.unlink(this.lists[list]!, row);
    take(this.order[list]!, row);
  }

  check(): void {
    const { jobs } = this;
    assertEquals(jobs.size, this.known.size);
    this.lists.forEach((list, i) =>
      assertEquals(rowsOf(list, jobs.next, jobs.previous), this.order[i])
    );
    this.clients.forEach((list, i) =>
      assertEquals(rowsOf(list, jobs.nextOfClient, jobs.previousOfClient), this.orderOfClient[i])
    );
    let used = 0;
    for (const [row, known] of this.known) {
      used += known.envelope.length + known.body.length;
      assertEquals(envelopeOf(jobs, row), known.envelope);
      assertEquals(bodyOf(jobs, row), known.body);
      assertEquals(jobs.client[row], known.client);
      this.#checkFence(row, known);
    }
    assertEquals(jobs.store.used, used);
  }

  #checkFence(row: number, { list, worker, generation }: Known): void {
    const { jobs } = this;
    const running = list === STATES.indexOf(RUNNING);
    assertEquals(jobs.isAttempt(row, generation, worker), running);
    assertEquals(jobs.isAttempt(row, generation - 1, worker), false);
    assertEquals(jobs.isAttempt(row, generation + 1, worker), false);
    assertEquals(jobs.isAttempt(row, generation, worker + 1), false);
  }
}

function take(rows: number[], row: number): void {
  rows.splice(rows.indexOf(row), 1);
}

const anyStep = fc.record({
  verb: fc.constantFrom(
    "add",
    "add",
    "add",
    "move",
    "move",
    "attach",
    "detach",
    "readdress",
    "free",
  ),
  which: fc.nat(),
  list: fc.nat(LISTS - 1),
  client: fc.nat(CLIENTS - 1),
  atHead: fc.boolean(),
  envelope: fc.uint8Array({ maxLength: 12 }),
  body: fc.uint8Array({ maxLength: 40 }),
});

Deno.test("Jobs keeps rows, lists and records as a plain model does", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 150, size: "max" }), (steps) => {
      const pair = new Pair();
      for (const { verb, which, list, client, atHead, envelope, body } of steps) {
        const rows = [...pair.known.keys()];
        const row = rows[which % rows.length];
        if (row === undefined || verb === "add") pair.add(list, client, envelope, body);
        else if (verb === "move") pair.move(row, list, atHead, client);
        else if (verb === "attach") pair.attach(row, client);
        else if (verb === "detach") pair.detach(row);
        else if (verb === "readdress") pair.readdress(row, envelope);
        else pair.free(row);
        if (which % 8 === 0) pair.check();
      }
      pair.check();
    }),
    { numRuns: 300 },
  );
});

Deno.test("Jobs.make() keeps every column when the table grows", () => {
  const jobs = new Jobs();
  const columns = Object.entries(jobs).filter(([, column]) => ArrayBuffer.isView(column));
  assertEquals(columns.length, 17);
  const body = new Uint8Array(3);
  for (let i = 0; i < 1_024; i++) assertEquals(make(jobs, body, body), i);
  const before = columns.map(([name]) => {
    const column = Reflect.get(jobs, name) as Uint8Array;
    if (name !== "segment" && name !== "at") column.forEach((_, i) => column[i] = i % 251);
    return column.slice();
  });
  assertEquals(make(jobs, body, body), 1_024);
  columns.forEach(([name], i) => {
    const column = Reflect.get(jobs, name) as Uint8Array;
    assertEquals(column.length, 2_048, name);
    assertEquals(column.slice(0, 1_024), before[i], name);
  });
});

Deno.test("Jobs.make() keeps the few cells that are written in a column that grows", () => {
  const rows = 16_384;
  for (const written of [0, 1, 4_095, 4_096, 8_191, 10_000, rows - 1]) {
    const jobs = new Jobs(rows);
    for (let i = 0; i < rows; i++) jobs.make(0, 1);
    // Of each width one column that nothing but this cell was written in.
    jobs.attempts[written] = jobs.service[written] = jobs.worker[written] = 200;
    jobs.make(0, 1);
    for (const column of [jobs.attempts, jobs.service, jobs.worker]) {
      assertEquals(column.length, 2 * rows);
      assertEquals(column.findIndex((cell) => cell !== 0), written);
      assertEquals(column.findLastIndex((cell) => cell !== 0), written);
      assertEquals(column[written], 200);
    }
  }
});

Deno.test("Jobs.make() gives a freed row another generation, and nothing of the old job", () => {
  const jobs = new Jobs();
  const seen = new Set<number>();
  for (let i = 0; i < 100; i++) {
    const row = jobs.make(2, 5);
    assertEquals(row, 0);
    assert(!seen.has(jobs.generation[row]!));
    assertEquals([jobs.flags[row], jobs.attempts[row], jobs.client[row]], [0, 0, NO_ROW]);
    seen.add(jobs.generation[row]!);
    const kind = i % 2 === 0 ? OPAQUE : STREAM_JOB;
    jobs.describe(row, kind, i % 3, i % 5);
    const described = [jobs.kind[row], jobs.flags[row], jobs.service[row]];
    assertEquals(described, [kind, i % 3, i % 5]);
    jobs.flags[row] = jobs.attempts[row] = jobs.client[row] = 7;
    jobs.free(row);
    assert(!seen.has(jobs.generation[row]!));
  }
  assertEquals([jobs.size, jobs.store.used], [0, 0]);
});

Deno.test("Jobs.make() uses every freed row again before it takes a new one", () => {
  const jobs = new Jobs();
  const rows = Array.from({ length: 1_000 }, () => jobs.make(0, 1));
  for (const row of rows) jobs.free(row);
  const again = rows.map(() => jobs.make(0, 1));
  assertEquals(again.toSorted((a, b) => a - b), rows);
  assertEquals(jobs.make(0, 1), 1_000);
});

Deno.test("Jobs.isAttempt() is false of rows that never were, and of a forged generation", () => {
  const jobs = new Jobs();
  const row = jobs.make(0, 1);
  jobs.state[row] = RUNNING;
  jobs.worker[row] = 3;
  const generation = jobs.generation[row]!;
  assertEquals(jobs.isAttempt(row, generation, 3), true);
  for (const other of [1, 1_023, 1_024, 2 ** 31, 2 ** 32 - 1]) {
    assertEquals(jobs.isAttempt(other, 0, 0), false);
    assertEquals(jobs.isAttempt(other, generation, 3), false);
  }
  for (const state of [FREE, WAITING, DEAD]) {
    jobs.state[row] = state;
    assertEquals(jobs.isAttempt(row, generation, 3), false);
  }
  jobs.state[row] = RUNNING;
  jobs.generation[row] = 2 ** 32 - 1;
  assertEquals(jobs.isAttempt(row, 2 ** 32 - 1, 3), true);
  // The generation starts again at 0, as the four octets of a job id do.
  jobs.free(row);
  assertEquals(jobs.generation[row], 0);
});

Deno.test("Jobs keeps a record of many segments' length, beside small ones", () => {
  const jobs = new Jobs();
  const large = new Uint8Array(9 * SEGMENT_BYTES + 17).map((_, i) => i % 253);
  const small = new Uint8Array([1, 2, 3]);
  const rows = [make(jobs, small, small), make(jobs, small, large), make(jobs, small, small)];
  jobs.readdress(rows[1]!, large.slice(0, 500));
  assertEquals(envelopeOf(jobs, rows[1]!), large.slice(0, 500));
  assertEquals(bodyOf(jobs, rows[1]!), large);
  assertEquals(bodyOf(jobs, rows[2]!), small);
  jobs.free(rows[1]!);
  assertEquals(jobs.store.held, SEGMENT_BYTES);
  assertEquals(bodyOf(jobs, rows[0]!), small);
});

Deno.test("a million waiting jobs of 100 octets cost at most 170 octets each", () => {
  const jobs = new Jobs();
  const list = rowList();
  const count = 1_000_000;
  // The delimiter is an envelope of 2 octets; a frame's header of 2 stands before the body.
  for (let i = 0; i < count; i++) {
    const row = jobs.make(2, 102);
    jobs.state[row] = WAITING;
    jobs.push(list, row);
  }
  let octets = jobs.store.held;
  for (const column of Object.values(jobs)) {
    if (ArrayBuffer.isView(column)) octets += column.byteLength;
  }
  assertEquals(list.length, count);
  const each = octets / count;
  assert(each <= 170, `${each} octets each`);
  assert(each > 104, `${each} octets each can't be`);
});
