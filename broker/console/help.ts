/**
 * What `--help` prints.
 *
 * @module
 */
import { valueText } from "../../terminal/bounded.ts";
import { helpLines, optionLines } from "../../terminal/help.ts";
import { type LimitName, LIMITS } from "../limits.ts";
import { OPTIONS } from "./args.ts";
import { COMMANDS } from "./commands.ts";

type Rows = readonly (readonly [string, string])[];

const LEVELS: Rows = [
  ["0", "errors, drops and dead letters, one line per reason and second"],
  ["1", "who comes and goes, and jobs: at most 20 lines a second, the rest summed up"],
  ["2", "also heartbeats"],
  ["3", "also sizes"],
  ["4", "also decisions with their reasons"],
  ["5", "also frames"],
];

const CODES: Rows = [
  ["0", "told to end, and ended"],
  ["1", "could not start, such as for a port in use"],
  ["2", "called wrongly"],
  ["130", "a second Ctrl-C ended it at once"],
  ["143", "a second SIGTERM ended it at once"],
];

const EXAMPLES: Rows = [
  ["deno task broker", "on this machine, with a prompt"],
  ["deno task broker </dev/null", "as a daemon"],
  ["deno task broker --backlog-bytes 256MiB --limit messageBytes=1MiB", "with less memory"],
  ["deno task broker --frontend 'tcp://*:5555'", "clients from other machines; see Security below"],
  ["echo workers --json | deno task broker", "a view at once, for a program"],
];

/** The help, ready to print. */
export function helpText(): string {
  const sections: [string, string[]][] = [
    ["Options", optionLines(OPTIONS)],
    ["Debug levels", helpLines(LEVELS)],
    ["Limits, for --limit NAME=VALUE", limitLines()],
    ["Commands, typed or piped in", helpLines(COMMANDS.map(({ form, about }) => [form, about]))],
    ["Exit codes", helpLines(CODES)],
    ["Examples", EXAMPLES.flatMap(([line, about]) => [`  ${line}`, `      ${about}`])],
    ["Security", [
      "  There is no authentication and no encryption. Whoever reaches the ports may",
      "  send jobs, and take them. Bind to 127.0.0.1 or to a network that you trust.",
    ]],
  ];
  return [
    "Rota's broker: takes jobs of clients and hands them to workers.",
    "",
    "Usage: deno task broker [OPTION...]",
    "",
    "When it serves, it prints one line to standard output:",
    "  rota broker ready frontend=tcp://127.0.0.1:5555 backend=tcp://127.0.0.1:5556",
    "After it only views go there. Prompt, log and errors go to standard error.",
    "The end of its input doesn't end it; Ctrl-C, SIGTERM and quit do: new jobs are",
    "refused, and those that are there may finish for --drain-seconds.",
    ...sections.flatMap(([title, lines]) => ["", `${title}:`, ...lines]),
    "",
  ].join("\n");
}

/** Names of limits, their defaults on the right, and why they are there. */
function limitLines(): string[] {
  const names = Object.keys(LIMITS) as LimitName[];
  const values = names.map((name) => valueText(name, LIMITS[name].value));
  const nameWidth = Math.max(...names.map((name) => name.length));
  const valueWidth = Math.max(...values.map((value) => value.length));
  return helpLines(names.map((name, i) => [
    `${name.padEnd(nameWidth)}  ${values[i]!.padStart(valueWidth)}`,
    LIMITS[name].why,
  ]));
}
