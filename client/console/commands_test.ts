import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../terminal/options.ts";
import { BENCH, BULKDATA, BULKPING } from "./bulk.ts";
import { readCall } from "./calls.ts";
import { COMMANDS, complete, readCommand } from "./commands.ts";
import { readParameters } from "./parameters.ts";

Deno.test("readParameters() takes numbers in order, by name, and what holds without them", () => {
  assertEquals(readParameters("bulkping", "100", BULKPING), { n: 100, parallel: 10 });
  assertEquals(readParameters("bulkping", "5 2", BULKPING), { n: 5, parallel: 2 });
  assertEquals(readParameters("bulkping", " parallel=3   7", BULKPING), { parallel: 3, n: 7 });
  assertEquals(readParameters("bulkdata", "9 parallel=1 bytes=64KiB", BULKDATA), {
    n: 9,
    parallel: 1,
    bytes: 65_536,
  });
  assertEquals(readParameters("bench", "duration=500ms 4", BENCH), {
    clients: 4,
    size: 128,
    duration: 0.5,
    parallel: 10,
  });
});

Deno.test("readParameters() says what is wrong, and the form", () => {
  const form = "bulkping n [parallel=10]";
  const bad: [string, string][] = [
    ["", `bulkping needs n; the form is: ${form}`],
    ["1 2 3", `bulkping takes no 3; the form is: ${form}`],
    ["1 n=2", `n is given twice; the form is: ${form}`],
    ["1 paralel=2", "bulkping has no paralel; did you mean parallel=?"],
    ["1 colour=red", `bulkping takes no colour=red; the form is: ${form}`],
    ["0", "n is a whole number from 1 to 1,000,000,000, not 0"],
    ["1.5", "n is a whole number"],
    ["many", "n is a whole number"],
    ["1 parallel=", 'parallel is a whole number from 1 to 100,000, not ""'],
  ];
  for (const [rest, message] of bad) {
    assertThrows(() => readParameters("bulkping", rest, BULKPING), UsageError, message);
  }
  assertThrows(
    () => readParameters("bulkdata", "1 bytes=2GiB", BULKDATA),
    UsageError,
    "bytes is octets from 0 B to 1 GiB, not 2GiB",
  );
});

Deno.test("readCall() takes the first word for the command, and the rest as it is typed", () => {
  assertEquals(readCall("call", "ECHO"), { command: "ECHO", payload: "" });
  assertEquals(readCall("call", 'ECHO  {"a":  1}'), { command: "ECHO", payload: '{"a":  1}' });
  assertThrows(() => readCall("call", ""), UsageError, "call needs the name of a command");
  assertThrows(() => readCall("call", "é".repeat(128)), UsageError, "at most 255 octets");
});

Deno.test("readCommand() finds commands, and says what was probably meant", () => {
  assertEquals(readCommand("   "), undefined);
  assertEquals([readCommand("quit")?.run, readCommand(" help ")?.run], ["quit", "help"]);
  assertEquals(readCommand("bulkping 5 --json")?.json, true);
  assertEquals(readCommand("call ECHO --json")?.json, false);
  assertThrows(() => readCommand("bulkpign 5"), UsageError, "did you mean bulkping?");
  assertThrows(() => readCommand("dance"), UsageError, "help lists all");
  assertThrows(() => readCommand("ping 5"), UsageError, "ping takes no 5; try: ping");
  for (const { name, form } of COMMANDS) assertEquals(form.startsWith(name), true);
});

Deno.test("complete() knows the commands, their numbers, and what a worker knows by itself", () => {
  assertEquals(complete("bu"), [["bulkping ", "bulkdata "], "bu"]);
  assertEquals(complete("bulkping p"), [["parallel="], "p"]);
  assertEquals(complete("call E"), [["ECHO "], "E"]);
  assertEquals(complete("ping "), [[], ""]);
});
