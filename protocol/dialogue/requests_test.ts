import { assertEquals, assertThrows } from "@std/assert";
import { HEADERS_BYTES, readHeaders } from "./headers.ts";
import {
  addTimeout,
  cancelFrames,
  creditFrames,
  encodeHeaders,
  requestFrames,
} from "./requests.ts";
import { octets, SIGNATURE } from "./words.ts";

const ID = new Uint8Array(16).fill(7);

Deno.test("encodeHeaders() writes what readHeaders() reads, and no octet for no header", () => {
  const bytes = encodeHeaders([["service", "imagés"], ["ttl", "5"], ["accept", "1"], ["x", ""]]);
  assertEquals(readHeaders(bytes, 0, bytes.length), {
    service: octets("imagés"),
    ttl: 5,
    timeout: -1,
    accept: true,
  });
  assertEquals(encodeHeaders([]).length, 0);
});

Deno.test("encodeHeaders() refuses names of no octet, and of more than 255, counted as UTF-8", () => {
  for (const name of ["", "x".repeat(256), "é".repeat(128)]) {
    assertThrows(() => encodeHeaders([[name, "v"]]), TypeError, "1 to 255 octets");
  }
  for (const name of ["x", "x".repeat(255), "é".repeat(127)]) {
    const bytes = encodeHeaders([[name, "v"]]);
    assertEquals(bytes[0], octets(name).length);
    assertEquals(readHeaders(bytes, 0, bytes.length)?.accept, false);
  }
});

Deno.test("encodeHeaders() refuses more than a broker reads, a timeout's octets included", () => {
  const room = HEADERS_BYTES - 64 - 6;
  const most = encodeHeaders([["x", "v".repeat(room)]]);
  const all = addTimeout(most, 1e9);
  assertEquals(readHeaders(all, 0, all.length)?.timeout, 1e9);
  assertThrows(() => encodeHeaders([["x", "v".repeat(room + 1)]]), RangeError, "65472");
});

Deno.test("addTimeout() puts the time behind other headers, or stands alone", () => {
  const both = addTimeout(encodeHeaders([["service", "s"]]), 1500);
  assertEquals(readHeaders(both, 0, both.length)?.timeout, 1500);
  assertEquals(readHeaders(both, 0, both.length)?.service, octets("s"));
  const alone = addTimeout(encodeHeaders([]), 0);
  assertEquals(readHeaders(alone, 0, alone.length)?.timeout, 0);
});

Deno.test("requestFrames(), cancelFrames() and creditFrames() stand behind a delimiter", () => {
  const empty = new Uint8Array(0);
  assertEquals(requestFrames("STREAM", ID, octets("do"), empty, [octets("a"), octets("b")]), [
    empty,
    SIGNATURE,
    octets("STREAM"),
    ID,
    octets("do"),
    empty,
    octets("a"),
    octets("b"),
  ]);
  assertEquals(cancelFrames(ID), [empty, SIGNATURE, octets("CANCEL"), ID]);
  assertEquals(creditFrames(ID, 16), [empty, SIGNATURE, octets("CREDIT"), ID, octets("16")]);
});
