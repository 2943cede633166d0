import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { Pipe } from "./fair_queue.ts";
import type { Peer } from "../engine/peer.ts";
import { RoundRobin } from "./round_robin.ts";

/** A pipe whose peer can be told to be full or closed. */
function pipe(open = true): Pipe & { readonly peer: { open: boolean; full: boolean } } {
  return new Pipe({ open, full: false } as unknown as Peer) as ReturnType<typeof pipe>;
}

function turns(ring: RoundRobin, pipes: readonly Pipe[], count: number, openOnly = false) {
  return Array.from({ length: count }, () => {
    const next = ring.next(openOnly);
    return next === undefined ? -1 : pipes.indexOf(next);
  });
}

Deno.test("RoundRobin.next() gives each pipe its turn", () => {
  const ring = new RoundRobin();
  const pipes = [pipe(), pipe(), pipe()];
  for (const it of [...pipes, pipes[0]!]) ring.add(it);
  assertEquals(turns(ring, pipes, 7), [0, 1, 2, 0, 1, 2, 0]);
});

Deno.test("RoundRobin.next() passes over who is full, and gives undefined when all are", () => {
  const ring = new RoundRobin();
  const pipes = [pipe(), pipe(), pipe()];
  for (const it of pipes) ring.add(it);
  pipes[1]!.peer.full = true;
  assertEquals(turns(ring, pipes, 4), [0, 2, 0, 2]);
  pipes[0]!.peer.full = pipes[2]!.peer.full = true;
  assertEquals([turns(ring, pipes, 2), ring.hasRoom(false)], [[-1, -1], false]);
  pipes[1]!.peer.full = false;
  assertEquals([turns(ring, pipes, 2), ring.hasRoom(false)], [[1, 1], true]);
});

Deno.test("RoundRobin.next() takes only open ones if asked", () => {
  const ring = new RoundRobin();
  const pipes = [pipe(false), pipe(true)];
  for (const it of pipes) ring.add(it);
  assertEquals(turns(ring, pipes, 4), [0, 1, 0, 1]);
  assertEquals(turns(ring, pipes, 4, true), [1, 1, 1, 1]);
  pipes[1]!.peer.open = false;
  assertEquals([turns(ring, pipes, 1, true), ring.hasRoom(true)], [[-1], false]);
});

Deno.test("RoundRobin.next() of nobody is undefined", () => {
  const ring = new RoundRobin();
  assertEquals([ring.next(false), ring.hasRoom(false)], [undefined, false]);
  ring.remove(pipe());
  const one = pipe();
  ring.add(one);
  ring.remove(one);
  assertEquals(ring.next(false), undefined);
});

Deno.test("RoundRobin.remove() costs nobody else a turn", () => {
  fc.assert(fc.property(
    fc.integer({ min: 2, max: 6 }),
    fc.nat(12),
    fc.nat(5),
    (count, before, which) => {
      const ring = new RoundRobin();
      const pipes = Array.from({ length: count }, () => pipe());
      for (const it of pipes) ring.add(it);
      turns(ring, pipes, before);
      const gone = pipes[which % count]!;
      // Whose turn it is once the one that goes is passed over.
      const first = before % count;
      const order = pipes.map((_, i) => pipes[(first + i) % count]!).filter((it) => it !== gone);
      ring.remove(gone);
      for (const expected of [...order, ...order]) assertStrictEquals(ring.next(false), expected);
    },
  ));
});
