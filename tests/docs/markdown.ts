// What the rules on documents want to know of Markdown: prose without code, links, headings, tables.
// Enough for the documents of this project, and no more.

import { folderOf, lineAt, type SourceFile } from "../tidy/source.ts";

/** A link to a place in the project. */
export interface Link {
  /** The path that it names, relative to the project's root. */
  readonly path: string;
  /** The heading that it names, without `#`; empty for none. */
  readonly anchor: string;
  readonly line: number;
}

/** A word that is written as code, in one line of prose. */
export interface CodeWord {
  readonly word: string;
  readonly line: number;
}

/** Whether it is Markdown. */
export function isMarkdown(file: SourceFile): boolean {
  return file.path.endsWith(".md");
}

/** The text with its fenced code blanked out, line by line, so that lines keep their numbers. */
export function withoutFences(text: string): string {
  let fence = "";
  return text.split("\n").map((line) => {
    const mark = /^\s*(`{3,})/.exec(line)?.[1] ?? "";
    const isEdge = fence === "" ? mark !== "" : mark.startsWith(fence);
    if (isEdge) fence = fence === "" ? mark : "";
    return isEdge || fence !== "" ? "" : line;
  }).join("\n");
}

/** The links of a document to places in the project. */
export function linksOf(file: SourceFile): Link[] {
  const prose = withoutFences(file.text).replace(/`[^`\n]*`/g, (code) => " ".repeat(code.length));
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
    const target = match[1]!;
    if (/^[a-z]+:/.test(target)) return [];
    const [to = "", anchor = ""] = target.split("#");
    const path = to === "" ? file.path : resolve(file.path, to);
    return [{ path, anchor, line: lineAt(prose, match.index) }];
  });
}

/** The path that a relative link names, seen from a document. */
function resolve(from: string, to: string): string {
  return decodeURIComponent(new URL(to, `file:///${folderOf(from)}`).pathname.slice(1));
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(file: SourceFile): string[] {
  return [...withoutFences(file.text).matchAll(/^#+ +(.+)$/gm)].map((match) =>
    match[1]!.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
  );
}

/** The words of a document's prose that are written as code. */
export function codeWordsOf(file: SourceFile): CodeWord[] {
  const prose = withoutFences(file.text);
  return [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => ({
    word: match[1]!,
    line: lineAt(prose, match.index),
  }));
}

/** The text below a heading, up to the next of its rank or above; throws if there is none. */
export function sectionOf(text: string, heading: string): string {
  const lines = text.split("\n");
  const prose = withoutFences(text).split("\n");
  const start = prose.findIndex((line) => /^#+ /.test(line) && line.endsWith(` ${heading}`));
  if (start < 0) throw new Error(`there is no heading ${heading}`);
  const rank = prose[start]!.indexOf(" ");
  const isNext = (line: string) => line.startsWith("#") && line.indexOf(" ") <= rank;
  const end = prose.findIndex((line, i) => i > start && isNext(line));
  return lines.slice(start + 1, end < 0 ? undefined : end).join("\n");
}

/** The cells of the first table below a heading, without its head; empty if there is none. */
export function tableUnder(text: string, heading: string): string[][] {
  const lines = withoutFences(text).split("\n");
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.endsWith(` ${heading}`));
  if (start < 0) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line));
  const section = end < 0 ? rest : rest.slice(0, end);
  const from = section.findIndex((line) => line.startsWith("|"));
  if (from < 0) return [];
  const length = section.slice(from).findIndex((line) => !line.startsWith("|"));
  const rows = section.slice(from, length < 0 ? undefined : from + length);
  return rows.slice(2).map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}
