/**
 * The worker's command line: what it can be told, and what that means. Nothing is started here.
 *
 * @module
 */
import { parseEndpoint } from "../../protocol/io/endpoint.ts";
import { camelCase, readBounded, takesText, valueText } from "../../terminal/bounded.ts";
import { shown } from "../../terminal/escape.ts";
import {
  type GivenOptions,
  type OptionSpec,
  readOptions,
  UsageError,
} from "../../terminal/options.ts";
import { NAME_BYTES } from "../handlers.ts";
import { type NumberOption, NUMBERS, type WorkerOptions } from "../options.ts";

const BROKER = "tcp://127.0.0.1:5556";

/** All options, in the order of the help. */
export const OPTIONS: readonly OptionSpec[] = [
  { name: "broker", takes: "ENDPOINT", about: "the broker's backend", otherwise: BROKER },
  number("slots", "jobs at a time"),
  { name: "service", takes: "NAME", about: "a service that it serves; repeatable" },
  {
    name: "address",
    takes: "NAME",
    about: "its name in the broker's table",
    otherwise: "a random one",
  },
  {
    name: "commands",
    takes: "FILE.ts",
    about: "your own handlers: named exports, or a default object",
  },
  number("threads", "threads that run the handlers; 0 runs them in the worker's own"),
  {
    name: "dialect",
    takes: "WORD",
    about: "register, or ready for the plain worker with one slot",
    otherwise: "register",
  },
  { name: "manual", about: "register only when told to, by the command register" },
  number("heartbeat-seconds", "time between two pings"),
  number("broker-timeout-seconds", "BROKER_TIMEOUT, one period of the broker's silence"),
  number("n-timeouts", "N_TIMEOUTS, such periods before it connects anew"),
  number("drain-seconds", "how long jobs may finish when it is told to end"),
  {
    name: "debug",
    short: "d",
    takes: "LEVEL",
    about: "how much is logged, 0 to 5, see below",
    otherwise: "1 where stderr is a terminal, else 0",
  },
  { name: "json", about: "log lines as JSON" },
  { name: "help", short: "h", about: "print this" },
  { name: "version", about: "print the version" },
];

/** What the command line asks for. */
export interface Wish {
  readonly help: boolean;
  readonly version: boolean;
  readonly json: boolean;
  readonly manual: boolean;
  /** The user's own module, as it was given. */
  readonly commands: string | undefined;
  /** What the worker is told; handlers and the like come later. */
  readonly options: WorkerOptions & { readonly debug: number };
}

/** Reads the command line; throws a UsageError with the one line to print. */
export function readArgs(args: readonly string[], isTerminal: boolean): Wish {
  const given = readOptions(args, OPTIONS);
  const { switches, values } = given;
  const last = (name: string) => values.get(name)?.at(-1);
  const { debug = isTerminal ? 1 : 0, ...numbers } = readNumbers(given);
  const dialect = readDialect(last("dialect") ?? "register");
  const services = (values.get("service") ?? []).map((name) => readName("service", name));
  if (dialect === "ready") checkReady(numbers.slots ?? 1, services);
  const address = last("address");
  return {
    help: switches.has("help"),
    version: switches.has("version"),
    json: switches.has("json"),
    manual: switches.has("manual"),
    commands: last("commands"),
    options: {
      ...numbers,
      debug,
      dialect,
      services,
      broker: readBroker(last("broker") ?? BROKER),
      ...(address === undefined ? {} : { address: readName("address", address) }),
    },
  };
}

/** The option of a number, with its default. */
function number(name: string, about: string): OptionSpec {
  const option = optionOf(name) as NumberOption;
  const otherwise = valueText(option, NUMBERS[option].value);
  return { name, takes: takesText(option), about, otherwise };
}

/** The seed's name for it is N_TIMEOUTS. */
function optionOf(name: string): string {
  return name === "n-timeouts" ? "timeouts" : camelCase(name);
}

function readNumbers({ values }: GivenOptions): Partial<Record<NumberOption, number>> {
  const numbers: Partial<Record<NumberOption, number>> = {};
  for (const [name, texts] of values) {
    const option = optionOf(name);
    if (!Object.hasOwn(NUMBERS, option)) continue;
    const bounds = NUMBERS[option as NumberOption];
    numbers[option as NumberOption] = readBounded(`--${name}`, option, texts.at(-1)!, bounds);
  }
  return numbers;
}

function readDialect(text: string): "register" | "ready" {
  if (text === "register" || text === "ready") return text;
  throw new UsageError(`--dialect takes register or ready, not ${shown(text)}`);
}

/** The ping-pong dialogue has neither slots nor services. */
function checkReady(slots: number, services: readonly string[]): void {
  if (slots !== 1) throw new UsageError("--dialect ready has one slot; leave out --slots");
  if (services.length > 0) {
    throw new UsageError("--dialect ready names no services; leave out --service");
  }
}

function readName(option: string, name: string): string {
  if (new TextEncoder().encode(name).length <= NAME_BYTES) return name;
  throw new UsageError(`--${option} takes a name of at most ${NAME_BYTES} octets`);
}

function readBroker(text: string): string {
  try {
    parseEndpoint(text, "connect");
    return text;
  } catch (error) {
    const reason = (error as Error).message.replace("Cannot connect: ", "");
    throw new UsageError(`--broker: ${reason}`);
  }
}
