import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  COMMAND,
  frameBytes,
  LONG,
  LONG_HEADER,
  MORE,
  RESERVED,
  SHORT_HEADER,
  writeFrameHeader,
} from "./frame.ts";
import { hex } from "../../tests/conformance/vectors.ts";

Deno.test("MORE, LONG, COMMAND and RESERVED share an octet and no bit", () => {
  assertEquals([MORE, LONG, COMMAND], [1, 2, 4]);
  assertEquals(MORE + LONG + COMMAND + RESERVED, 255);
});

Deno.test("frameBytes() counts 2 octets of header up to 255, then 9", () => {
  assertEquals([0, 1, 255, 256].map(frameBytes), [2, 3, 257, 265]);
});

Deno.test("writeFrameHeader() is SHORT up to 255 and LONG above", () => {
  const write = (flags: number, size: number) => {
    const bytes = new Uint8Array(12).fill(0xee);
    const end = writeFrameHeader(bytes, 1, flags, size);
    assertEquals(bytes[0], 0xee);
    assertEquals(bytes[end], 0xee);
    return bytes.slice(1, end);
  };
  assertEquals(write(0, 0), hex("0000"));
  assertEquals(write(MORE, 255), hex("01ff"));
  assertEquals(write(MORE, 256), hex("030000000000000100"));
  assertEquals(write(COMMAND, 5), hex("0405"));
  assertEquals(write(COMMAND, 300), hex("06000000000000012c"));
  assertEquals(write(0, 2 ** 31 - 1), hex("02000000007fffffff"));
});

Deno.test("writeFrameHeader() writes the size that a big-endian reader finds", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (size) => {
    const bytes = new Uint8Array(9).fill(0xee);
    const end = writeFrameHeader(bytes, 0, 0, size);
    const view = new DataView(bytes.buffer);
    const read = size > 255 ? Number(view.getBigUint64(1)) : bytes[1];
    assertEquals(read, size);
    assertEquals(end, size > 255 ? LONG_HEADER : SHORT_HEADER);
    assertEquals(end + size, frameBytes(size));
  }));
});
