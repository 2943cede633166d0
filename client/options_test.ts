import { assertEquals, assertThrows } from "@std/assert";
import { readHeaders } from "../protocol/dialogue/headers.ts";
import { checkBrokers, checkName, checkTime, checkWindow, headersOf } from "./options.ts";

Deno.test("checkBrokers() takes one endpoint or several, and none that can't be connected to", () => {
  assertEquals(checkBrokers({}), ["tcp://127.0.0.1:5555"]);
  assertEquals(checkBrokers({ broker: "tcp://h:1" }), ["tcp://h:1"]);
  assertEquals(checkBrokers({ broker: ["tcp://h:1", "tcp://h:2"] }), ["tcp://h:1", "tcp://h:2"]);
  assertThrows(() => checkBrokers({ broker: [] }), TypeError, "there is no broker");
  for (const broker of ["h:1", "tcp://h:*", "tcp://h", "ipc://x"]) {
    assertThrows(() => checkBrokers({ broker }), Error, "Cannot connect");
  }
});

Deno.test("checkTime() takes milliseconds; what headers can't tell is for ever", () => {
  assertEquals(checkTime("timeout", undefined, 7), 7);
  assertEquals([0, 1.5, 1e9].map((it) => checkTime("timeout", it, 7)), [0, 1.5, 1e9]);
  assertEquals([1e9 + 1, Infinity].map((it) => checkTime("ttl", it, 7)), [Infinity, Infinity]);
  for (const value of [-1, NaN, "5", null]) {
    assertThrows(() => checkTime("ttl", value, 7), RangeError, "ttl is a number of milliseconds");
  }
});

Deno.test("checkWindow() takes 1 to 1,000,000", () => {
  assertEquals([checkWindow({}), checkWindow({ window: 1 })], [16, 1]);
  for (const window of [0, 1.5, 1_000_001, NaN]) {
    assertThrows(() => checkWindow({ window }), RangeError, "Cannot stream: window is");
  }
});

Deno.test("checkName() takes 1 to 255 octets of text", () => {
  assertEquals(checkName("command", "é").length, 2);
  for (const name of ["", "é".repeat(128), 5, undefined]) {
    assertThrows(() => checkName("command", name), TypeError, "the name of a command is text");
  }
});

Deno.test("headersOf() writes the broker's own headers from options, and yours as they are", () => {
  const bytes = headersOf({ service: "s", ttl: 1.2, headers: { traceparent: "00-1" } }, true);
  const { service, ...rest } = readHeaders(bytes, 0, bytes.length)!;
  assertEquals([service?.length, rest], [1, { ttl: 2, timeout: -1, accept: true }]);
  assertEquals(headersOf({}, false).length, 0);
  assertEquals(headersOf({ ttl: Infinity }, false).length, 0);
});

Deno.test("headersOf() refuses the broker's own names among yours, bad names and bad values", () => {
  for (const name of ["service", "TTL", "Timeout", "accept"]) {
    assertThrows(() => headersOf({ headers: { [name]: "x" } }, false), TypeError, "use the option");
  }
  assertThrows(() => headersOf({ headers: { "": "x" } }, false), TypeError, "1 to 255 octets");
  assertThrows(() => headersOf({ headers: { ["é".repeat(128)]: "x" } }, false), TypeError);
  const headers = { x: 5 as unknown as string };
  assertThrows(() => headersOf({ headers }, false), TypeError, "x is a text, not number");
  assertThrows(() => headersOf({ service: "" }, false), TypeError, "a service");
});
