/**
 * The worker's command line, as a table, and its help.
 *
 * @module
 */
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { UsageError } from "../../terminal/options.ts";
import { widthOf } from "../../terminal/width.ts";
import { checkWorkerOptions, NUMBERS } from "../options.ts";
import { OPTIONS, readArgs } from "./args.ts";
import { BUILT_IN, builtIn } from "./builtin.ts";
import { COMMANDS, complete } from "./commands.ts";
import { helpText } from "./help.ts";

const DEFAULTS = {
  broker: "tcp://127.0.0.1:5556",
  dialect: "register",
  services: [],
  debug: 0,
} as const;

Deno.test("readArgs() asks for the defaults where nothing is said", () => {
  assertEquals(readArgs([], false), {
    help: false,
    version: false,
    json: false,
    manual: false,
    commands: undefined,
    options: { ...DEFAULTS },
  });
  assertEquals(readArgs([], true).options.debug, 1);
});

Deno.test("readArgs() takes every option, and a worker takes what comes of it", () => {
  const table: [string[], Record<string, unknown>][] = [
    [["--broker", "tcp://example.com:7000"], { broker: "tcp://example.com:7000" }],
    [["--slots", "100"], { slots: 100 }],
    [["--service=a", "--service", "b"], { services: ["a", "b"] }],
    [["--address", "w1"], { address: "w1" }],
    [["--threads=4"], { threads: 4 }],
    [["--dialect", "ready"], { dialect: "ready" }],
    [["--heartbeat-seconds", "500ms"], { heartbeatSeconds: 0.5 }],
    [["--broker-timeout-seconds", "2"], { brokerTimeoutSeconds: 2 }],
    [["--n-timeouts", "5"], { timeouts: 5 }],
    [["--drain-seconds", "1min"], { drainSeconds: 60 }],
    [["-d", "5"], { debug: 5 }],
    [["-d0"], { debug: 0 }],
  ];
  for (const [args, expected] of table) {
    const { options } = readArgs(args, false);
    assertEquals(options, { ...DEFAULTS, ...expected } as typeof options, args.join(" "));
    const { threads: _, ...rest } = options;
    checkWorkerOptions(rest);
  }
  const wish = readArgs(["--manual", "--json", "--commands", "x.ts", "-h", "--version"], false);
  const { manual, json, commands, help, version } = wish;
  assertEquals([manual, json, commands, help, version], [true, true, "x.ts", true, true]);
});

Deno.test("readArgs() says in one line what is wrong", () => {
  const table: [string[], string][] = [
    [["--slots", "0"], "--slots takes a whole number from 1 to 65,535, not 0"],
    [["--slots", "ten"], "--slots takes a whole number from 1 to 65,535, not ten"],
    [["--slots"], "--slots needs a value: --slots N"],
    [["--broker", "127.0.0.1"], "--broker: "],
    [["--broker", "tcp://127.0.0.1:*"], "--broker: "],
    [["--dialect", "READY"], "--dialect takes register or ready, not READY"],
    [["--dialect", "ready", "--slots", "2"], "--dialect ready has one slot; leave out --slots"],
    [["--dialect", "ready", "--service", "a"], "--dialect ready names no services"],
    [["--service", "x".repeat(256)], "--service takes a name of at most 255 octets"],
    [["--address", "é".repeat(128)], "--address takes a name of at most 255 octets"],
    [["--n-timeouts", "0"], "--n-timeouts takes a whole number from 1 to 1,000, not 0"],
    [["--timeouts", "1"], "There is no option --timeouts; did you mean --n-timeouts?"],
    [["-d", "6"], "--debug takes a whole number from 0 to 5, not 6"],
    [["--manual=maybe"], "--manual takes no value"],
    [["bulk"], "There is no argument bulk; options start with --"],
  ];
  for (const [args, words] of table) {
    const error = assertThrows(() => readArgs(args, false), UsageError, words);
    assertEquals(error.message.includes("\n"), false);
  }
});

Deno.test("helpText() names every option, command and built-in, in 80 columns", () => {
  const help = helpText();
  for (const { name } of OPTIONS) assertStringIncludes(help, `--${name}`);
  for (const { form } of COMMANDS) assertStringIncludes(help, `  ${form}`);
  for (const [form] of BUILT_IN) assertStringIncludes(help, `  ${form}`);
  assertEquals(BUILT_IN.map(([form]) => form.split(" ")[0]), Object.keys(builtIn));
  assertEquals(help.split("\n").filter((line) => widthOf(line) > 80), []);
});

Deno.test("every number that a worker takes is an option of the task", () => {
  const camel = (name: string) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const names = new Set(
    OPTIONS.map(({ name }) => name === "n-timeouts" ? "timeouts" : camel(name)),
  );
  assertEquals(Object.keys(NUMBERS).filter((name) => !names.has(name)), []);
});

Deno.test("complete() knows the commands", () => {
  assertEquals(complete("re"), [["register "], "re"]);
  assertEquals(complete("status "), [["--json"], ""]);
  assertEquals(complete("bulk "), [[], ""]);
  assertEquals(complete("")[0].length, COMMANDS.length);
});
