import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { octets } from "../../protocol/dialogue/words.ts";
import { DEFAULT_SERVICE, type Service, Services } from "./services.ts";

function namesOf(services: Services): string[] {
  return [...services].map(({ name }) => new TextDecoder().decode(name));
}

Deno.test("Services.named() gives the same service for the same octets", () => {
  const services = new Services(10);
  const bytes = octets("resize");
  const resize = services.named(bytes)!;
  bytes.fill(0);
  assertEquals(resize.name, octets("resize"));
  assertStrictEquals(services.named(octets("resize")), resize);
  assertStrictEquals(services.at(resize.index), resize);
  assertNotStrictEquals(services.named(octets("Resize")), resize);
  assertStrictEquals(services.named(DEFAULT_SERVICE), services.main);
  assertStrictEquals(services.at(0), services.main);
  assertEquals(namesOf(services), ["default", "resize", "Resize"]);
});

Deno.test("Services.named() takes any octets for a name, such as __proto__", () => {
  const services = new Services(1_000);
  const names = ["__proto__", "constructor", "toString", "0", "1", "k", "kk"].map(octets);
  names.push(new Uint8Array([0]), new Uint8Array([0, 0]), new Uint8Array([255]));
  names.push(new Uint8Array([0xc3, 0xbf]), new Uint8Array(255).fill(7));
  const made = names.map((name) => services.named(name)!);
  assertEquals(new Set(made.map(({ index }) => index)).size, names.length);
  names.forEach((name, i) => {
    assertStrictEquals(services.named(name), made[i]);
    assertEquals(made[i]!.name, name);
  });
});

Deno.test("Services.named() refuses one more than the limit, the default one counted", () => {
  for (const most of [0, 1, 2, 5]) {
    const services = new Services(most);
    for (let i = 1; i < most; i++) services.named(octets(`s${i}`))!.users++;
    assertEquals(services.named(octets("x")), undefined);
    assertEquals(services.named(octets("s1"))?.users, most > 1 ? 1 : undefined);
    assertStrictEquals(services.named(DEFAULT_SERVICE), services.main);
    assertEquals([...services].length, Math.max(most, 1));
  }
});

Deno.test("Services gives indexes that fit 16 bits, however high the limit is", () => {
  const services = new Services(Infinity);
  let made = 1;
  for (; services.named(octets(`s${made}`)) !== undefined; made++) {
    services.named(octets(`s${made}`))!.users++;
  }
  assertEquals(made, 65_535);
  for (const { index } of services) assert(index <= 65_535);
});

Deno.test("Services.named() forgets what was idle for longest, and uses its index again", () => {
  const services = new Services(4);
  const [a, b, c] = ["a", "b", "c"].map((name) => services.named(octets(name))!);
  a!.users++;
  b!.users++;
  a!.users--;
  const d = services.named(octets("d"))!;
  assertEquals(d.index, c!.index);
  assertEquals(namesOf(services).toSorted(), ["a", "b", "d", "default"]);
  d.users++;
  assertEquals(services.named(octets("e"))!.index, a!.index);
  assertEquals(namesOf(services).toSorted(), ["b", "d", "default", "e"]);
  assertStrictEquals(services.at(b!.index), b);
});

Deno.test("Services.allNamed() keeps what it has found while it makes room for the rest", () => {
  const services = new Services(4);
  for (const name of ["x", "y", "z"]) services.named(octets(name));
  const names = ["a", "b", "a", "c"].map(octets);
  const found = services.allNamed(names)!;
  assertEquals(found.map(({ name }) => name), ["a", "b", "c"].map(octets));
  assertEquals(found.map(({ users }) => users), [0, 0, 0]);
  for (const service of found) assertStrictEquals(services.at(service.index), service);
  assertEquals(namesOf(services).toSorted(), ["a", "b", "c", "default"]);
  assertEquals(services.allNamed([]), []);
});

Deno.test("Services.allNamed() refuses too many, and leaves none of them in use", () => {
  const services = new Services(4);
  const used = services.named(octets("used"))!;
  used.users++;
  assertEquals(services.allNamed(["a", "used", "b", "c"].map(octets)), undefined);
  assertEquals([...services].map(({ users }) => users).toSorted(), [0, 0, 0, 1]);
  assertEquals(services.allNamed(["c", "d"].map(octets))?.length, 2);
  assertStrictEquals(services.named(octets("used")), used);
});

Deno.test("Service.users can't fall below 0", () => {
  const services = new Services(4);
  assertThrows(() => services.main.users--, Error, "nobody uses it");
  const other = services.named(octets("other"))!;
  assertThrows(() => other.users--, Error, "nobody uses it");
  assertEquals([services.main.users, other.users], [0, 0]);
});

const anyStep = fc.record({
  verb: fc.constantFrom("use", "use", "use", "leave", "look", "several"),
  name: fc.nat(11),
  others: fc.array(fc.nat(11), { maxLength: 4 }),
});

Deno.test("Services never forgets one in use, and refuses only when all are", () => {
  const steps = fc.array(anyStep, { maxLength: 120, size: "max" });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), steps, (most, steps) => {
      const services = new Services(most);
      const used = new Map<number, Service>();
      const nameOf = (name: number): Uint8Array => octets(`name${name}`);
      for (const { verb, name, others } of steps) {
        if (verb === "leave") {
          const service = used.get(name);
          if (service !== undefined && --service.users === 0) used.delete(name);
        } else if (verb === "several") {
          const found = services.allNamed(others.map(nameOf));
          const all = new Set([...used.keys(), ...others]);
          assertEquals(found === undefined, all.size >= most && others.some((n) => !used.has(n)));
        } else {
          const service = services.named(nameOf(name));
          assertEquals(service === undefined, used.size >= most - 1 && !used.has(name));
          if (service !== undefined && verb === "use") {
            service.users++;
            used.set(name, service);
          }
        }
        assert([...services].length <= most);
        for (const [name, service] of used) {
          assertStrictEquals(services.at(service.index), service);
          assertStrictEquals(services.named(nameOf(name)), service);
        }
      }
    }),
    { numRuns: 500 },
  );
});
