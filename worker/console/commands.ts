/**
 * The commands of the worker's console: what each is called, what it does, what it prints. Text goes in
 * and comes out; who typed it and where it is printed isn't known here.
 *
 * @module
 */
import type { Io } from "../../protocol/io/io.ts";
import {
  type CommandForm,
  completeLine,
  findCommand,
  type Outcome,
} from "../../terminal/command_line.ts";
import { shown, toJson } from "../../terminal/escape.ts";
import { helpLines } from "../../terminal/help.ts";
import { readQuantity } from "../../terminal/quantity.ts";
import { table } from "../../terminal/table.ts";
import type { WorkerStatus } from "../status.ts";
import type { Worker } from "../worker.ts";
import type { Bulk } from "./bulk.ts";
import { within } from "./patience.ts";

/** Children of a `bulk` unless told, and at most: each is a thread. */
const CHILDREN = 10;
const MOST_CHILDREN = 256;
/** How long a command waits for the broker; what it asked for goes on. */
const PATIENCE_MS = 5000;

/** What a command needs. */
export interface CommandContext {
  readonly worker: Worker;
  readonly bulk: Bulk;
  readonly io: Io;
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
}

/** One command. */
export interface Command extends CommandForm<undefined> {
  readonly run: (
    context: CommandContext,
    rest: string,
    json: boolean,
  ) => Outcome | Promise<Outcome>;
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  {
    name: "register",
    form: "register",
    about: "asks to be in the broker's table",
    run: register,
  },
  {
    name: "deregister",
    form: "deregister",
    about: "wants no more jobs; those that run may finish",
    run: deregister,
  },
  {
    name: "bulk",
    form: `bulk [n=${CHILDREN}]`,
    about: "starts n child workers, each a thread with a connection of its own",
    words: () => [],
    run: bulk,
  },
  {
    name: "endbulk",
    form: "endbulk",
    about: "has the child workers deregister and end",
    run: async ({ bulk }) => {
      const count = await bulk.end();
      return say(
        count === 0 ? "There are no child workers" : `${many(count)} deregistered and ended`,
      );
    },
  },
  {
    name: "status",
    form: "status",
    about: "what the worker and its children do; --json as JSON",
    json: true,
    run: status,
  },
  {
    name: "help",
    form: "help",
    about: "lists the commands",
    run: () => ({ say: helpLines(COMMANDS.map(({ form, about }) => [form, about])) }),
  },
  {
    name: "quit",
    form: "quit",
    about: "deregisters and ends; jobs may finish for a while",
    run: () => ({ quit: true }),
  },
];

/** Runs one line. */
export async function runCommand(line: string, context: CommandContext): Promise<Outcome> {
  const found = findCommand<undefined, Command>(COMMANDS, line);
  if (found === undefined || "say" in found) return found ?? {};
  return await found.command.run(context, found.rest, found.json);
}

/** What may stand at the end of a line: words, and the part of the line that they replace. */
export function complete(line: string): [words: string[], part: string] {
  return completeLine(COMMANDS, line, undefined);
}

async function register({ worker, io }: CommandContext): Promise<Outcome> {
  const { registered, address, broker } = worker.status;
  if (registered) return say(`Registered already as ${shown(address)}`);
  try {
    const done = worker.register().then(() => true);
    return await within(io, PATIENCE_MS, done)
      ? say(`Registered as ${shown(address)} at ${broker}`)
      : say(`${broker} has not answered; the worker goes on asking`);
  } catch (error) {
    return say((error as Error).message);
  }
}

async function deregister({ worker, io }: CommandContext): Promise<Outcome> {
  const { registered, running } = worker.status;
  const left = worker.deregister();
  if (!registered) return say("Not registered");
  await within(io, PATIENCE_MS, left);
  return say(running === 0 ? "Deregistered" : `Deregistered; ${running} running may finish`);
}

async function bulk({ bulk, io }: CommandContext, rest: string): Promise<Outcome> {
  const text = rest.startsWith("n=") ? rest.slice(2) : rest;
  const count = text === "" ? CHILDREN : readQuantity(text, "count");
  if (count === undefined || !Number.isInteger(count) || count < 1 || count > MOST_CHILDREN) {
    return say(`bulk takes how many child workers, 1 to ${MOST_CHILDREN}, not ${shown(rest)}`);
  }
  let [registered, failed] = [0, 0];
  const started = bulk.start(count).map(async (done) => {
    if (await done) registered++;
    else failed++;
  });
  await within(io, PATIENCE_MS, Promise.all(started));
  const waiting = count - registered - failed;
  const rests = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(waiting > 0 ? [`${waiting} not answered yet`] : []),
  ];
  return say([`${many(registered)} registered`, ...rests].join(", "));
}

async function status(context: CommandContext, _rest: string, json: boolean): Promise<Outcome> {
  const { worker, bulk, width } = context;
  const own = worker.status;
  const children = await bulk.statuses();
  if (json) {
    const list = children.map(([address, status]) => status ?? { address });
    return { view: [toJson({ ...own, children: list })] };
  }
  const columns = [
    { name: "address", cut: true },
    { name: "state" },
    { name: "running", right: true },
    { name: "slots", right: true },
    { name: "completed", right: true },
    { name: "failed", right: true },
  ];
  const rows = [row(own.address, own), ...children.map(([address, it]) => row(address, it))];
  return { view: [`broker ${own.broker}`, ...table(columns, rows, width)] };
}

function row(address: string, status: WorkerStatus | undefined): string[] {
  if (status === undefined) return [shown(address), "no answer"];
  const { running, slots, completed, failed } = status;
  return [shown(address), stateOf(status), ...[running, slots, completed, failed].map(String)];
}

function stateOf({ connected, registered }: WorkerStatus): string {
  if (!connected) return "no broker";
  return registered ? "registered" : "not registered";
}

function many(count: number): string {
  return `${count} child worker${count === 1 ? "" : "s"}`;
}

function say(text: string): Outcome {
  return { say: [text] };
}
