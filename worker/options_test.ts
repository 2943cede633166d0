// Options of a worker: what holds unless told, and a clear error for each thing that is no good.

import { assertEquals, assertThrows } from "@std/assert";
import { checkWorkerOptions, type WorkerOptions } from "./options.ts";

const MODULE = new URL("./handlers.ts", import.meta.url);

Deno.test("checkWorkerOptions() gives every option a value", () => {
  assertEquals(checkWorkerOptions({}), {
    broker: "tcp://127.0.0.1:5556",
    dialect: "register",
    services: [],
    address: undefined,
    handlers: {},
    defaultHandler: undefined,
    module: undefined,
    manual: false,
    slots: 10,
    threads: 0,
    heartbeat: 1000,
    brokerTimeout: 1000,
    timeouts: 3,
    drain: 10_000,
    debug: 0,
  });
});

Deno.test("checkWorkerOptions() takes what is given, times in milliseconds and services once", () => {
  const hello = () => "hello";
  const given = checkWorkerOptions({
    broker: "tcp://localhost:1",
    handlers: { hello },
    defaultHandler: hello,
    slots: 65_535,
    services: ["a", "b", "a"],
    address: "é".repeat(127),
    manual: true,
    heartbeatSeconds: 0.5,
    brokerTimeoutSeconds: 2,
    timeouts: 1,
    drainSeconds: 0,
    debug: 5,
  });
  const { broker, slots, services, heartbeat, brokerTimeout, timeouts, drain, debug } = given;
  assertEquals([broker, slots, services], ["tcp://localhost:1", 65_535, ["a", "b"]]);
  assertEquals([heartbeat, brokerTimeout, timeouts, drain, debug], [500, 2000, 1, 0, 5]);
  assertEquals([given.handlers, given.defaultHandler, given.manual], [{ hello }, hello, true]);
});

Deno.test("checkWorkerOptions() gives a READY worker one slot, and threads their module", () => {
  assertEquals(checkWorkerOptions({ dialect: "ready" }).slots, 1);
  const { module, threads } = checkWorkerOptions({ handlers: MODULE, threads: 2 });
  assertEquals([module, threads], [MODULE.href, 2]);
  assertEquals(checkWorkerOptions({ handlers: MODULE.href, threads: 1 }).module, MODULE.href);
});

const bad = (options: unknown) => options as WorkerOptions;

for (
  const [options, type, words] of [
    [{ broker: "127.0.0.1:5556" }, TypeError, "tcp://"],
    [{ broker: "tcp://127.0.0.1:*" }, TypeError, "port"],
    [bad({ slot: 1 }), TypeError, "a worker has no option slot"],
    [{ slots: 0 }, RangeError, "slots is a whole number, 1 to 65535, not 0"],
    [{ slots: 65_536 }, RangeError, "slots is a whole number, 1 to 65535, not 65536"],
    [{ slots: 1.5 }, RangeError, "slots is a whole number, 1 to 65535, not 1.5"],
    [bad({ slots: "ten" }), TypeError, "slots is a whole number, 1 to 65535"],
    [{ slots: NaN }, TypeError, "slots is a whole number"],
    [{ threads: -1, handlers: MODULE }, RangeError, "threads is a whole number, 0 to 1024"],
    [{ heartbeatSeconds: 0 }, RangeError, "heartbeatSeconds is a number, 0.001 to 1000000, not 0"],
    [{ brokerTimeoutSeconds: -1 }, RangeError, "brokerTimeoutSeconds is a number"],
    [{ timeouts: 0 }, RangeError, "timeouts is a whole number, 1 to 1000"],
    [{ drainSeconds: Infinity }, RangeError, "drainSeconds is a number, 0 to 1000000"],
    [{ debug: 6 }, RangeError, "debug is a whole number, 0 to 5"],
    [bad({ manual: 1 }), TypeError, "manual is true or false"],
    [bad({ dialect: "READY" }), TypeError, "dialect is register or ready"],
    [{ dialect: "ready", slots: 2 }, RangeError, "a READY worker has one slot"],
    [{ dialect: "ready", services: ["a"] }, TypeError, "a READY worker names no services"],
    [{ dialect: "ready", address: "\0x" }, TypeError, "doesn't begin with an octet 0"],
    [bad({ services: "resize" }), TypeError, "services is an array of names"],
    [{ services: [""] }, TypeError, "the service is text of 1 to 255 octets"],
    [{ services: ["x".repeat(256)] }, TypeError, "the service is text of 1 to 255 octets"],
    [{ address: "" }, TypeError, "the address is text of 1 to 255 octets"],
    [{ address: "é".repeat(128) }, TypeError, "the address is text of 1 to 255 octets"],
    [bad({ handlers: { a: 1 } }), TypeError, "the handler a is not a function"],
    [bad({ handlers: [] }), TypeError, "handlers is an object of functions"],
    [bad({ handlers: { ["x".repeat(256)]: () => 1 } }), TypeError, "1 to 255 octets"],
    [bad({ handlers: { "": () => 1 } }), TypeError, "1 to 255 octets"],
    [bad({ defaultHandler: "x" }), TypeError, "defaultHandler is a function"],
    [{ handlers: MODULE }, TypeError, "a module of handlers needs threads"],
    [{ handlers: { a: () => 1 }, threads: 1 }, TypeError, "functions can't cross to threads"],
    [{ threads: 1 }, TypeError, "functions can't cross to threads"],
    [{ handlers: "./handlers.ts", threads: 1 }, TypeError, "import.meta.url"],
    [
      { handlers: MODULE, threads: 1, defaultHandler: () => 1 },
      TypeError,
      "the module's export named defaultHandler",
    ],
  ] satisfies [WorkerOptions, typeof TypeError | typeof RangeError, string][]
) {
  Deno.test(`checkWorkerOptions() refuses it: ${words} (${Object.keys(options)})`, () => {
    const error = assertThrows(() => checkWorkerOptions(options), type, words);
    assertEquals(error.message.startsWith("Cannot "), true, error.message);
  });
}
