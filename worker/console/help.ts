/**
 * What `--help` prints.
 *
 * @module
 */
import { helpLines, optionLines } from "../../terminal/help.ts";
import { OPTIONS } from "./args.ts";
import { BUILT_IN } from "./builtin.ts";
import { COMMANDS } from "./commands.ts";

type Rows = readonly (readonly [string, string])[];

const LEVELS: Rows = [
  ["0", "errors, and a broker that isn't reached"],
  ["1", "comings and goings, and jobs: at most 20 lines a second, the rest summed up"],
  ["2", "also heartbeats"],
  ["3", "also sizes"],
  ["4", "also decisions"],
  ["5", "also frames, and what each child worker did when it ends"],
];

const CODES: Rows = [
  ["0", "told to end, by you or by the broker, and ended"],
  ["1", "could not start, or the broker refused it"],
  ["2", "called wrongly"],
  ["130", "a second Ctrl-C ended it at once"],
  ["143", "a second SIGTERM ended it at once"],
];

const EXAMPLES: Rows = [
  ["deno task worker", "with the built-in commands, at a broker on this machine"],
  [
    "deno task worker --commands examples/word_count/handlers.ts --threads 4",
    "with your own, in threads",
  ],
  ["deno task worker --manual", "registers when you type register"],
  ["deno task worker --slots 100 </dev/null", "as a daemon"],
];

/** The help, ready to print. */
export function helpText(): string {
  const sections: [string, string[]][] = [
    ["Options", optionLines(OPTIONS)],
    ["Built-in commands for clients", helpLines(BUILT_IN)],
    ["Debug levels", helpLines(LEVELS)],
    ["Commands, typed or piped in", helpLines(COMMANDS.map(({ form, about }) => [form, about]))],
    ["Exit codes", helpLines(CODES)],
    ["Examples", EXAMPLES.flatMap(([line, about]) => [`  ${line}`, `      ${about}`])],
    ["Permissions", [
      "  Handlers of --commands run with the task's own permissions: the network, and",
      "  to read this folder. The README says how to give them fewer or more.",
    ]],
  ];
  return [
    "Rota's worker: takes jobs from a broker and runs them.",
    "",
    "Usage: deno task worker [OPTION...]",
    "",
    "When it is registered, it prints one line to standard output:",
    "  rota worker ready address=worker-x7k2m9 broker=tcp://127.0.0.1:5556 slots=10",
    "After it only views go there. Prompt, log and errors go to standard error.",
    "A broker that isn't there is waited for. The end of its input doesn't end it;",
    "Ctrl-C, SIGTERM and quit do: it deregisters, and jobs may finish for",
    "--drain-seconds.",
    ...sections.flatMap(([title, lines]) => ["", `${title}:`, ...lines]),
    "",
  ].join("\n");
}
