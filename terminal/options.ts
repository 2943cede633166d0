/**
 * Options of a command line, read by a list of what there is. What is wrong is said in one line,
 * with what was probably meant.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { shown } from "./escape.ts";
import { nearest } from "./suggest.ts";

/** One option. */
export interface OptionSpec {
  /** In kebab-case, without its dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** What its value is called; absent for a switch. */
  readonly takes?: string;
  /** What it is for, as the help says it. */
  readonly about: string;
  /** What holds where it isn't given, as the help says it. */
  readonly otherwise?: string;
}

/** What was given. */
export interface GivenOptions {
  /** Values by the name of their option, in the order in which they were given. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Switches that are on. */
  readonly switches: ReadonlySet<string>;
  /** What is no option, where that is allowed. */
  readonly words: readonly string[];
}

/** The command line makes no sense. Its message is the one line to print. */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * Reads a command line. Throws a UsageError for the first thing that is wrong. With `takesWords`
 * anything that doesn't start with a dash, and all behind `--`, is a word.
 *
 * @example
 * ```ts
 * import { readOptions } from "./options.ts";
 *
 * const given = readOptions(["--port=5", "-v"], [
 *   { name: "port", takes: "N", about: "where" },
 *   { name: "verbose", short: "v", about: "tells more" },
 * ]);
 * if (given.values.get("port")?.[0] !== "5" || !given.switches.has("verbose")) throw new Error();
 * ```
 */
export function readOptions(
  args: readonly string[],
  specs: readonly OptionSpec[],
  takesWords = false,
): GivenOptions {
  const takers = specs.filter(({ takes }) => takes !== undefined);
  const switches = specs.filter(({ takes }) => takes === undefined);
  const unknown: string[] = [];
  checkSwitches(args, switches);
  const parsed = parseArgs([...args], {
    string: [...takers.map(({ name }) => name), "_"],
    boolean: switches.map(({ name }) => name),
    collect: takers.map(({ name }) => name),
    alias: Object.fromEntries(specs.flatMap(({ name, short }) => short ? [[name, short]] : [])),
    unknown: (arg, key) => {
      if (takesWords && key === undefined) return true;
      unknown.push(arg);
      return false;
    },
  }) as Record<string, unknown> & { readonly _: readonly string[] };
  const values = new Map<string, readonly string[]>();
  for (const { name, takes } of takers) {
    const found = (parsed[name] ?? []) as readonly string[];
    if (found.includes("")) throw new UsageError(`--${name} needs a value: --${name} ${takes}`);
    if (found.length > 0) values.set(name, found);
  }
  const words = takesWords ? parsed._ : [];
  const [first = takesWords ? undefined : parsed._[0]] = unknown;
  if (first !== undefined) throw new UsageError(strange(first, args, specs));
  const on = switches.filter(({ name }) => parsed[name] === true).map(({ name }) => name);
  return { values, switches: new Set(on), words };
}

/** A switch takes no value, or one that says on or off. */
function checkSwitches(args: readonly string[], switches: readonly OptionSpec[]): void {
  for (const arg of args) {
    if (arg === "--") return;
    const equal = arg.indexOf("=");
    const name = equal < 0 ? "" : arg.slice(2, equal);
    if (!arg.startsWith("--") || !switches.some((spec) => spec.name === name)) continue;
    if (["true", "false"].includes(arg.slice(equal + 1))) continue;
    throw new UsageError(`--${name} takes no value: --${name}`);
  }
}

/** What to say of an argument that is none. */
function strange(
  arg: string,
  args: readonly string[],
  specs: readonly OptionSpec[],
): string {
  const [asked] = arg.split("=", 1) as [string];
  if (args.includes("--")) return `Nothing may stand behind --; leave it out`;
  if (!asked.startsWith("-")) {
    return `There is no argument ${shown(asked)}; options start with --`;
  }
  const meant = nearest(asked.replace(/^-+/, ""), specs.map(({ name }) => name));
  const hint = meant === undefined ? "--help lists all" : `did you mean --${meant}?`;
  return `There is no option ${shown(asked)}; ${hint}`;
}
