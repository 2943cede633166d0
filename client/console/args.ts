/**
 * The client's command line: what it can be told, and what that means. Nothing is started here.
 *
 * @module
 */
import { parseEndpoint } from "../../protocol/io/endpoint.ts";
import { shown } from "../../terminal/escape.ts";
import { type OptionSpec, readOptions, UsageError } from "../../terminal/options.ts";
import { readQuantity } from "../../terminal/quantity.ts";

const BROKER = "tcp://127.0.0.1:5555";
const TIMEOUT_SECONDS = 30;
const MOST_SECONDS = 1_000_000;
const MOST_DEBUG = 5;

/** All options, in the order of the help. */
export const OPTIONS: readonly OptionSpec[] = [
  {
    name: "broker",
    takes: "ENDPOINT",
    about: "where a broker's frontend is; repeatable: several are used in turn",
    otherwise: BROKER,
  },
  {
    name: "timeout",
    takes: "SECONDS",
    about: "how long each call may take, such as 500ms; 0 for any time",
    otherwise: `${TIMEOUT_SECONDS} s`,
  },
  { name: "service", takes: "NAME", about: "the service that must run the jobs" },
  {
    name: "debug",
    short: "d",
    takes: "LEVEL",
    about: "how much is logged, 0 to 5, see below",
    otherwise: "1 at a prompt, else 0",
  },
  { name: "json", about: "what is printed, and log lines, as JSON" },
  { name: "help", short: "h", about: "print this" },
  { name: "version", about: "print the version" },
];

/** What the command line asks for. */
export interface Wish {
  readonly help: boolean;
  readonly version: boolean;
  readonly json: boolean;
  readonly brokers: readonly string[];
  /** In ms; Infinity for any time. */
  readonly timeout: number;
  readonly service: string | undefined;
  /** How much is logged; undefined if nobody said. */
  readonly debug: number | undefined;
  /** A command to run at once, instead of those that are typed or piped in. */
  readonly words: readonly string[];
}

/** Reads the command line; throws a UsageError with the one line to print. */
export function readArgs(args: readonly string[]): Wish {
  const { switches, values, words } = readOptions(args, OPTIONS, true);
  const last = (name: string) => values.get(name)?.at(-1);
  return {
    help: switches.has("help"),
    version: switches.has("version"),
    json: switches.has("json"),
    brokers: (values.get("broker") ?? [BROKER]).map(endpoint),
    timeout: timeout(last("timeout")),
    service: service(last("service")),
    debug: debug(last("debug")),
    words,
  };
}

function endpoint(text: string): string {
  try {
    parseEndpoint(text, "connect");
    return text;
  } catch (error) {
    throw new UsageError(`--broker: ${(error as Error).message.replace("Cannot connect: ", "")}`);
  }
}

function timeout(text: string | undefined): number {
  const seconds = text === undefined ? TIMEOUT_SECONDS : readQuantity(text, "seconds");
  if (seconds !== undefined && seconds <= MOST_SECONDS) {
    return seconds === 0 ? Infinity : seconds * 1000;
  }
  throw new UsageError(
    `--timeout takes seconds from 0 to 1,000,000 (also 500ms, 2min), not ${shown(text!)}`,
  );
}

function service(text: string | undefined): string | undefined {
  if (text === undefined || new TextEncoder().encode(text).length <= 255) return text;
  throw new UsageError("--service takes a name of at most 255 octets");
}

function debug(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const level = /^[0-9]$/.test(text) ? Number(text) : Infinity;
  if (level <= MOST_DEBUG) return level;
  throw new UsageError(`--debug takes a whole number from 0 to ${MOST_DEBUG}, not ${shown(text)}`);
}
