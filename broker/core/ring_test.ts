import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Random } from "../../tests/conformance/random.ts";
import { emptySeat, Ring, type Seat } from "./ring.ts";

interface Chair extends Seat {
  readonly name: number;
}

function chair(name: number): Chair {
  return { ...emptySeat(), name };
}

function chairs(count: number): Chair[] {
  return Array.from({ length: count }, (_, name) => chair(name));
}

/** The table as the seed tells it, step by step, with the top at index 0. */
class NaiveTable {
  order: number[] = [];
  readonly eligible: Set<number> = new Set();

  /** The one on top is looked at and put at the bottom, until one takes the job. */
  dispatch(): number | undefined {
    for (let tries = this.order.length; tries > 0; tries--) {
      const top = this.order.shift()!;
      this.order.push(top);
      if (this.eligible.has(top)) return top;
    }
    return undefined;
  }

  remove(name: number): void {
    this.order = this.order.filter((other) => other !== name);
  }
}

/** A job is given out: the next one whose turn it is takes it. */
function dispatch(ring: Ring<Chair>): Chair | undefined {
  const taker = ring.first();
  if (taker !== undefined) ring.pass(taker);
  return taker;
}

/** Checks one branch of the tree, and adds its seats to `order`; gives its height. */
function checkBranch(seat: Seat | undefined, up: Seat | undefined, order: Seat[]): number {
  if (seat === undefined) return 0;
  assertStrictEquals(seat.up, up);
  assert(seat.seated);
  const left = checkBranch(seat.left, seat, order);
  order.push(seat);
  const right = checkBranch(seat.right, seat, order);
  assert(Math.abs(left - right) <= 1, "a branch hangs lower than the other");
  assertEquals(seat.height, 1 + Math.max(left, right));
  const any = seat.eligible || seat.left?.any === true || seat.right?.any === true;
  assertEquals(seat.any, any);
  return seat.height;
}

/** Checks all that must hold of a ring at any time; gives the names from the top on. */
function checkRing(ring: Ring<Chair>): number[] {
  const turns = [...ring];
  assertEquals(turns.length, ring.size);
  if (turns.length === 0) {
    assertEquals(ring.open, false);
    assertEquals(ring.first(), undefined);
    return [];
  }
  let root: Seat = turns[0]!;
  while (root.up !== undefined) root = root.up;
  const order: Seat[] = [];
  checkBranch(root, undefined, order);
  assertEquals(order.length, ring.size);
  for (const [i, seat] of order.entries()) {
    const next = order[(i + 1) % order.length]!;
    assertStrictEquals(seat.next, next);
    assertStrictEquals(next.previous, seat);
  }
  const top = order.indexOf(turns[0]!);
  for (const [i, seat] of turns.entries()) {
    assertStrictEquals(seat, order[(top + i) % order.length]);
  }
  assertEquals(ring.open, root.any);
  return turns.map(({ name }) => name);
}

/** A ring and its naive copy, told the same. */
class Pair {
  readonly ring: Ring<Chair> = new Ring();
  readonly table: NaiveTable = new NaiveTable();
  readonly seats: Chair[];

  constructor(count: number) {
    this.seats = chairs(count);
  }

  /** Joins at the bottom, or leaves; each is refused or ignored where it makes no sense. */
  join(name: number): void {
    const seat = this.seats[name]!;
    if (seat.seated) {
      assertThrows(() => this.ring.add(seat), Error, "it stands in a ring");
      return;
    }
    this.ring.add(seat);
    this.table.order.push(name);
  }

  leave(name: number): void {
    this.ring.remove(this.seats[name]!);
    this.table.remove(name);
  }

  set(name: number, eligible: boolean): void {
    this.ring.setEligible(this.seats[name]!, eligible);
    if (eligible) this.table.eligible.add(name);
    else this.table.eligible.delete(name);
  }

  /** Gives out a job; whoever took it is busy from then on, or is gone from the ring too. */
  dispatch(then: "stays" | "is busy" | "leaves"): number | undefined {
    const taker = dispatch(this.ring)?.name;
    assertEquals(taker, this.table.dispatch());
    if (taker === undefined) return undefined;
    if (then !== "stays") this.set(taker, false);
    if (then === "leaves") this.leave(taker);
    return taker;
  }

  check(): void {
    assertEquals(checkRing(this.ring), this.table.order);
  }
}

const PLACES = 40;

const anyStep = fc.record({
  verb: fc.constantFrom(
    ...["join", "join", "join", "leave", "free", "free", "busy"] as const,
    ...["stays", "is busy", "is busy", "leaves", "leaves"] as const,
  ),
  name: fc.nat(PLACES - 1),
});

function take(pair: Pair, { verb, name }: { verb: string; name: number }): void {
  switch (verb) {
    case "join":
      return pair.join(name);
    case "leave":
      return pair.leave(name);
    case "free":
      return pair.set(name, true);
    case "busy":
      return pair.set(name, false);
    case "stays":
    case "is busy":
    case "leaves":
      pair.dispatch(verb);
  }
}

Deno.test("Ring turns as the seed's table does, whatever happens to its seats", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 250, size: "max" }), (steps) => {
      const pair = new Pair(PLACES);
      for (const step of steps) {
        take(pair, step);
        pair.check();
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("Ring turns as the seed's table does, with hundreds of seats for a long time", () => {
  const random = new Random(2);
  const pair = new Pair(500);
  const verbs = ["join", "join", "leave", "free", "busy", "is busy", "leaves"];
  let given = 0;
  for (let step = 0; step < 40_000; step++) {
    const size = pair.ring.size;
    const verb = random.pick(verbs);
    take(pair, { verb, name: random.below(500) });
    if (verb === "leaves" && pair.ring.size < size) given++;
    if (step % 100 === 0) pair.check();
  }
  pair.check();
  assert(given > 1000, `only ${given} jobs were given out`);
});

Deno.test("Ring.first() passes over the busy ones, and they lose their turn", () => {
  const pair = new Pair(5);
  for (let name = 0; name < 5; name++) pair.join(name);
  pair.set(2, true);
  pair.set(4, true);
  assertEquals(pair.dispatch("stays"), 2);
  assertEquals(checkRing(pair.ring), [3, 4, 0, 1, 2]);
  pair.set(0, true);
  assertEquals(pair.dispatch("stays"), 4);
  assertEquals(pair.dispatch("stays"), 0);
  assertEquals(checkRing(pair.ring), [1, 2, 3, 4, 0]);
});

Deno.test("Ring.first() finds none after a full turn, and the order is as before", () => {
  const pair = new Pair(7);
  for (let name = 0; name < 7; name++) pair.join(name);
  pair.set(3, true);
  pair.dispatch("is busy");
  const before = checkRing(pair.ring);
  assertEquals(pair.dispatch("stays"), undefined);
  assertEquals(pair.ring.open, false);
  assertEquals(checkRing(pair.ring), before);
  assertEquals(before, [4, 5, 6, 0, 1, 2, 3]);
});

Deno.test("Ring.remove() leaves the order of all others, and the next one on top", () => {
  for (let gone = 0; gone < 12; gone++) {
    for (let turns = 0; turns < 12; turns++) {
      const pair = new Pair(12);
      for (let name = 0; name < 12; name++) {
        pair.join(name);
        pair.set(name, true);
      }
      for (let turn = 0; turn < turns; turn++) pair.dispatch("stays");
      pair.leave(gone);
      pair.check();
      const seat = pair.seats[gone]!;
      assertEquals(seat, { ...chair(gone), eligible: true, any: seat.any, height: seat.height });
      pair.leave(gone);
      pair.check();
    }
  }
});

Deno.test("Ring gives jobs by slots as the seed's text does", () => {
  const slots = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 });
  const events = fc.array(fc.nat(15), { maxLength: 120, size: "max" });
  fc.assert(
    fc.property(slots, events, (capacities, events) => {
      const pair = new Pair(capacities.length);
      const free = [...capacities];
      for (const name of free.keys()) {
        pair.join(name);
        pair.set(name, true);
      }
      for (const event of events) {
        if (event < capacities.length) {
          free[event] = Math.min(free[event]! + 1, capacities[event]!);
          pair.set(event, true);
          continue;
        }
        const taker = pair.dispatch("stays");
        assertEquals(taker === undefined, free.every((count) => count === 0));
        if (taker !== undefined && --free[taker]! === 0) pair.set(taker, false);
      }
      pair.check();
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("Ring.pass() refuses a seat that stands in no ring", () => {
  const ring = new Ring<Chair>();
  const [inside, outside] = [chair(0), chair(1)];
  ring.add(inside);
  assertThrows(() => ring.pass(outside), Error, "it stands in no ring");
  ring.remove(inside);
  assertThrows(() => ring.pass(inside), Error, "it stands in no ring");
  assertEquals(checkRing(ring), []);
});

/**
 * What a dispatch costs if that seat alone is eligible (found, passed, busy), and what its whole job
 * does (free again).
 */
function costOf(ring: Ring<Chair>, only: Chair): { dispatched: number; job: number } {
  ring.setEligible(only, true);
  const before = ring.steps;
  assertStrictEquals(dispatch(ring), only);
  ring.setEligible(only, false);
  const dispatched = ring.steps - before;
  ring.setEligible(only, true);
  const job = ring.steps - before;
  ring.setEligible(only, false);
  return { dispatched, job };
}

/** Where the top and the only free seat may stand: everywhere, or at some hundreds of places. */
function somePlaces(count: number): number[] {
  const random = new Random(count);
  const all = Array.from({ length: count }, (_, i) => i);
  return count <= 10 ? all : Array.from({ length: 200 }, () => random.below(count));
}

for (const count of [10, 1_000, 10_000]) {
  Deno.test(`Ring finds the only free one of ${count} seats in 4 log2 n steps`, () => {
    const ring = new Ring<Chair>();
    const seats = chairs(count);
    for (const seat of seats) ring.add(seat);
    // Seats that joined one by one make a tree as low as can be; a job goes up and down it twice.
    const height = Math.ceil(Math.log2(count + 1));
    const costs: number[] = [];
    for (const top of somePlaces(count)) {
      for (const place of somePlaces(count)) {
        ring.pass(seats[top]!);
        const { dispatched, job } = costOf(ring, seats[place]!);
        assert(dispatched <= 4 * Math.log2(count), `a dispatch took ${dispatched} steps`);
        costs.push(job);
      }
    }
    const mean = costs.reduce((sum, cost) => sum + cost) / costs.length;
    const most = costs.reduce((a, b) => Math.max(a, b));
    assert(most <= 4 * height, `a job took ${most} steps`);
    assert(mean <= 4 * Math.log2(count), `jobs took ${mean} steps each`);
    assert(mean > Math.log2(count), `${mean} steps each are too few to be true`);
  });
}

Deno.test("Ring finds nobody among 10,000 busy seats in no step at all", () => {
  const ring = new Ring<Chair>();
  for (const seat of chairs(10_000)) ring.add(seat);
  const before = ring.steps;
  assertEquals(ring.first(), undefined);
  assertEquals(ring.steps, before);
});

Deno.test("Ring stays low however seats come and go", () => {
  const random = new Random(5);
  const seats = chairs(10_000);
  const ring = new Ring<Chair>();
  for (const seat of seats) ring.add(seat);
  // The height of such a tree is at most 1.45 log2 n.
  const height = 1.45 * Math.log2(seats.length + 2);
  let before = ring.steps;
  for (let i = 0; i < 20_000; i++) {
    const seat = random.pick(seats);
    if (random.chance(30)) ring.pass(random.pick(seats));
    ring.remove(seat);
    assert(ring.steps - before <= 2 * height, `remove() took ${ring.steps - before} steps`);
    before = ring.steps;
    ring.add(seat);
    assert(ring.steps - before <= height, `add() took ${ring.steps - before} steps`);
    before = ring.steps;
  }
  for (let i = 0; i < 2_000; i++) {
    const { job } = costOf(ring, random.pick(seats));
    assert(job <= 4 * height, `a job took ${job} steps`);
  }
  checkRing(ring);
});
