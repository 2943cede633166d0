// What the rules of the house are fed: the project's files as paths and texts. Only this file
// reads the disk; a rule is a function from files to findings, so a test can feed it a bad one.

/** A file of the project. The path is relative to its root, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A place where a rule is broken. Lines count from 1. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A rule of the house. */
export type Rule = (files: readonly SourceFile[]) => Finding[];

/** What holds nothing of ours; `.git` is a file in a worktree. */
const SKIPPED = new Set([".git", ".interop", "node_modules", "coverage"]);

/** Reads every text file below a folder. */
export async function readTree(root: URL, under = ""): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const entry of Deno.readDir(new URL(under, root))) {
    const path = under + entry.name;
    if (SKIPPED.has(entry.name)) continue;
    if (entry.isDirectory) {
      files.push(...await readTree(root, `${path}/`));
    } else if (entry.isFile) {
      const text = decode(await Deno.readFile(new URL(path, root)));
      if (text !== undefined) files.push({ path, text });
    }
  }
  return files.toSorted((a, b) => a.path < b.path ? -1 : 1);
}

/** The text of a file, or undefined for one that holds bytes. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether it is TypeScript. */
export function isTypeScript(file: SourceFile): boolean {
  return file.path.endsWith(".ts");
}

/** Whether it is a test, which stands beside its source or in `tests/`. */
export function isTest(path: string): boolean {
  return path.endsWith("_test.ts") || path.startsWith("tests/");
}

/** The file's own name, without its folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The file's folder, with a slash at its end; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** The line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf("\n"); i !== -1 && i < offset; i = text.indexOf("\n", i + 1)) line++;
  return line;
}

/** How many lines a text has. */
export function countLines(text: string): number {
  return lineAt(text, text.length) - (text.endsWith("\n") ? 1 : 0);
}

/** Findings as a person wants to read them. */
export function describe(findings: readonly Finding[]): string {
  return findings.map((f) => `${f.path}:${f.line}: ${f.message}`).join("\n");
}
