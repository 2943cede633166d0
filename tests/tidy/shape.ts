// Rules on names and words: how files are called, that each opens by telling its purpose, and that
// no line tells on which machine it was written.

import {
  type Finding,
  folderOf,
  isTypeScript,
  nameOf,
  type Rule,
  type SourceFile,
} from "./source.ts";

/** `word_word.ts`, with an underscore before a private one; `.d.ts` for types alone. */
const FILE_NAME = /^_?[a-z0-9]+(_[a-z0-9]+)*(\.d)?\.ts$/;

/** A folder's name, dots in front allowed. */
const FOLDER_NAME = /^\.?[a-z0-9]+(_[a-z0-9]+)*$/;

/** Names that say nothing. */
const EMPTY_NAMES = new Set(["index.ts", "utils.ts", "util.ts", "helpers.ts", "common.ts"]);

/** Files and their folders are named in snake_case, after what they hold. */
export const nameRule: Rule = (files) =>
  files.filter(isTypeScript).flatMap(({ path }) => {
    const name = nameOf(path);
    const folders = folderOf(path).split("/").filter((folder) => folder !== "");
    const findings: Finding[] = [];
    const add = (message: string) => findings.push({ path, line: 1, message });
    if (!FILE_NAME.test(name)) add(`${name} is not snake_case`);
    if (EMPTY_NAMES.has(name)) add(`${name} does not name a concept`);
    for (const folder of folders) {
      if (!FOLDER_NAME.test(folder)) add(`the folder ${folder} is not snake_case`);
    }
    return findings;
  });

/** A comment that is meant for a tool. */
const FOR_TOOLS = /^(\/\/|\/\*\*?)\s*(deno-|@ts-|eslint|<reference|\/)/;

/** The first comment of a text, once the lines for the shell and for tools are off. */
function firstComment(text: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) =>
    line.trim() !== "" && !line.startsWith("#!") && !FOR_TOOLS.test(line.trim())
  );
  const rest = lines.slice(Math.max(start, 0)).join("\n").trimStart();
  const found = /^\/\*[\s\S]*?\*\/|^\/\/.*/.exec(rest)?.[0] ?? "";
  return found.replace(/[/*\s]+/g, " ").trim();
}

/** Each file opens with a comment on its purpose; an `x_test.ts` beside its `x.ts` tests that. */
export const purposeRule: Rule = (files) =>
  files.filter((file) => isTypeScript(file) && !isNeighbour(file.path, files))
    .filter(({ text }) => firstComment(text).split(" ").length < 4)
    .map(({ path }) => ({ path, line: 1, message: "does not open with its purpose" }));

/** Whether it is the test that stands beside the file it tests. */
function isNeighbour(path: string, files: readonly SourceFile[]): boolean {
  if (!path.endsWith("_test.ts")) return false;
  const tested = path.replace(/_test\.ts$/, ".ts");
  return files.some((file) => file.path === tested);
}

/** Written in parts, so that this file passes its own rule. */
const TRACES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a package registry's host", new RegExp(["registry\\.[a-z]", "npmjs\\.", "jsr\\.io"].join("|"))],
  [
    "a path of one machine",
    new RegExp(
      `(?<![\\w.*)}-])/(${["work", "root", ["tmp", "tool"].join("/"), "home/\\w+"].join("|")})/`,
    ),
  ],
];

/** No line holds a registry's host or a path of the machine it was written on. */
export const traceRule: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, i) =>
      TRACES.filter(([, pattern]) => pattern.test(line))
        .map(([what]) => ({ path, line: i + 1, message: `holds ${what}` }))
    )
  );
