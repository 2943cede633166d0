import { assertEquals, assertThrows } from "@std/assert";
import { ArgumentError, Dealer, SocketError } from "../mod.ts";
import { FIXED_OPTIONS } from "./options.ts";

Deno.test("an option that Deno can't set is taken with its one value, as option and as property", async () => {
  await using dealer = new Dealer(FIXED_OPTIONS);
  for (const [name, value] of Object.entries(FIXED_OPTIONS)) {
    Reflect.set(dealer, name, value);
    assertEquals(Reflect.get(dealer, name), value);
  }
});

Deno.test("an option that Deno can't set is refused with any other value", async () => {
  await using dealer = new Dealer();
  for (const [name, value] of Object.entries(FIXED_OPTIONS)) {
    const other = value === true ? false : 1;
    for (
      const set of [() => new Dealer({ [name]: other }), () => Reflect.set(dealer, name, other)]
    ) {
      const error = assertThrows(set, SocketError, `Cannot set ${name}`);
      assertEquals(error.code, "EINVAL");
    }
  }
});

Deno.test("an option that nobody knows is a TypeError with code EINVAL, inherited names too", () => {
  for (const name of ["curveSecretKey", "constructor", "toString"]) {
    const error = assertThrows(() => new Dealer({ [name]: 1 }), ArgumentError, name);
    assertEquals(error.code, "EINVAL");
  }
});
