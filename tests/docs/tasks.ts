// Rules on tasks: those that documents name exist, each says what it does, none asks for all
// permissions, and the README tells which it asks for.

import type { Finding, Rule, SourceFile } from "../tidy/source.ts";
import { lineAt } from "../tidy/source.ts";
import { isMarkdown, tableUnder } from "./markdown.ts";

interface Task {
  readonly description?: string;
  readonly command?: string;
}

interface Config {
  readonly tasks?: Readonly<Record<string, Task>>;
  readonly permissions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What deno.json says. */
function configOf(files: readonly SourceFile[]): Config {
  return JSON.parse(files.find(({ path }) => path === "deno.json")?.text ?? "{}");
}

/** Findings in deno.json, which has no lines worth naming. */
function inConfig(messages: readonly string[]): Finding[] {
  return messages.map((message) => ({ path: "deno.json", line: 1, message }));
}

/** Every `deno task x` that a document names is there. */
export const namedTaskRule: Rule = (files) => {
  const { tasks = {} } = configOf(files);
  return files.filter(isMarkdown).flatMap(({ path, text }) =>
    [...text.matchAll(/deno(?:@[\d.]+)? task (?:-q )?([a-z][\w:-]*)/g)]
      .filter((match) => !Object.hasOwn(tasks, match[1]!))
      .map((match) => ({
        path,
        line: lineAt(text, match.index),
        message: `deno.json has no task ${match[1]}`,
      }))
  );
};

/** Every task says what it does. */
export const describedTaskRule: Rule = (files) =>
  inConfig(
    Object.entries(configOf(files).tasks ?? {})
      .filter(([, task]) => !task.description || !task.command)
      .map(([name]) => `the task ${name} lacks a description or a command`),
  );

/** No task asks for everything. */
export const modestTaskRule: Rule = (files) =>
  inConfig(
    Object.entries(configOf(files).tasks ?? {})
      .filter(([, task]) =>
        /(^|\s)(-[a-zA-Z]*A[a-zA-Z]*|--allow-all)(\s|$)/.test(task.command ?? "")
      )
      .map(([name]) => `the task ${name} asks for all permissions`),
  );

/** The kinds of permission that a task's command asks for, sorted. */
function permissionsOf(command: string, sets: Config["permissions"]): string[] {
  const flags = [...command.matchAll(/--allow-(net|read|write|run|env|sys|ffi|import)\b/g)].map((
    match,
  ) => match[1]!);
  const set = /(?:-P|--permission-set)=([\w-]+)/.exec(command)?.[1];
  const named = set === undefined ? [] : Object.keys(sets?.[set] ?? {});
  return [...new Set([...flags, ...named])].sort();
}

/** The README's table says which permissions each task asks for. */
export const toldPermissionRule: Rule = (files) => {
  const readme = files.find(({ path }) => path === "README.md");
  const { tasks = {}, permissions } = configOf(files);
  const told = new Map(
    tableUnder(readme?.text ?? "", "Permissions").map(([task = "", kinds = ""]) => [
      task.replaceAll("`", "").replace("deno task ", ""),
      kinds === "none" ? "" : kinds.split(", ").sort().join(", "),
    ]),
  );
  return Object.entries(tasks).flatMap(([name, { command = "" }]): Finding[] => {
    const asked = permissionsOf(command, permissions).join(", ");
    const listed = told.get(name) ?? "";
    if (asked === listed) return [];
    const message = `Permissions: ${name} asks for ${asked || "none"}, not ${listed || "none"}`;
    return [{ path: "README.md", line: 1, message }];
  });
};

/** All documents are run: the test task for the world takes examples, and no list of files. */
export const runDocumentsRule: Rule = (files) => {
  const command = configOf(files).tasks?.["test:world"]?.command ?? "";
  const words = command.replaceAll(/'[^']*'/g, (quoted) => quoted.slice(1, -1)).split(" ");
  const paths = words.slice(2).filter((word) => !word.startsWith("-"));
  if (words.includes("--doc") && paths.length === 0) return [];
  return inConfig(["test:world must run the examples of every document"]);
};

/** Documents and the gate name the same version of Deno. */
export const versionRule: Rule = (files) => {
  const wanted = /deno@([\d.]+\d)/.exec(
    files.find(({ path }) => path === ".ci/run")?.text ?? "",
  )?.[1];
  return files.filter(isMarkdown).flatMap(({ path, text }) =>
    [...text.matchAll(/deno@([\d.]+\d)/g)].filter((match) => match[1] !== wanted).map((match) => ({
      path,
      line: lineAt(text, match.index),
      message: `names Deno ${match[1]}, the gate runs ${wanted}`,
    }))
  );
};
