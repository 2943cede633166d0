import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ProtocolError } from "../errors.ts";
import { encodeGreeting, GREETING_BYTES, readGreeting } from "./greeting.ts";
import {
  CURVE_FIELD,
  DEALER_GREETING,
  hex,
  join,
  OUR_GREETING,
  PLAIN_FIELD,
  ROUTER_GREETING,
  ZMTP2_GREETING,
} from "../../tests/conformance/vectors.ts";

function faultOf(bytes: Uint8Array): string {
  return assertThrows(
    () => readGreeting(bytes, 0, bytes.length, "NULL"),
    ProtocolError,
  ).fault;
}

Deno.test("encodeGreeting() gives 64 octets of version 3.1 with zero padding", () => {
  assertEquals(encodeGreeting("NULL"), OUR_GREETING);
  assertEquals(encodeGreeting("NULL").length, GREETING_BYTES);
});

Deno.test("encodeGreeting() sets the as-server octet when told", () => {
  const bytes = encodeGreeting("CURVE", true);
  assertEquals(bytes[32], 1);
  assertEquals(bytes.subarray(12, 32), CURVE_FIELD);
  assertEquals(bytes.subarray(33), new Uint8Array(31));
});

Deno.test("readGreeting() reads what libzmq sends", () => {
  for (const greeting of [ROUTER_GREETING, DEALER_GREETING]) {
    assertEquals(readGreeting(greeting, 0, 64, "NULL"), { major: 3, minor: 1 });
  }
});

Deno.test("readGreeting() asks for more at every length below 64", () => {
  for (let end = 0; end < 64; end++) {
    assertEquals(readGreeting(ROUTER_GREETING, 0, end, "NULL"), undefined);
  }
});

Deno.test("readGreeting() minds neither what stands before nor what trails", () => {
  const bytes = join(hex("aa*7"), ROUTER_GREETING, hex("bb*9"));
  for (let end = 7; end < 71; end++) {
    assertEquals(readGreeting(bytes, 7, end, "NULL"), undefined);
  }
  for (let end = 71; end <= bytes.length; end++) {
    assertEquals(readGreeting(bytes, 7, end, "NULL"), { major: 3, minor: 1 });
  }
});

Deno.test("readGreeting() blames the peer at the first octet that is wrong", () => {
  assertEquals(faultOf(hex("00")), "greeting");
  assertEquals(faultOf(new TextEncoder().encode("GET / HTTP")), "greeting");
  assertEquals(faultOf(hex("ff 00*8 7e")), "greeting");
  assertEquals(faultOf(ZMTP2_GREETING), "version");
  assertEquals(faultOf(hex("ff 00*8 7f 00")), "version");
  assertEquals(faultOf(hex("ff 00*8 7f 02")), "version");
  assertEquals(faultOf(hex("ff 00*8 7f 0301 50")), "mechanism");
});

Deno.test("readGreeting() wants all 20 octets of the mechanism equal", () => {
  const fields = [PLAIN_FIELD, CURVE_FIELD, hex("4e554c 00*17")];
  fields.push(hex("4e554c4c4c 00*15"), hex("4e554c4c 00*15 01"));
  fields.push(hex("6e756c6c 00*16"));
  for (const field of fields) {
    assertEquals(faultOf(join(hex("ff 00*8 7f 0301"), field)), "mechanism");
  }
});

Deno.test("readGreeting() takes later versions, any padding, as-server and filler", () => {
  fc.assert(fc.property(
    fc.uint8Array({ minLength: 64, maxLength: 64 }),
    fc.integer({ min: 3, max: 255 }),
    (noise, major) => {
      const bytes = noise.slice();
      bytes[0] = 0xff;
      bytes[9] = noise[9]! | 1;
      bytes[10] = major;
      bytes.set(hex("4e554c4c 00*16"), 12);
      assertEquals(readGreeting(bytes, 0, 64, "NULL"), {
        major,
        minor: bytes[11]!,
      });
    },
  ));
});

Deno.test("readGreeting() blames the peer at one octet and at every longer cut, or never", () => {
  const octet = fc.tuple(fc.nat(63), fc.nat(255));
  fc.assert(fc.property(fc.array(octet, { maxLength: 2 }), (changes) => {
    const bytes = ROUTER_GREETING.slice();
    for (const [at, value] of changes) bytes[at] = value;
    const verdicts: string[] = [];
    for (let end = 0; end <= 64; end++) {
      try {
        verdicts.push(readGreeting(bytes, 0, end, "NULL") === undefined ? "more" : "whole");
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        verdicts.push(error.fault);
      }
    }
    const last = verdicts.at(-1)!;
    const first = verdicts.indexOf(last);
    assertEquals(verdicts.slice(0, first).every((it) => it === "more"), true);
    // An earlier octet may be judged first, so that only the blame itself must stay.
    assertEquals(verdicts.slice(first).includes("more"), false);
    assertEquals(last === "whole", first === 64);
  }));
});
