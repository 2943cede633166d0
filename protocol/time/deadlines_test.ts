import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Deadlines, type Due } from "./deadlines.ts";

interface Named extends Due {
  readonly name: number;
}

function named(name: number): Named {
  return { name, due: 0, place: -1 };
}

Deno.test("Deadlines.pop() gives what is due, the earliest first", () => {
  const deadlines = new Deadlines<Named>();
  const [a, b, c] = [named(0), named(1), named(2)];
  deadlines.set(a, 30);
  deadlines.set(b, 10);
  deadlines.set(c, 20);
  assertStrictEquals(deadlines.first(), b);
  assertEquals(deadlines.pop(9), undefined);
  assertStrictEquals(deadlines.pop(25), b);
  assertStrictEquals(deadlines.pop(25), c);
  assertEquals(deadlines.pop(25), undefined);
  assertEquals(deadlines.size, 1);
  assertEquals([a.place, b.place, c.place], [0, -1, -1]);
});

Deno.test("Deadlines.set() moves an item, and puts it last among equals", () => {
  const deadlines = new Deadlines<Named>();
  const items = [0, 1, 2, 3].map(named);
  for (const item of items) deadlines.set(item, 5);
  deadlines.set(items[0]!, 5);
  deadlines.set(items[2]!, 4);
  const order = items.map(() => deadlines.pop(5)!.name);
  assertEquals(order, [2, 1, 3, 0]);
});

Deno.test("Deadlines.clear() says whether there was a deadline", () => {
  const deadlines = new Deadlines<Named>();
  const item = named(0);
  assertEquals(deadlines.clear(item), false);
  deadlines.set(item, 1);
  assertEquals(deadlines.clear(item), true);
  assertEquals(deadlines.clear(item), false);
  assertEquals(deadlines.first(), undefined);
});

Deno.test("Deadlines.set() refuses NaN and items of another list", () => {
  const one = new Deadlines<Named>();
  const other = new Deadlines<Named>();
  const item = named(0);
  assertThrows(() => one.set(item, NaN), RangeError, "Cannot set a deadline");
  one.set(item, 1);
  assertThrows(() => other.set(item, 2), Error, "another list");
  assertThrows(() => other.clear(item), Error, "another list");
});

Deno.test("Deadlines behaves as a sorted array does", () => {
  const step = fc.tuple(
    fc.constantFrom("set", "set", "clear", "pop"),
    fc.nat(15),
    fc.nat(8),
  );
  fc.assert(fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
    const deadlines = new Deadlines<Named>();
    const items = Array.from({ length: 16 }, (_, name) => named(name));
    let model: { item: Named; time: number }[] = [];
    const without = (item: Named) => model.filter((m) => m.item !== item);
    for (const [verb, which, time] of steps) {
      const item = items[which]!;
      if (verb === "set") {
        deadlines.set(item, time);
        // The sort is stable, so that equals stay in the order in which they were set.
        model = [...without(item), { item, time }]
          .sort((x, y) => x.time - y.time);
      } else if (verb === "clear") {
        const had = model.some((m) => m.item === item);
        assertEquals(deadlines.clear(item), had);
        model = without(item);
      } else {
        const expected = model[0] !== undefined && model[0].time <= time
          ? model.shift()!.item
          : undefined;
        assertStrictEquals(deadlines.pop(time), expected);
      }
      assertEquals(deadlines.size, model.length);
      assertStrictEquals(deadlines.first(), model[0]?.item);
      for (const known of items) {
        const in_ = model.some((m) => m.item === known);
        assertEquals(known.place >= 0, in_);
      }
    }
  }));
});
