/**
 * Lines that are typed at a console: which command each names, what stands behind it, and what may
 * stand there. Who typed them, and what the commands do, isn't known here.
 *
 * @module
 */
import { shown } from "./escape.ts";
import { nearest } from "./suggest.ts";

/** What a command comes to. */
export interface Outcome {
  /** Lines of a view, for standard output. */
  readonly view?: readonly string[];
  /** Lines for whoever typed it. */
  readonly say?: readonly string[];
  /** The program is to end. */
  readonly quit?: true;
}

/** What can be known of a command without running it. */
export interface CommandForm<Context> {
  readonly name: string;
  /** How it is written. */
  readonly form: string;
  readonly about: string;
  /** Whether `--json` may stand behind it. */
  readonly json?: true;
  /** What may stand behind it, for completion; absent if nothing may. */
  readonly words?: (context: Context) => string[];
}

/** A line that names a command. */
export interface FoundCommand<Command> {
  readonly command: Command;
  /** What stands behind it. */
  readonly rest: string;
  /** Whether that is `--json`, and may be. */
  readonly json: boolean;
}

/** The command that a line names; what to say where it names none; undefined for an empty line. */
export function findCommand<Context, Command extends CommandForm<Context>>(
  commands: readonly Command[],
  line: string,
): FoundCommand<Command> | { readonly say: readonly string[] } | undefined {
  const [word, rest] = wordsOf(line);
  if (word === "") return undefined;
  const command = commands.find(({ name }) => name === word);
  if (command === undefined) return { say: [unknownCommand(commands, word)] };
  const json = command.json === true && rest === "--json";
  if (rest !== "" && !json && command.words === undefined) {
    const hint = command.json ? `${word} --json` : word;
    return { say: [`${word} takes no ${shown(rest)}; try: ${hint}`] };
  }
  return { command, rest, json };
}

/** What may stand at the end of a line: words, and the part of the line that they replace. */
export function completeLine<Context>(
  commands: readonly CommandForm<Context>[],
  line: string,
  context: Context,
): [words: string[], part: string] {
  const start = line.trimStart();
  const space = start.indexOf(" ");
  if (space < 0) return [starting(commands.map(({ name }) => `${name} `), start), start];
  const rest = start.slice(space).trimStart();
  const command = commands.find(({ name }) => name === start.slice(0, space));
  const words = command?.json ? ["--json"] : command?.words?.(context) ?? [];
  return [starting(words, rest), rest];
}

/** The first word of a line, and all that follows it. */
function wordsOf(line: string): [word: string, rest: string] {
  const text = line.trim();
  const space = text.search(/\s/);
  return space < 0 ? [text, ""] : [text.slice(0, space), text.slice(space).trim()];
}

function starting(words: readonly string[], part: string): string[] {
  return words.filter((word) => word.startsWith(part));
}

function unknownCommand<Context>(commands: readonly CommandForm<Context>[], word: string): string {
  const meant = nearest(word, commands.map(({ name }) => name));
  const hint = meant === undefined ? "help lists all" : `did you mean ${meant}?`;
  return `There is no command ${shown(word)}; ${hint}`;
}
