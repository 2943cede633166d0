/**
 * What `--help` prints.
 *
 * @module
 */
import { helpLines, optionLines } from "../../terminal/help.ts";
import { OPTIONS } from "./args.ts";
import { COMMANDS } from "./commands.ts";

type Rows = readonly (readonly [string, string])[];

const LEVELS: Rows = [
  ["0", "jobs that the broker refused"],
  ["1", "also brokers that come and go"],
  ["2 to 5", "also attempts to connect that failed"],
];

const CODES: Rows = [
  ["0", "all succeeded"],
  ["1", "some failed"],
  ["2", "called wrongly"],
  ["3", "no broker: no handshake with any within 5 s, or --timeout if that is less"],
  ["4", "no answer in time, and nothing else failed"],
  ["130", "stopped by Ctrl-C"],
  ["143", "stopped by SIGTERM"],
];

const EXAMPLES: Rows = [
  ["deno task client", "a prompt"],
  ["deno task client bulkping 100", "one command"],
  ["deno task client bulkdata 1000 bytes=64KiB parallel=4 --json", "figures for a program"],
  ["deno task client call resize '{\"width\":80}'", "a worker's own command"],
  ["deno task client call upload - <photo.jpg >small.jpg", "octets in, octets out"],
  ["printf 'pingt\\nbulkping 10\\n' | deno task client", "several, one after the other"],
];

/** The lines that list commands. */
export function commandLines(): string[] {
  return helpLines(COMMANDS.map(({ form, about }) => [form, about]));
}

/** The help, ready to print. */
export function helpText(): string {
  const sections: [string, string[]][] = [
    ["Commands", commandLines()],
    ["Options", optionLines(OPTIONS)],
    ["Debug levels", helpLines(LEVELS)],
    ["Exit codes", helpLines(CODES)],
    ["Examples", EXAMPLES.flatMap(([line, about]) => [`  ${line}`, `      ${about}`])],
  ];
  return [
    "Rota's client: has jobs done by workers, through a broker.",
    "",
    "Usage: deno task client [OPTION...] [COMMAND...]",
    "",
    "Without a command it reads commands from a prompt, or a line each from standard",
    "input, whose end ends it: then the exit code is the highest of its commands.",
    "Numbers behind a command stand in order or by name: bulkping 100 parallel=20.",
    "Results go to standard output; prompt, progress, log and errors to standard error.",
    "PING, STREAM and ECHO are commands that deno task worker knows by itself.",
    ...sections.flatMap(([title, lines]) => ["", `${title}:`, ...lines]),
    "",
  ].join("\n");
}
