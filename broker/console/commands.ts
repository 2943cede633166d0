/**
 * The commands of the console: what each is called, what it prints, what it does. Text goes in and
 * comes out; who typed it and where it is printed isn't known here.
 *
 * @module
 */
import {
  type CommandForm,
  completeLine,
  findCommand,
  type Outcome,
} from "../../terminal/command_line.ts";
import { escape, shown, toJson } from "../../terminal/escape.ts";
import { helpLines } from "../../terminal/help.ts";
import { nearest } from "../../terminal/suggest.ts";
import type { BrokerViews } from "../views.ts";
import {
  backlogText,
  busyServices,
  deadText,
  many,
  runningText,
  statsText,
  workersText,
} from "./views.ts";

/** What a command needs to know. */
export interface CommandContext {
  readonly views: BrokerViews;
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
}

/** One command. */
export interface Command extends CommandForm<BrokerViews> {
  readonly run: (context: CommandContext, rest: string, json: boolean) => Outcome;
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  view("workers", "who is there: slots, jobs in flight, state", ({ views, width }, json) => {
    const list = views.workers();
    return json ? [toJson(list)] : workersText(views.snapshot(), list, width);
  }),
  view("running", "jobs at workers, with age and attempt", ({ views, width }, json) => {
    const list = views.running(json ? Infinity : undefined);
    return json ? [toJson(list)] : runningText(views.snapshot(), list, width);
  }),
  view("backlog", "jobs that wait, by service", ({ views, width }, json) => {
    const snapshot = views.snapshot();
    return json ? [toJson(busyServices(snapshot))] : backlogText(snapshot, width);
  }),
  view("stats", "all that is counted", ({ views, width }, json) => {
    const snapshot = views.snapshot();
    return json ? [toJson(snapshot)] : statsText(snapshot, width);
  }),
  view("dead", "dead letters: jobs that ended without a result", ({ views, width }, json) => {
    const list = views.dead(json ? Infinity : undefined);
    return json ? [toJson(list)] : deadText(views.snapshot(), list, width);
  }),
  letterVerb("retry", "tries a dead letter again", "tried again", (views, id) => views.retry(id)),
  letterVerb("drop", "throws a dead letter away", "dropped", (views, id) => views.drop(id)),
  {
    name: "exit",
    form: "exit ADDRESS|all",
    about: "tells a worker to leave; its jobs may finish",
    words: (views) => ["all", ...views.workers().map(({ address }) => shown(address))],
    run: ({ views }, rest) => exit(views, rest),
  },
  {
    name: "help",
    form: "help",
    about: "lists the commands",
    run: () => ({ say: [...helpLines(COMMANDS.map(({ form, about }) => [form, about])), HINT] }),
  },
  {
    name: "quit",
    form: "quit",
    about: "ends the broker; jobs may finish for a while",
    run: () => ({ quit: true }),
  },
];

const HINT = "  Behind a view, --json prints it as JSON in one line.";

/** Runs one line. */
export function runCommand(line: string, context: CommandContext): Outcome {
  const found = findCommand<BrokerViews, Command>(COMMANDS, line);
  if (found === undefined || "say" in found) return found ?? {};
  return found.command.run(context, found.rest, found.json);
}

/** What may stand at the end of a line: words, and the part of the line that they replace. */
export function complete(line: string, views: BrokerViews): [words: string[], part: string] {
  return completeLine(COMMANDS, line, views);
}

/** A command that shows something. */
function view(
  name: string,
  about: string,
  lines: (context: CommandContext, json: boolean) => readonly string[],
): Command {
  const run = (context: CommandContext, _rest: string, json: boolean) => ({
    view: lines(context, json),
  });
  return { name, form: name, about, json: true, run };
}

/** A command that does something with dead letters. */
function letterVerb(
  name: string,
  about: string,
  done: string,
  act: (views: BrokerViews, id: number) => boolean,
): Command {
  const run = ({ views }: CommandContext, rest: string): Outcome => {
    if (rest === "all") {
      const ids = views.dead(Infinity).map(({ id }) => id);
      const count = ids.filter((id) => act(views, id)).length;
      return { say: [`${many(count, "dead letter")} ${done}`] };
    }
    const id = /^[0-9]{1,15}$/.test(rest) ? Number(rest) : undefined;
    if (id === undefined) return { say: [`${name} takes the id of a dead letter, or all`] };
    return act(views, id)
      ? { say: [`dead letter ${id} ${done}`] }
      : { say: [`There is no dead letter ${id}; dead lists them`] };
  };
  const words = (views: BrokerViews) => ["all", ...views.dead().map(({ id }) => String(id))];
  return { name, form: `${name} ID|all`, about, words, run };
}

/** Tells workers to leave. Addresses are typed as they are shown, or as they are. */
function exit(views: BrokerViews, rest: string): Outcome {
  if (rest === "") {
    return { say: ["exit tells workers to leave: exit ADDRESS or exit all; quit ends the broker"] };
  }
  if (rest === "all") return { say: [`${many(views.exitAll(), "worker")} told to leave`] };
  const present = views.workers().map(({ address }) => address);
  const wanted = present.filter((it) => it === rest || [shown(it), quoted(it)].includes(rest));
  let count = 0;
  for (const address of new Set(wanted)) count += views.exit(address);
  if (count > 0) return { say: [`${many(count, "worker")} told to leave`] };
  if (wanted.length > 0) return { say: [`The worker ${shown(rest)} is not in the table`] };
  const meant = nearest(rest, present);
  const hint = meant === undefined ? "workers lists them" : `did you mean ${shown(meant)}?`;
  return { say: [`There is no worker ${shown(rest)}; ${hint}`] };
}

/** A name in quotes, whether it needs them or not: a worker may be called all. */
function quoted(name: string): string {
  return `"${escape(name).replaceAll('"', '\\"')}"`;
}
