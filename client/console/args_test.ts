import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../terminal/options.ts";
import { readArgs } from "./args.ts";
import { helpText } from "./help.ts";

Deno.test("readArgs() has defaults, and takes options and words in any order", () => {
  assertEquals(readArgs([]), {
    help: false,
    version: false,
    json: false,
    brokers: ["tcp://127.0.0.1:5555"],
    timeout: 30_000,
    service: undefined,
    debug: undefined,
    words: [],
  });
  const wish = readArgs(
    ["bulkping", "--broker", "tcp://a:1", "100", "--json", "--broker=tcp://b:2", "-d", "2"],
  );
  assertEquals(wish.words, ["bulkping", "100"]);
  assertEquals([wish.brokers, wish.json, wish.debug], [["tcp://a:1", "tcp://b:2"], true, 2]);
});

Deno.test("readArgs() reads times with units; 0 is for ever", () => {
  const times = ["5", "500ms", "2min", "0"].map((it) => readArgs(["--timeout", it]).timeout);
  assertEquals(times, [5000, 500, 120_000, Infinity]);
});

Deno.test("readArgs() says in one line what is wrong", () => {
  const bad: [string[], string][] = [
    [["--broker", "127.0.0.1"], "--broker: "],
    [["--broker", "tcp://127.0.0.1:*"], "--broker: "],
    [["--timeout", "soon"], "--timeout takes seconds from 0 to 1,000,000"],
    [["--timeout", "1000001"], "--timeout takes seconds"],
    [["-d", "6"], "--debug takes a whole number from 0 to 5, not 6"],
    [["--service", "s".repeat(256)], "--service takes a name of at most 255 octets"],
    [["--borker", "tcp://a:1"], "There is no option --borker; did you mean --broker?"],
  ];
  for (const [args, message] of bad) {
    const { message: told } = assertThrows(() => readArgs(args), UsageError, message);
    assertEquals(told.includes("\n"), false);
  }
});

Deno.test("helpText() tells all exit codes, and fits 80 columns", () => {
  const text = helpText();
  for (const code of [0, 1, 2, 3, 4, 130]) {
    assertEquals(text.includes(`\n  ${code} `), true, `${code}`);
  }
  assertEquals(text.split("\n").filter((line) => line.length > 82), []);
});
