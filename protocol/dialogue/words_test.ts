import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ViewMaker } from "../../tests/kit/messages.ts";
import { hex } from "../../tests/conformance/vectors.ts";
import * as words from "./words.ts";

const { frameOf, isWord, keyOf, octets, SIGNATURE, SIGNATURE_STEM } = words;

/** The words by the names that they are exported under. */
const ALL = Object.entries(words).filter((entry): entry is [string, Uint8Array] =>
  entry[1] instanceof Uint8Array
);

const maker = new ViewMaker();

Deno.test("every word is the ASCII of its own name", () => {
  const names = ALL.map(([name]) => name).filter((name) => name !== "SIGNATURE");
  assertEquals(names.length, 19);
  for (const [name, word] of ALL) {
    if (name !== "SIGNATURE") assertEquals(new TextDecoder().decode(word), name);
  }
});

Deno.test("SIGNATURE is an octet 0, ROTA and the version", () => {
  assertEquals(SIGNATURE, hex("00 52 4f 54 41 01"));
  assertEquals(SIGNATURE.subarray(0, SIGNATURE_STEM), hex("00 52 4f 54 41"));
});

Deno.test("isWord() is true of that word alone, in whatever frame it stands", () => {
  const frames = ALL.map(([, word]) => word);
  maker.with(frames, (view) => {
    frames.forEach((_, index) => {
      for (const [other, word] of frames.entries()) {
        assertEquals(isWord(view, index, word), index === other);
      }
    });
  });
});

Deno.test("isWord() is false of a word cut short, made longer, or changed in one octet", () => {
  for (const [, word] of ALL) {
    const others = [
      word.subarray(0, word.length - 1),
      word.subarray(1),
      new Uint8Array([...word, 0]),
      new Uint8Array([...word, ...word]),
      new Uint8Array(),
      ...Array.from(word, (octet, i) => word.with(i, octet ^ 0x20)),
    ];
    // What follows in the buffer may well go on as the word does.
    maker.with([...others, word], (view) => {
      others.forEach((_, index) => assertEquals(isWord(view, index, word), false));
    });
  }
});

Deno.test("frameOf() gives a copy of one frame", () => {
  const frames = [octets("one"), new Uint8Array(), octets("three")];
  let copies: Uint8Array[] = [];
  maker.with(frames, (view) => copies = frames.map((_, i) => frameOf(view, i)));
  assertEquals(copies, frames);
});

Deno.test("keyOf() gives different octets different keys, and never a decimal string", () => {
  const some = fc.uint8Array({ maxLength: 4 });
  fc.assert(
    fc.property(some, some, (a, b) => {
      const same = a.length === b.length && a.every((octet, i) => octet === b[i]);
      assertEquals(keyOf(a) === keyOf(b), same);
      assert(keyOf(a).startsWith("k"));
    }),
    { numRuns: 1_000 },
  );
  const every = new Uint8Array(256).map((_, i) => i);
  assertEquals(new Set(Array.from(every, (_, i) => keyOf(every, i, i + 1))).size, 256);
});

Deno.test("keyOf() takes a part of a buffer as it takes a copy of it", () => {
  const bytes = octets("0123456789");
  assertEquals(keyOf(bytes, 3, 7), keyOf(octets("3456")));
  assertEquals(keyOf(bytes, 3), keyOf(octets("3456789")));
  assertEquals(keyOf(bytes, 5, 5), keyOf(new Uint8Array()));
});
