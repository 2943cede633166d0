import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ProtocolError } from "../errors.ts";
import { encodeMetadata, property, readMetadata } from "./metadata.ts";
import { hex, join, text } from "../../tests/conformance/vectors.ts";

const WIRE = hex(
  "0b536f636b65742d54797065 00000006 4445414c4552 084964656e74697479 00000000",
);

function refused(bytes: Uint8Array): void {
  const error = assertThrows(
    () => readMetadata(bytes, 0, bytes.length),
    ProtocolError,
  );
  assertEquals(error.fault, "metadata");
}

Deno.test("encodeMetadata() writes names as given, as libzmq does", () => {
  const properties = [
    ["Socket-Type", text("DEALER")],
    ["Identity", new Uint8Array()],
  ] as const;
  assertEquals(encodeMetadata(properties), WIRE);
  assertEquals(encodeMetadata([]), new Uint8Array());
});

Deno.test("readMetadata() reads what libzmq sends, wherever it stands", () => {
  const bytes = join(hex("ee*3"), WIRE, hex("ee*300"));
  const found = readMetadata(bytes, 3, 3 + WIRE.length);
  assertEquals(property(found, "Socket-Type"), text("DEALER"));
  assertEquals(property(found, "Identity"), new Uint8Array());
  assertEquals(found.size, 2);
});

Deno.test("readMetadata() refuses every cut that isn't between two properties", () => {
  const border = WIRE.length - 13;
  for (let end = 0; end <= WIRE.length; end++) {
    if (end === 0 || end === border || end === WIRE.length) {
      readMetadata(WIRE, 0, end);
    } else {
      refused(WIRE.slice(0, end));
    }
  }
});

Deno.test("readMetadata() refuses leftover octets, no name and an overlong value", () => {
  for (let octet = 0; octet < 256; octet++) {
    refused(join(WIRE, new Uint8Array([octet])));
  }
  refused(hex("00 00000000"));
  refused(hex("0161 00000002 62"));
  refused(hex("0161 ffffffff 62"));
  refused(hex("0161 80000000 62"));
  refused(hex("ff 61*254 00000000"));
});

Deno.test("property() finds a name whatever its case; the last of its name counts", () => {
  const bytes = encodeMetadata([
    ["IDENTITY", text("one")],
    ["socket-type", text("REQ")],
    ["identity", text("two")],
  ]);
  const found = readMetadata(bytes, 0, bytes.length);
  assertEquals(property(found, "Identity"), text("two"));
  assertEquals(property(found, "Socket-Type"), text("REQ"));
  assertEquals(property(found, "Resource"), undefined);
});

Deno.test("property() treats __proto__ and constructor as names like others", () => {
  const bytes = encodeMetadata([["__proto__", text("x")]]);
  const found = readMetadata(bytes, 0, bytes.length);
  assertEquals(property(found, "__proto__"), text("x"));
  assertEquals(property(found, "constructor"), undefined);
});

Deno.test("readMetadata() copies values: the input may change afterwards", () => {
  const bytes = WIRE.slice();
  const found = readMetadata(bytes, 0, bytes.length);
  bytes.fill(0);
  assertEquals(property(found, "Socket-Type"), text("DEALER"));
});

Deno.test("readMetadata() gives back what encodeMetadata() was given", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,254}$/);
  const entry = fc.tuple(name, fc.uint8Array({ maxLength: 400 }));
  fc.assert(fc.property(
    fc.uniqueArray(entry, { selector: ([key]) => key, maxLength: 8 }),
    (entries) => {
      const bytes = encodeMetadata(entries);
      const found = readMetadata(bytes, 0, bytes.length);
      assertEquals(found.size, entries.length);
      for (const [key, value] of entries) {
        assertEquals(property(found, key), new Uint8Array(value));
      }
    },
  ));
});

Deno.test("readMetadata() either reads or blames the peer, whatever comes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
    try {
      readMetadata(bytes, 0, bytes.length);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      assertEquals(error.fault, "metadata");
    }
  }));
});
