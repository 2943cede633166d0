/**
 * Command lines, good and bad.
 *
 * @module
 */
import { assertEquals, assertThrows } from "@std/assert";
import { helpLines, optionLines } from "./help.ts";
import { type OptionSpec, readOptions, UsageError } from "./options.ts";
import { VERSION } from "./version.ts";

const SPECS: readonly OptionSpec[] = [
  { name: "frontend", takes: "ENDPOINT", about: "where", otherwise: "here" },
  { name: "debug", short: "d", takes: "LEVEL", about: "how much" },
  { name: "limit", takes: "NAME=VALUE", about: "a limit" },
  { name: "json", about: "as JSON" },
  { name: "help", short: "h", about: "this" },
];

/** What a command line comes to, in a form that can be compared. */
function read(...args: string[]): [string, unknown][] {
  const { values, switches } = readOptions(args, SPECS);
  return [...values, ...[...switches].map((name): [string, unknown] => [name, true])];
}

Deno.test("readOptions() reads values and switches in every form", () => {
  assertEquals(read(), []);
  assertEquals(read("--frontend", "a"), [["frontend", ["a"]]]);
  assertEquals(read("--frontend=a=b"), [["frontend", ["a=b"]]]);
  for (const args of [["-d", "5"], ["-d5"], ["-d=5"], ["--debug", "5"], ["--debug=5"]]) {
    assertEquals(read(...args), [["debug", ["5"]]]);
  }
  assertEquals(read("--limit", "a=1", "--limit=b=2"), [["limit", ["a=1", "b=2"]]]);
  assertEquals(read("--json", "-h"), [["json", true], ["help", true]]);
  assertEquals(read("--json=false"), []);
  assertEquals(read("--frontend", "a", "--frontend", "b"), [["frontend", ["a", "b"]]]);
});

Deno.test("readOptions() gives words as they are typed, wherever options stand", () => {
  const words = (...args: string[]) => readOptions(args, SPECS, true).words;
  assertEquals(words("call", "--json", "1e3", "-", "0x10"), ["call", "1e3", "-", "0x10"]);
  assertEquals(words("-d", "5", "ping"), ["ping"]);
  assertEquals(words("call", "x", "--", "--json", "-5"), ["call", "x", "--json", "-5"]);
  assertEquals(words(), []);
  assertThrows(() => words("call", "-5"), UsageError, "There is no option -5; --help lists all");
  assertThrows(() => words("call", "--jsno"), UsageError, "did you mean --json?");
});

Deno.test("readOptions() says in one line what is wrong, and what was probably meant", () => {
  const bad: [string[], string][] = [
    [["--fronted", "x"], "There is no option --fronted; did you mean --frontend?"],
    [["--fronted=x"], "There is no option --fronted; did you mean --frontend?"],
    [["--jsn"], "There is no option --jsn; did you mean --json?"],
    [["-x"], "There is no option -x; --help lists all"],
    [["--potato"], "There is no option --potato; --help lists all"],
    [["--no-json"], "There is no option --no-json; --help lists all"],
    [["start"], "There is no argument start; options start with --"],
    [["--", "--json"], "Nothing may stand behind --; leave it out"],
    [["--frontend"], "--frontend needs a value: --frontend ENDPOINT"],
    [["--frontend", "--json"], "--frontend needs a value: --frontend ENDPOINT"],
    [["--debug="], "--debug needs a value: --debug LEVEL"],
    [["--debug", "-1"], "--debug needs a value: --debug LEVEL"],
    [["--json=maybe"], "--json takes no value: --json"],
    [["\x1b[2J"], "There is no argument \\x1b[2J; options start with --"],
    [["--\u202e"], "There is no option --\\u{202e}; --help lists all"],
    [["--__proto__=1"], "There is no option --__proto__; --help lists all"],
    [["--constructor"], "There is no option --constructor; --help lists all"],
  ];
  for (const [args, message] of bad) {
    const error = assertThrows(() => readOptions(args, SPECS), UsageError);
    assertEquals(error.message, message);
  }
});

Deno.test("optionLines() aligns options and breaks lines at 80 columns", () => {
  const about = "word ".repeat(40).trim();
  const lines = optionLines([...SPECS, { name: "long", takes: "X", about }]);
  assertEquals(lines[0], "      --frontend ENDPOINT  where (default here)");
  assertEquals(lines[1], "  -d, --debug LEVEL        how much");
  assertEquals(lines.every((line) => line.length <= 80), true);
  assertEquals(lines.slice(5).map((line) => line.indexOf("word")), [27, 27, 27, 27]);
});

Deno.test("helpLines() leaves a word that fits nowhere whole", () => {
  const word = "x".repeat(100);
  assertEquals(helpLines([["a", `b ${word} c`]]), ["  a  b", `     ${word}`, "     c"]);
});

Deno.test("VERSION is that of the package", async () => {
  const config = JSON.parse(await Deno.readTextFile(new URL("../deno.json", import.meta.url)));
  assertEquals(VERSION, config.version);
});

Deno.test("helpLines() puts a name that is too long on a line of its own", () => {
  const long = "bench [clients=1] [size=128] [duration=5s] [parallel=10]";
  assertEquals(helpLines([[long, "how fast"], ["quit", "ends it"]]), [
    `  ${long}`,
    "        how fast",
    "  quit  ends it",
  ]);
});
