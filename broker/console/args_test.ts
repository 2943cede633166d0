/**
 * The broker's command line, as a table, and its help.
 *
 * @module
 */
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { UsageError } from "../../terminal/options.ts";
import { widthOf } from "../../terminal/width.ts";
import { LIMITS } from "../limits.ts";
import { checkOptions, NUMBERS } from "../options.ts";
import { OPTIONS, readArgs } from "./args.ts";
import { COMMANDS } from "./commands.ts";
import { helpText } from "./help.ts";

const MiB = 1024 ** 2;

const DEFAULTS = {
  frontend: "tcp://127.0.0.1:5555",
  backend: "tcp://127.0.0.1:5556",
  debug: 0,
  exitWorkers: false,
  limits: {},
};

Deno.test("readArgs() asks for the defaults where nothing is said", () => {
  const wish = { help: false, version: false, json: false, options: DEFAULTS };
  assertEquals(readArgs([], false), wish);
  assertEquals(readArgs([], true).options.debug, 1);
});

Deno.test("readArgs() takes every option, and a broker takes what comes of it", () => {
  const table: [string[], Record<string, unknown>][] = [
    [["--frontend", "tcp://*:*"], { frontend: "tcp://*:*" }],
    [["--backend=tcp://[::1]:7000"], { backend: "tcp://[::1]:7000" }],
    [["-d", "5"], { debug: 5 }],
    [["-d0"], { debug: 0 }],
    [["--debug", "3"], { debug: 3 }],
    [["--worker-expire-seconds", "1.5"], { workerExpireSeconds: 1.5 }],
    [["--queue-check-seconds=100ms"], { queueCheckSeconds: 0.1 }],
    [["--max-attempts", "1"], { maxAttempts: 1 }],
    [["--run-seconds", "2min"], { runSeconds: 120 }],
    [["--backlog-jobs", "0"], { backlogJobs: 0 }],
    [["--backlog-jobs", "1_000"], { backlogJobs: 1000 }],
    [["--backlog-bytes", "256MiB"], { backlogBytes: 256 * MiB }],
    [["--drain-seconds", "0"], { drainSeconds: 0 }],
    [["--exit-workers"], { exitWorkers: true }],
    [["--limit", "messageBytes=1MiB"], { limits: { messageBytes: MiB } }],
    [["--limit", "message-bytes=10kB"], { limits: { messageBytes: 10_000 } }],
    [["--limit=connections=9", "--limit=clientGraceSeconds=0.5"], {
      limits: { connections: 9, clientGraceSeconds: 0.5 },
    }],
    [["--max-attempts", "1", "--max-attempts", "2"], { maxAttempts: 2 }],
  ];
  for (const [args, expected] of table) {
    const { options } = readArgs(args, false);
    assertEquals(options, { ...DEFAULTS, ...expected });
    checkOptions(options);
  }
  const { help, version, json } = readArgs(["--help", "--version", "--json"], false);
  assertEquals([help, version, json], [true, true, true]);
});

Deno.test("readArgs() takes every limit at its least, its most and its default", () => {
  for (const [name, { least, most, value }] of Object.entries(LIMITS)) {
    for (const number of [least, most, value]) {
      const { options } = readArgs(["--limit", `${name}=${number}`], false);
      assertEquals(options.limits, { [name]: number });
      checkOptions(options);
    }
  }
});

Deno.test("readArgs() has an option for every number of a broker", () => {
  const names = OPTIONS.map(({ name }) => name);
  for (const option of Object.keys(NUMBERS)) {
    const name = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    assertEquals(names.includes(name), true, name);
  }
});

Deno.test("readArgs() says in one line what is wrong and what is right", () => {
  const table: [string[], string][] = [
    [["--fronted", "x"], "There is no option --fronted; did you mean --frontend?"],
    [
      ["--worker-expire", "3"],
      "There is no option --worker-expire; did you mean --worker-expire-seconds?",
    ],
    [
      ["--frontend", "5555"],
      '--frontend: "5555" does not start with tcp://; a good one looks like tcp://127.0.0.1:5555',
    ],
    [
      ["--backend", "tcp://host"],
      '--backend: "tcp://host" has no port; a good one looks like tcp://127.0.0.1:5555',
    ],
    [
      ["--backend", "ipc:///x"],
      "--backend: the transport ipc is not supported, only tcp is; a good endpoint looks like tcp://127.0.0.1:5555",
    ],
    [["-d", "6"], "--debug takes a whole number from 0 to 5, not 6"],
    [["-d", "x"], "--debug takes a whole number from 0 to 5, not x"],
    [["-d", "1.5"], "--debug takes a whole number from 0 to 5, not 1.5"],
    [["--max-attempts", "0"], "--max-attempts takes a whole number from 1 to 255, not 0"],
    [["--max-attempts", "3MiB"], "--max-attempts takes a whole number from 1 to 255, not 3MiB"],
    [
      ["--drain-seconds", "soon"],
      "--drain-seconds takes seconds from 0 to 1,000,000 (also 500ms, 2min), not soon",
    ],
    [["--backlog-bytes", "-1"], "--backlog-bytes needs a value: --backlog-bytes BYTES"],
    [
      ["--backlog-bytes=-1"],
      "--backlog-bytes takes octets from 0 B to 1024 TiB (also 64MiB, 10kB), not -1",
    ],
    [["--limit", "messageByte=1"], "There is no limit messageByte; did you mean messageBytes?"],
    [["--limit", "potato=1"], "There is no limit potato; --help lists all"],
    [["--limit", "__proto__=1"], "There is no limit __proto__; --help lists all"],
    [["--limit", "slots"], "--limit slots needs a value: --limit slots=65535"],
    [["--limit", "slots="], '--limit slots takes a whole number from 1 to 65,535, not ""'],
    [["--limit", "slots=0"], "--limit slots takes a whole number from 1 to 65,535, not 0"],
    [
      ["--limit", "messageBytes=2GiB"],
      "--limit messageBytes takes octets from 1 B to 1024 MiB (also 64MiB, 10kB), not 2GiB",
    ],
    [
      ["--frontend", "tcp://127.0.0.1:7", "--backend", "tcp://127.0.0.1:7"],
      "--frontend and --backend need a port each, not both tcp://127.0.0.1:7; :* takes a free one",
    ],
    [["--debug", "\x1b[2J"], "--debug takes a whole number from 0 to 5, not \\x1b[2J"],
  ];
  for (const [args, message] of table) {
    const error = assertThrows(() => readArgs(args, false), UsageError);
    assertEquals(error.message, message);
    assertEquals(error.message.includes("\n"), false);
  }
});

Deno.test("readArgs() leaves both ports open to chance", () => {
  const { options } = readArgs(
    ["--frontend=tcp://127.0.0.1:*", "--backend=tcp://127.0.0.1:0"],
    false,
  );
  assertEquals([options.frontend, options.backend], ["tcp://127.0.0.1:*", "tcp://127.0.0.1:0"]);
});

Deno.test("helpText() names every option, limit, level, command and exit code, in 80 columns", () => {
  const text = helpText();
  for (const { name, otherwise } of OPTIONS) {
    assertStringIncludes(text, `--${name}`);
    if (otherwise !== undefined) {
      assertStringIncludes(text.replace(/\s+/g, " "), `(default ${otherwise})`);
    }
  }
  for (const name of Object.keys(LIMITS)) assertStringIncludes(text, `  ${name} `);
  for (const { form } of COMMANDS) assertStringIncludes(text, `  ${form} `);
  for (const start of ["  0  ", "  5  ", "  130  ", "  143  "]) assertStringIncludes(text, start);
  assertEquals(text.split("\n").filter((line) => widthOf(line) > 80), []);
  assertEquals(text.endsWith("\n"), true);
});
