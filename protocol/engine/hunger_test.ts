import { assertEquals } from "@std/assert";
import { Budget } from "./budget.ts";
import { Hunger } from "./hunger.ts";
import type { Link } from "./link.ts";
import type { Peer } from "./peer.ts";

/** A connection that holds and wants memory, and remembers what became of it. */
class Eater {
  held = 0;
  growth = 0;
  closed = false;
  /** Times at which it was told to hurry; empty again once memory is not short. */
  deadline: number | undefined;
  fedTimes = 0;
  readonly liveness = {
    starvedSince: (now: number) => void (this.deadline ??= now),
    sated: () => void (this.deadline = undefined),
  };

  constructor(held: number, growth: number) {
    this.held = held;
    this.growth = growth;
    Object.defineProperty(this.liveness, "starving", { get: () => this.deadline !== undefined });
  }

  arm(): void {}

  fed(): void {
    this.fedTimes++;
  }

  get link(): Link {
    return this as unknown as Link;
  }
}

/** Eaters around a budget, and a clock that tests set. */
function table(limit: number, ...eaters: Eater[]) {
  const budget = new Budget(limit);
  for (const { held } of eaters) budget.used += held;
  const peers = eaters.map(({ link }) => ({ link }) as unknown as Peer);
  const clock = { now: 0 };
  const hunger = new Hunger(budget, () => clock.now);
  hunger.watch(peers);
  return { hunger, budget, peers: peers as (Peer | undefined)[], clock };
}

Deno.test("Hunger.starve() gives the one that holds the most a deadline, and nobody else", () => {
  const [small, large, asking] = [new Eater(10, 0), new Eater(60, 0), new Eater(30, 60)];
  const { hunger, clock } = table(100, small, large, asking);
  clock.now = 7;
  hunger.starve(asking.link);
  assertEquals([small, large, asking].map((it) => it.deadline), [undefined, 7, undefined]);
  clock.now = 9;
  hunger.starve(asking.link);
  assertEquals(large.deadline, 7);
});

Deno.test("Hunger.freed() feeds whoever fits, and takes the deadline back when all do", () => {
  const [large, one, two] = [new Eater(60, 0), new Eater(20, 40), new Eater(20, 70)];
  const { hunger, budget, clock } = table(100, large, one, two);
  clock.now = 1;
  hunger.starve(one.link);
  clock.now = 1;
  hunger.starve(two.link);
  clock.now = 2;
  hunger.freed();
  assertEquals([one.fedTimes, two.fedTimes, large.deadline], [0, 0, 1]);
  budget.used -= 45;
  clock.now = 3;
  hunger.freed();
  assertEquals([one.fedTimes, two.fedTimes, large.deadline], [1, 0, 1]);
  budget.used -= 30;
  clock.now = 4;
  hunger.freed();
  assertEquals([one.fedTimes, two.fedTimes, large.deadline], [1, 1, undefined]);
});

Deno.test("Hunger.freed() sets the next deadline when the largest is gone and others still don't fit", () => {
  const [large, one, two] = [new Eater(40, 80), new Eater(30, 70), new Eater(30, 70)];
  const { hunger, budget, peers, clock } = table(100, large, one, two);
  clock.now = 5;
  for (const eater of [large, one, two]) hunger.starve(eater.link);
  assertEquals([large.deadline, one.deadline, two.deadline], [5, undefined, undefined]);
  large.closed = true;
  peers[0] = undefined;
  budget.used -= large.held;
  hunger.forget(large.link);
  clock.now = 15;
  hunger.freed();
  assertEquals([one.fedTimes, two.fedTimes], [0, 0]);
  assertEquals([one.deadline, two.deadline], [15, undefined]);
});

Deno.test("Hunger.freed() sets the next deadline when the largest has got its message after all", () => {
  const [large, one] = [new Eater(60, 0), new Eater(40, 80)];
  const { hunger, clock } = table(100, large, one);
  clock.now = 5;
  hunger.starve(one.link);
  large.liveness.sated();
  large.held = 0;
  clock.now = 6;
  hunger.freed();
  assertEquals([large.deadline, one.deadline], [undefined, 6]);
});

Deno.test("Hunger.forget() lets go of a connection that is gone", () => {
  const [gone, other] = [new Eater(50, 10), new Eater(40, 0)];
  const { hunger, budget, peers, clock } = table(90, gone, other);
  clock.now = 1;
  hunger.starve(gone.link);
  hunger.forget(gone.link);
  peers[0] = undefined;
  budget.used -= 50;
  clock.now = 2;
  hunger.freed();
  assertEquals([gone.fedTimes, other.deadline], [0, undefined]);
});

Deno.test("Hunger.freed() costs nothing when nobody starves", () => {
  const [idle] = [new Eater(50, 0)];
  const { hunger, clock } = table(90, idle);
  idle.deadline = 3;
  clock.now = 4;
  hunger.freed();
  assertEquals(idle.deadline, 3);
});

Deno.test("Hunger.starve() hurries nobody while the application holds the most", () => {
  const [large, asking] = [new Eater(30, 0), new Eater(10, 60)];
  const { hunger, budget, clock } = table(100, large, asking);
  budget.charge(50);
  hunger.starve(asking.link);
  assertEquals([large.deadline, asking.deadline], [undefined, undefined]);
  // It receives some: now the unfinished messages hold the most.
  budget.discharge(20);
  clock.now = 8;
  hunger.freed();
  assertEquals([asking.fedTimes, large.deadline], [0, 8]);
  budget.discharge(30);
  hunger.freed();
  assertEquals([asking.fedTimes, large.deadline], [1, undefined]);
});

Deno.test("Hunger.freed() lets peers look for room once memory is not exhausted, each once", () => {
  const told: string[] = [];
  const peer = (name: string) => ({ tellRoom: () => told.push(name) }) as unknown as Peer;
  const { hunger, budget } = table(100, new Eater(150, 0));
  const [one, two] = [peer("one"), peer("two")];
  for (const it of [one, two, one]) hunger.starveOutput(it);
  budget.used = 101 + 64 * 1024 * 1024;
  hunger.freed();
  assertEquals(told, []);
  budget.used--;
  hunger.freed();
  hunger.freed();
  assertEquals(told, ["one", "two"]);
});

Deno.test("Hunger.watch() lets engines share: whoever holds the most is hurried, wherever he is", () => {
  const [here, there] = [new Eater(30, 60), new Eater(60, 0)];
  const { hunger, clock } = table(100, here);
  hunger.watch([undefined, { link: there.link } as unknown as Peer]);
  clock.now = 5;
  hunger.starve(here.link);
  assertEquals([here.deadline, there.deadline], [undefined, 5]);
});

Deno.test("Hunger.drown() closes whoever left the most output untaken, if that is enough", () => {
  const hunger = new Hunger(new Budget(100), () => 0);
  const closed: string[] = [];
  const peer = (name: string, waitingBytes: number, gone = false) => {
    const link = gone ? undefined : { drown: () => closed.push(name) };
    return { waitingBytes, link } as unknown as Peer;
  };
  hunger.watch([peer("a", 10), undefined, peer("away", 99, true)]);
  hunger.watch([peer("b", 30), peer("c", 20)]);
  assertEquals([hunger.drown(30), closed], [false, []]);
  assertEquals([hunger.drown(29), closed], [true, ["b"]]);
});
