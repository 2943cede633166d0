import { assertEquals, assertThrows } from "@std/assert";
import { ArgumentError, Dealer, SocketError } from "../mod.ts";
import {
  checkOption,
  checkRoutingId,
  defaultOptions,
  FIXED_OPTIONS,
  type OptionValues,
} from "./options.ts";

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

Deno.test("checkOption() takes whole numbers from 0, or from -1 where that means for ever", () => {
  const fromMinusOne = ["sendTimeout", "receiveTimeout", "linger", "heartbeatTimeout"];
  fromMinusOne.push("maxMessageSize", "reconnectInterval", "tcpKeepalive");
  const greatest: { [name: string]: number } = { heartbeatTimeToLive: 6_553_599, tcpKeepalive: 1 };
  for (const [name, value] of Object.entries(defaultOptions())) {
    if (typeof value !== "number") continue;
    const option = name as keyof OptionValues;
    const least = fromMinusOne.includes(name) ? -1 : 0;
    const most = greatest[name] ?? 2 ** 31 - 1;
    for (const good of [least, 0, 1, most]) assertEquals(checkOption(option, good), good);
    for (const bad of [least - 1, most + 1, 0.5, NaN, Infinity, "1", null, true, 1n]) {
      const error = assertThrows(
        () => checkOption(option, bad),
        ArgumentError,
        `Cannot set ${name}`,
      );
      assertEquals(error.code, "EINVAL");
    }
  }
});

Deno.test("checkOption() takes true and false where that is the question", () => {
  for (const [name, value] of Object.entries(defaultOptions())) {
    if (typeof value !== "boolean") continue;
    const option = name as keyof OptionValues;
    for (const good of [true, false]) assertEquals(checkOption(option, good), good);
    for (const bad of [0, 1, "true", null]) {
      assertEquals(assertThrows(() => checkOption(option, bad), ArgumentError).code, "EINVAL");
    }
  }
});

Deno.test("checkRoutingId() takes 1 to 255 octets that don't start with 0, and copies them", () => {
  const octets = new Uint8Array([1, 0, 2]);
  const id = checkRoutingId(octets)!;
  octets.fill(9);
  assertEquals([...id], [1, 0, 2]);
  assertEquals(checkRoutingId("é")!.length, 2);
  for (const none of [null, undefined, "", new Uint8Array()]) {
    assertEquals(checkRoutingId(none), null);
  }
  assertEquals(checkRoutingId("x".repeat(255))!.length, 255);
  for (const bad of ["x".repeat(256), "é".repeat(128), "\0a", new Uint8Array(5), 7, [65], {}]) {
    assertEquals(assertThrows(() => checkRoutingId(bad), ArgumentError).code, "EINVAL");
  }
});

Deno.test("defaultOptions() gives a fresh object each time, with the values that are promised", () => {
  const options = defaultOptions();
  options.linger = 0;
  assertEquals([defaultOptions().linger, options.sendHighWaterMark], [-1, 1000]);
  const { heartbeatInterval, heartbeatTimeToLive, heartbeatTimeout } = options;
  assertEquals([heartbeatInterval, heartbeatTimeToLive, heartbeatTimeout], [0, 0, -1]);
  assertEquals([options.reconnectInterval, options.handshakeInterval], [100, 30_000]);
});
