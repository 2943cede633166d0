import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readDecimal } from "./decimal.ts";
import { octets } from "./words.ts";

/** Reads a text that stands between other digits. */
function read(text: string, most = Number.MAX_SAFE_INTEGER): number {
  const bytes = octets(`77${text}77`);
  return readDecimal(bytes, 2, bytes.length - 2, most);
}

Deno.test("readDecimal() reads what String() writes, up to the most", () => {
  for (const number of [0, 1, 9, 10, 255, 65_535, 65_536, 2 ** 31, 2 ** 32, 999_999_999_999_999]) {
    assertEquals(read(String(number)), number);
    assertEquals(read(String(number), number), number);
    assertEquals(read(String(number), number - 1), -1);
  }
  fc.assert(fc.property(fc.nat(), (number) => assertEquals(read(String(number)), number)));
});

Deno.test("readDecimal() takes digits alone", () => {
  const refused = [
    "",
    "-1",
    "+1",
    " 1",
    "1 ",
    "1.0",
    "1e3",
    "0x10",
    "ten",
    "1_000",
    "१",
    "²",
    "\0",
  ];
  for (const text of refused) assertEquals(read(text), -1, JSON.stringify(text));
  for (const text of ["00", "01", "007"]) assertEquals(read(text), -1, text);
  for (let octet = 0; octet < 256; octet++) {
    const isDigit = octet >= 48 && octet <= 57;
    const bytes = new Uint8Array([49, octet]);
    assertEquals(readDecimal(bytes, 0, 2, 1_000), isDigit ? 10 + octet - 48 : -1);
  }
});

Deno.test("readDecimal() refuses a number too long to be exact", () => {
  assertEquals(read("9".repeat(15)), 999_999_999_999_999);
  for (const digits of [16, 17, 20, 400, 100_000]) {
    assertEquals(read("9".repeat(digits), Infinity), -1);
    assertEquals(read("1".repeat(digits), 1), -1);
  }
});

Deno.test("readDecimal() agrees with a pattern on any octets", () => {
  const digit = fc.integer({ min: 46, max: 59 });
  fc.assert(
    fc.property(fc.array(digit, { maxLength: 7 }), fc.nat(99_999), (octets, most) => {
      const text = String.fromCharCode(...octets);
      const legal = /^(0|[1-9][0-9]*)$/.test(text) && Number(text) <= most;
      assertEquals(read(text, most), legal ? Number(text) : -1);
    }),
    { numRuns: 2_000 },
  );
});
