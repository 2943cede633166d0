import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { Budget } from "../engine/budget.ts";
import type { Peer } from "../engine/peer.ts";
import { FairQueue, Pipe, WAITING_BYTES } from "./fair_queue.ts";
import { Frame } from "./frame.ts";

const MIB = 1024 * 1024;

/** A queue on its budget, with pipes whose peers note when they are paused. */
class Bench {
  readonly queue = new FairQueue();
  readonly budget: Budget;
  readonly log: string[] = [];

  constructor(limit = 512 * MIB) {
    this.budget = new Budget(limit);
  }

  pipe(name: string): Pipe {
    return new Pipe({
      pause: () => this.log.push(`pause ${name}`),
      resume: () => this.log.push(`resume ${name}`),
    } as unknown as Peer);
  }

  push(pipe: Pipe, word: string): void {
    const octets = Frame.from(new TextEncoder().encode(word)) as Frame;
    this.queue.push(pipe, [octets], octets.length, this.budget);
  }

  pushSize(pipe: Pipe, size: number): void {
    // Only its length matters: no memory is touched.
    this.queue.push(pipe, [{ length: size } as Frame], size, this.budget);
  }

  take(): string | undefined {
    return this.queue.shift(this.budget)?.join();
  }

  drain(): string[] {
    const all: string[] = [];
    for (let one = this.take(); one !== undefined; one = this.take()) all.push(one);
    return all;
  }
}

Deno.test("FairQueue.shift() takes from each peer in turn, each in its own order", () => {
  const bench = new Bench();
  const [busy, quiet, late] = [bench.pipe("busy"), bench.pipe("quiet"), bench.pipe("late")];
  for (const word of ["b1", "b2", "b3", "b4"]) bench.push(busy, word);
  bench.push(quiet, "q1");
  assertEquals([bench.take(), bench.take()], ["b1", "q1"]);
  bench.push(late, "l1");
  bench.push(quiet, "q2");
  const rest = bench.drain();
  assertEquals(rest.slice(0, 3).toSorted(), ["b2", "l1", "q2"]);
  assertEquals(rest.filter((word) => word.startsWith("b")), ["b2", "b3", "b4"]);
  assertEquals([bench.queue.empty, bench.take(), bench.budget.used], [true, undefined, 0]);
});

Deno.test("FairQueue.from is the peer of the message taken last", () => {
  const bench = new Bench();
  const [one, two] = [bench.pipe("one"), bench.pipe("two")];
  bench.push(one, "1");
  bench.push(two, "2");
  bench.take();
  assertStrictEquals(bench.queue.from, one);
  bench.take();
  assertStrictEquals(bench.queue.from, two);
});

Deno.test("FairQueue pauses a peer at the mark and reads it again at half of it", () => {
  const bench = new Bench();
  bench.queue.highWaterMark = 4;
  const [full, other] = [bench.pipe("full"), bench.pipe("other")];
  for (const word of ["1", "2", "3"]) bench.push(full, word);
  assertEquals(bench.log, []);
  bench.push(full, "4");
  bench.push(other, "x");
  assertEquals(bench.log, ["pause full"]);
  bench.take();
  bench.take();
  assertEquals([full.waiting, bench.log.length], [3, 1]);
  bench.take();
  assertEquals([full.waiting, bench.log], [2, ["pause full", "resume full"]]);
});

Deno.test("FairQueue without a mark pauses a peer at 64 MiB, and reads it again at half of it", () => {
  const bench = new Bench();
  bench.queue.highWaterMark = 0;
  const pipe = bench.pipe("peer");
  for (let i = 0; i < 5000; i++) bench.pushSize(pipe, 100);
  assertEquals(bench.log, []);
  bench.drain();
  for (let i = 0; i < 64; i++) bench.pushSize(pipe, MIB);
  assertEquals([pipe.bytes, bench.log], [WAITING_BYTES, ["pause peer"]]);
  for (let i = 0; i < 31; i++) bench.take();
  assertEquals(bench.log.length, 1);
  bench.take();
  assertEquals(bench.log, ["pause peer", "resume peer"]);
});

Deno.test("FairQueue pauses whoever adds to an exhausted budget, and reads him when nothing of him waits", () => {
  const bench = new Bench(100);
  const [one, two] = [bench.pipe("one"), bench.pipe("two")];
  bench.pushSize(one, 100);
  assertEquals(bench.log, []);
  bench.pushSize(two, 1);
  bench.pushSize(two, 1);
  assertEquals(bench.log, ["pause two"]);
  bench.budget.charge(1000);
  bench.drain();
  assertEquals(bench.log, ["pause two", "resume two"]);
});

Deno.test("FairQueue.clear() throws all away, gives the memory back and reads all peers again", () => {
  const bench = new Bench();
  bench.queue.highWaterMark = 2;
  const [one, two] = [bench.pipe("one"), bench.pipe("two")];
  for (const pipe of [one, two, one, two]) bench.push(pipe, "word");
  bench.queue.clear(bench.budget);
  assertEquals([bench.queue.empty, bench.budget.used], [true, 0]);
  assertEquals(bench.log.slice(2).toSorted(), ["resume one", "resume two"]);
});

Deno.test("FairQueue keeps order, counts and fairness whatever comes and goes", () => {
  const step = fc.record({ push: fc.boolean(), which: fc.nat(3) });
  fc.assert(fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
    const bench = new Bench();
    const pipes = [0, 1, 2, 3].map((i) => bench.pipe(`${i}`));
    const waiting: string[][] = [[], [], [], []];
    /** How many others were served since that peer has something waiting. */
    const passed = [0, 0, 0, 0];
    let number = 0;
    for (const { push, which } of steps) {
      if (push) {
        const word = `${which}:${number++}`;
        bench.push(pipes[which]!, word);
        waiting[which]!.push(word);
        continue;
      }
      const word = bench.take();
      if (word === undefined) {
        assertEquals(waiting.flat(), []);
        continue;
      }
      const from = Number(word[0]);
      assertEquals(waiting[from]!.shift(), word);
      passed[from] = 0;
      for (let i = 0; i < 4; i++) {
        if (i !== from && waiting[i]!.length > 0) passed[i]!++;
        // Nobody waits for more than one round and a newcomer or two.
        if (passed[i]! > 8) throw new Error(`peer ${i} was passed over ${passed[i]} times`);
      }
    }
    const octets = waiting.flat().join("").length;
    assertEquals([bench.budget.used, bench.queue.empty], [octets, octets === 0]);
  }));
});

Deno.test("FairQueue lets go of what was taken: a long queue doesn't grow for ever", () => {
  const bench = new Bench();
  bench.queue.highWaterMark = 0;
  const pipe = bench.pipe("peer");
  for (let i = 0; i < 10; i++) bench.push(pipe, "kept");
  for (let i = 0; i < 10_000; i++) {
    bench.push(pipe, `${i}`);
    bench.take();
  }
  assertEquals([pipe.waiting, pipe.queue.length < 2000], [10, true]);
});
