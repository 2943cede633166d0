/**
 * The broker's command line: what it can be told, and what that means. Nothing is started here.
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
import { nearest } from "../../terminal/suggest.ts";
import { type LimitName, LIMITS } from "../limits.ts";
import { type BrokerOptions, type NumberOption, NUMBERS } from "../options.ts";

const FRONTEND = "tcp://127.0.0.1:5555";
const BACKEND = "tcp://127.0.0.1:5556";

/** All options, in the order of the help. */
export const OPTIONS: readonly OptionSpec[] = [
  {
    name: "frontend",
    takes: "ENDPOINT",
    about: "where clients connect; :* takes a free port",
    otherwise: FRONTEND,
  },
  { name: "backend", takes: "ENDPOINT", about: "where workers connect", otherwise: BACKEND },
  {
    name: "debug",
    short: "d",
    takes: "LEVEL",
    about: "how much is logged, 0 to 5, see below",
    otherwise: "1 where stderr is a terminal, else 0",
  },
  number("worker-expire-seconds", "silence after which a worker that pings is taken for lost"),
  number("queue-check-seconds", "how often all backlogs are looked at, whatever happens"),
  number("max-attempts", "attempts at a job before it becomes a dead letter"),
  number("run-seconds", "how long one attempt may take; 0 for any time"),
  number("backlog-jobs", "jobs that may wait; 0 for no limit"),
  number("backlog-bytes", "octets of jobs that may wait, such as 512MiB; 0 for no limit"),
  number("drain-seconds", "how long jobs may finish when the broker is told to end"),
  { name: "exit-workers", about: "tell workers EXIT at the end; else they are to come back" },
  { name: "limit", takes: "NAME=VALUE", about: "another limit, see below; repeatable" },
  { name: "json", about: "log lines as JSON" },
  { name: "help", short: "h", about: "print this" },
  { name: "version", about: "print the version" },
];

/** What the command line asks for. */
export interface Wish {
  readonly help: boolean;
  readonly version: boolean;
  readonly json: boolean;
  readonly options: BrokerOptions & {
    readonly frontend: string;
    readonly backend: string;
    readonly debug: number;
  };
}

/** Reads the command line; throws a UsageError with the one line to print. */
export function readArgs(args: readonly string[], isTerminal: boolean): Wish {
  const given = readOptions(args, OPTIONS);
  const { switches, values } = given;
  const frontend = endpoint("frontend", values.get("frontend")?.at(-1) ?? FRONTEND);
  const backend = endpoint("backend", values.get("backend")?.at(-1) ?? BACKEND);
  const numbers = readNumbers(given);
  checkPorts(frontend, backend);
  return {
    help: switches.has("help"),
    version: switches.has("version"),
    json: switches.has("json"),
    options: {
      ...numbers,
      debug: numbers.debug ?? (isTerminal ? 1 : 0),
      frontend,
      backend,
      exitWorkers: switches.has("exit-workers"),
      limits: readLimits(values.get("limit") ?? []),
    },
  };
}

/** The option of a number, with its default. */
function number(name: string, about: string): OptionSpec {
  const option = camelCase(name) as NumberOption;
  return {
    name,
    takes: takesText(option),
    about,
    otherwise: valueText(option, NUMBERS[option].value),
  };
}

function readNumbers({ values }: GivenOptions): Partial<Record<NumberOption, number>> {
  const numbers: Partial<Record<NumberOption, number>> = {};
  for (const [name, texts] of values) {
    const option = camelCase(name);
    if (!Object.hasOwn(NUMBERS, option)) continue;
    const bounds = NUMBERS[option as NumberOption];
    numbers[option as NumberOption] = readBounded(`--${name}`, option, texts.at(-1)!, bounds);
  }
  return numbers;
}

function readLimits(texts: readonly string[]): Partial<Record<LimitName, number>> {
  const limits: Partial<Record<LimitName, number>> = {};
  for (const text of texts) {
    const equal = text.indexOf("=");
    const asked = equal < 0 ? text : text.slice(0, equal);
    const name = camelCase(asked);
    if (!Object.hasOwn(LIMITS, name)) {
      const meant = nearest(name, Object.keys(LIMITS));
      const hint = meant === undefined ? "--help lists all" : `did you mean ${meant}?`;
      throw new UsageError(`There is no limit ${shown(asked)}; ${hint}`);
    }
    const limit = LIMITS[name as LimitName];
    if (equal < 0) {
      throw new UsageError(`--limit ${name} needs a value: --limit ${name}=${limit.value}`);
    }
    const rest = text.slice(equal + 1);
    limits[name as LimitName] = readBounded(`--limit ${name}`, name, rest, limit);
  }
  return limits;
}

function endpoint(name: string, text: string): string {
  try {
    parseEndpoint(text, "bind");
    return text;
  } catch (error) {
    const reason = (error as Error).message.replace("Cannot bind: ", "");
    throw new UsageError(`--${name}: ${reason}`);
  }
}

/** Two ports, since on one a client whose body is READY can't be told from a worker. */
function checkPorts(frontend: string, backend: string): void {
  const [front, back] = [parseEndpoint(frontend, "bind"), parseEndpoint(backend, "bind")];
  if (front.port === 0 || front.port !== back.port || front.hostname !== back.hostname) return;
  throw new UsageError(
    `--frontend and --backend need a port each, not both ${frontend}; :* takes a free one`,
  );
}
