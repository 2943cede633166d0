/**
 * The commands of the console: what each is called and what stands behind it. The same words work
 * at the prompt, piped in, and behind `deno task client`.
 *
 * @module
 */
import { type CommandForm, completeLine, findCommand } from "../../terminal/command_line.ts";
import { shown } from "../../terminal/escape.ts";
import type { ExitCode } from "../../terminal/exit_code.ts";
import { UsageError } from "../../terminal/options.ts";
import { BENCH, bench, BULKDATA, bulkdata, BULKPING, bulkping } from "./bulk.ts";
import { call, ping, pingt, readCall, stream } from "./calls.ts";
import type { Desk } from "./desk.ts";
import { formOf, type Parameter, readParameters } from "./parameters.ts";

/** Runs a command. */
export type Run = (desk: Desk) => Promise<ExitCode>;

/** One command. */
export interface Command extends CommandForm<undefined> {
  /** Whether what stands behind it is passed on as it is typed. */
  readonly text?: true;
  /** Reads what stands behind it; throws a UsageError. `help` and `quit` are the console's own. */
  readonly read: (rest: string) => Run | "help" | "quit";
}

/** The worker's own commands. */
const BUILT_IN = ["PING", "STREAM", "ECHO", "SLEEP"];

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  plain("ping", "EXEC PING: the broker says that it has the job", ping),
  plain("pingt", "TRACKEXEC PING: a worker answers; prints the round trip", pingt),
  counting("bulkping", "n times TRACKEXEC PING", BULKPING, bulkping),
  counting("bulkdata", "n times STREAM of so many octets; checks each", BULKDATA, bulkdata),
  calling("call", "TRACKEXEC of a command; the payload - is standard input", call),
  calling("stream", "STREAM of a command; chunks as they come", stream),
  counting("bench", "how fast: TRACKEXEC ECHO for a while", BENCH, bench),
  own("help", "lists the commands"),
  own("quit", "ends the client"),
];

/** A line that was read. */
export interface Line {
  readonly name: string;
  readonly run: Run | "help" | "quit";
  /** Whether `--json` stood at its end. */
  readonly json: boolean;
}

/** Finds the command of a line and reads the rest; throws a UsageError. Undefined if it is empty. */
export function readCommand(line: string): Line | undefined {
  const found = findCommand<undefined, Command>(COMMANDS, line);
  if (found === undefined) return undefined;
  if ("say" in found) throw new UsageError(found.say.join("\n"));
  const { command, rest } = found;
  const words = rest.split(/\s+/);
  const json = command.text !== true && words.at(-1) === "--json";
  const run = command.read(json ? words.slice(0, -1).join(" ") : rest);
  return { name: command.name, run, json };
}

/** What may stand at the end of a line: words, and the part of the line that they replace. */
export function complete(line: string): [words: string[], part: string] {
  return completeLine(COMMANDS, line, undefined);
}

/** A command with nothing behind it. */
function plain(name: string, about: string, run: Run): Command {
  return { name, form: name, about, words: () => [], read: (rest) => nothing(name, rest, run) };
}

function own(name: "help" | "quit", about: string): Command {
  return { name, form: name, about, words: () => [], read: (rest) => nothing(name, rest, name) };
}

function nothing<T>(name: string, rest: string, value: T): T {
  if (rest === "") return value;
  throw new UsageError(`${name} takes no ${shown(rest)}; try: ${name}`);
}

/** A command with numbers behind it. */
function counting(
  name: string,
  about: string,
  parameters: readonly Parameter[],
  run: (desk: Desk, values: Readonly<Record<string, number>>) => Promise<ExitCode>,
): Command {
  return {
    name,
    form: formOf(name, parameters),
    about,
    words: () => parameters.map((it) => `${it.name}=`),
    read: (rest) => {
      const values = readParameters(name, rest, parameters);
      return (desk) => run(desk, values);
    },
  };
}

/** A command that calls another one by name. */
function calling(
  name: string,
  about: string,
  run: (desk: Desk, command: string, payload: string) => Promise<ExitCode>,
): Command {
  return {
    name,
    form: `${name} COMMAND [PAYLOAD]`,
    about,
    words: () => BUILT_IN.map((word) => `${word} `),
    text: true,
    read: (rest) => {
      const { command, payload } = readCall(name, rest);
      return (desk) => run(desk, command, payload);
    },
  };
}
