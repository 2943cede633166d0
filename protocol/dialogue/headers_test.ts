import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { join } from "../../tests/conformance/vectors.ts";
import { ProtocolError } from "../errors.ts";
import { encodeMetadata, property, readMetadata } from "../zmtp/metadata.ts";
import { readDecimal } from "./decimal.ts";
import { HEADERS_BYTES, type JobHeaders, LONGEST_MS, readHeaders, withTimeout } from "./headers.ts";
import { octets } from "./words.ts";

const NONE: JobHeaders = { service: undefined, ttl: -1, timeout: -1, accept: false };

/** Headers of these names and texts. */
function encode(...pairs: (readonly [string, string])[]): Uint8Array {
  return encodeMetadata(pairs.map(([name, value]) => [name, octets(value)]));
}

/** Reads headers that stand between other octets. */
function read(headers: Uint8Array): JobHeaders | undefined {
  const bytes = join(octets("before"), headers, octets("behind"));
  return readHeaders(bytes, 6, 6 + headers.length);
}

/** Reads headers the slow way: all properties, then those that the broker knows. */
function readPlainly(headers: Uint8Array): JobHeaders | undefined {
  let properties;
  try {
    properties = readMetadata(headers, 0, headers.length);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
  const time = (value: Uint8Array | undefined) =>
    value === undefined ? -1 : readDecimal(value, 0, value.length, LONGEST_MS);
  const service = property(properties, "service");
  const [ttl, timeout] = [property(properties, "ttl"), property(properties, "timeout")];
  if (service !== undefined && (service.length === 0 || service.length > 255)) return undefined;
  if (ttl !== undefined && time(ttl) < 0) return undefined;
  if (timeout !== undefined && time(timeout) < 0) return undefined;
  const accept = property(properties, "accept") !== undefined;
  return { service, ttl: time(ttl), timeout: time(timeout), accept };
}

Deno.test("readHeaders() reads what the broker wants to know, and passes over the rest", () => {
  assertEquals(read(new Uint8Array()), NONE);
  const all = encode(
    ["service", "resize"],
    ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    ["ttl", "250"],
    ["timeout", "5000"],
    ["accept", ""],
  );
  const service = octets("resize");
  assertEquals(read(all), { service, ttl: 250, timeout: 5000, accept: true });
  assertEquals(read(encode(["x", "y"])), NONE);
  assertEquals(read(encode(["accept", "0"])), { ...NONE, accept: true });
});

Deno.test("readHeaders() takes names in any case, whole, and the last of each", () => {
  const mixed = encode(["SERVICE", "a"], ["TtL", "0"], ["tImEoUt", "1"], ["ACCEPT", "1"]);
  assertEquals(read(mixed), { service: octets("a"), ttl: 0, timeout: 1, accept: true });
  const others = [
    "services",
    "servic",
    "tt",
    "ttll",
    "time-out",
    "timeou",
    "accepted",
    "\x13ervice",
  ];
  for (const name of others) assertEquals(read(encode([name, "1"])), NONE, name);
  assertEquals(read(encode(["ttl", "ten"], ["ttl", "7"])), { ...NONE, ttl: 7 });
  assertEquals(read(encode(["ttl", "7"], ["TTL", "ten"])), undefined);
});

Deno.test("readHeaders() refuses times that aren't plain numbers within reason", () => {
  for (const name of ["ttl", "timeout"]) {
    for (const bad of ["", "-1", "1.5", "1e3", " 1", "01", "ten", String(LONGEST_MS + 1)]) {
      assertEquals(read(encode([name, bad])), undefined, `${name}=${bad}`);
    }
    assertEquals(read(encode([name, "0"])), { ...NONE, [name]: 0 });
    assertEquals(read(encode([name, String(LONGEST_MS)])), { ...NONE, [name]: LONGEST_MS });
  }
});

Deno.test("readHeaders() takes service names of 1 to 255 octets, whatever they are", () => {
  for (const length of [1, 2, 254, 255]) {
    const service = new Uint8Array(length).fill(0xff);
    assertEquals(read(encodeMetadata([["service", service]])), { ...NONE, service });
  }
  for (const length of [0, 256, 1_000]) {
    assertEquals(read(encodeMetadata([["service", new Uint8Array(length)]])), undefined);
  }
});

Deno.test("readHeaders() gives a service's name as a copy", () => {
  const bytes = encode(["service", "resize"]);
  const service = readHeaders(bytes, 0, bytes.length)?.service;
  bytes.fill(0);
  assertEquals(service, octets("resize"));
});

Deno.test("readHeaders() refuses every cut that isn't between two properties", () => {
  const first = encode(["ttl", "250"]);
  const whole = join(first, encode(["x", "some value"]));
  for (let end = 0; end <= whole.length; end++) {
    const legal = end === 0 || end === first.length || end === whole.length;
    assertEquals(readHeaders(whole, 0, end) !== undefined, legal, `cut at ${end}`);
  }
  assertEquals(read(new Uint8Array([0, 0, 0, 0, 0])), undefined);
  assertEquals(read(new Uint8Array([1, 97, 255, 255, 255, 255])), undefined);
  assertEquals(read(new Uint8Array([1, 97, 128, 0, 0, 0])), undefined);
});

Deno.test("readHeaders() refuses headers above the limit without looking at them", () => {
  const most = encodeMetadata([["x", new Uint8Array(HEADERS_BYTES - 6)]]);
  assertEquals(most.length, HEADERS_BYTES);
  assertEquals(read(most), NONE);
  assertEquals(read(encodeMetadata([["x", new Uint8Array(HEADERS_BYTES - 5)]])), undefined);
});

const anyName = fc.oneof(
  fc.constantFrom("service", "Service", "ttl", "TTL", "timeout", "TimeOut", "accept"),
  fc.string({ minLength: 1, maxLength: 10 }),
);

const anyValue = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.nat().map((number) => octets(String(number))),
);

const anyHeaders = fc.array(fc.tuple(anyName, anyValue), { maxLength: 8 }).map(encodeMetadata);

/** Legal headers with some octets changed, cut out or put in. */
const brokenHeaders = fc.tuple(anyHeaders, fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 }))
  .map(([headers, place, cut, put]) => {
    const at = place % (headers.length + 1);
    return join(headers.subarray(0, at), put, headers.subarray(at + cut));
  });

Deno.test("readHeaders() reads any octets as plain code does, and never throws", () => {
  const outcomes = { legal: 0, illegal: 0 };
  const anything = fc.oneof(anyHeaders, brokenHeaders, fc.uint8Array({ maxLength: 60 }));
  fc.assert(
    fc.property(anything, (headers) => {
      const found = read(headers);
      assertEquals(found, readPlainly(headers));
      outcomes[found === undefined ? "illegal" : "legal"]++;
    }),
    { numRuns: 5_000 },
  );
  assert(Math.min(outcomes.legal, outcomes.illegal) > 300, JSON.stringify(outcomes));
});

Deno.test("withTimeout() changes the timeout, and no octet of anything else", () => {
  const before = encode(["traceparent", "00-0a-b7-01"], ["SERVICE", "x"]);
  const behind = encode(["Baggage", "a=b"], ["Baggage", "c=d"]);
  const headers = join(before, encode(["TimeOut", "60000"]), behind);
  const bytes = join(octets("head"), headers, octets("tail"));
  for (const left of [0, 7, 59_999, LONGEST_MS]) {
    const changed = withTimeout(bytes, 4, 4 + headers.length, left);
    assertEquals(changed, join(before, encode(["timeout", String(left)]), behind));
  }
  assertEquals(bytes, join(octets("head"), headers, octets("tail")));
});

Deno.test("withTimeout() leaves headers without a timeout as they are, as a copy", () => {
  for (const headers of [new Uint8Array(), encode(["timeouts", "5"], ["ttl", "1"])]) {
    const changed = withTimeout(headers, 0, headers.length, 3);
    assertEquals(changed, headers);
    assert(changed.buffer !== headers.buffer);
  }
});

Deno.test("withTimeout() keeps every other property of any legal headers, to the octet", () => {
  let changes = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(anyName, anyValue), { maxLength: 8 }), fc.nat(), (all, left) => {
      const headers = encodeMetadata(all);
      if (readHeaders(headers, 0, headers.length) === undefined) return;
      const expected = all.map(([name, value]) => {
        const isTimeout = name.toLowerCase() === "timeout";
        if (isTimeout) changes++;
        return encodeMetadata([isTimeout ? ["timeout", octets(String(left))] : [name, value]]);
      });
      assertEquals(withTimeout(headers, 0, headers.length, left), join(...expected));
    }),
    { numRuns: 3_000 },
  );
  assert(changes > 100, `only ${changes} timeouts were changed`);
});

Deno.test("withTimeout() refuses headers that aren't legal", () => {
  const broken = octets("timeout");
  assertThrows(() => withTimeout(broken, 0, broken.length, 1), Error, "they aren't legal");
});
