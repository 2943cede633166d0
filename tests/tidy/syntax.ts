// What the rules want to know of a file's syntax, found with Deno's own parser (the one of
// `deno lint`), so that a word in a comment or in a string never counts.

import { folderOf, lineAt, type SourceFile } from "./source.ts";

/** A specifier that a file imports or re-exports, also by `import()` or `new URL()`. */
export interface ImportSite {
  readonly specifier: string;
  /** The path in the project that a relative specifier names. */
  readonly target?: string;
  readonly line: number;
}

/** A function with the lines it spans. */
export interface FunctionSite {
  readonly line: number;
  readonly lines: number;
}

/** Runs visitors over a file. */
export function visit(
  file: SourceFile,
  visitor: (text: (node: Deno.lint.Node) => string) => Deno.lint.LintVisitor,
): void {
  const create = (context: Deno.lint.RuleContext) =>
    visitor((node) => context.sourceCode.getText(node));
  Deno.lint.runPlugin({ name: "tidy", rules: { rule: { create } } }, file.path, file.text);
}

/** Where each node stands. */
export function lineOf(file: SourceFile, node: { readonly range: readonly number[] }): number {
  return lineAt(file.text, node.range[0] ?? 0);
}

/** The string of a literal node. */
function stringOf(node: Deno.lint.Node | undefined | null): string | undefined {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

/** The path that a relative specifier names, seen from a file. */
function resolve(from: string, specifier: string): string {
  return new URL(specifier, `file:///${folderOf(from)}`).pathname.slice(1);
}

/** All that a file imports. */
export function importsOf(file: SourceFile): ImportSite[] {
  const sites: ImportSite[] = [];
  const add = (source: Deno.lint.Node | undefined | null) => {
    const specifier = stringOf(source);
    if (source === undefined || source === null || specifier === undefined) return;
    const line = lineOf(file, source);
    const relative = specifier.startsWith(".");
    sites.push(
      relative ? { specifier, line, target: resolve(file.path, specifier) } : { specifier, line },
    );
  };
  visit(file, (text) => ({
    ImportDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    TSImportType: (node) => {
      const specifier = /^import\(\s*["']([^"']+)["']/.exec(text(node))?.[1];
      if (specifier === undefined) return;
      const target = specifier.startsWith(".") ? resolve(file.path, specifier) : undefined;
      const line = lineOf(file, node);
      sites.push(target === undefined ? { specifier, line } : { specifier, line, target });
    },
    NewExpression: (node) => {
      const [first, second] = node.arguments;
      const isUrl = text(node.callee) === "URL" && second !== undefined &&
        text(second) === "import.meta.url";
      if (isUrl && stringOf(first)?.endsWith(".ts")) add(first);
    },
  }));
  return sites;
}

/** All functions of a file, methods and arrows included. */
export function functionsOf(file: SourceFile): FunctionSite[] {
  const sites: FunctionSite[] = [];
  const add = (node: { readonly range: readonly [number, number] }) => {
    const line = lineAt(file.text, node.range[0]);
    sites.push({ line, lines: lineAt(file.text, node.range[1]) - line + 1 });
  };
  visit(file, () => ({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }));
  return sites;
}
