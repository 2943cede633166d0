// Rules on imports: the table of rooms, what works when Rota is imported by URL, private files, and
// front doors that only re-export.

import { roomOf } from "./rooms.ts";
import {
  type Finding,
  folderOf,
  isTest,
  isTypeScript,
  nameOf,
  type Rule,
  type SourceFile,
} from "./source.ts";
import { type ImportSite, importsOf, lineOf, visit } from "./syntax.ts";

/** Specifiers that need no import map: `node:`, and `npm:` with a version. */
const PORTABLE = /^(node:|npm:(@[^/@]+\/)?[^/@]+@[^/]+(\/|$))/;

/** Each file stands in a room, and imports only what the room may. */
export const roomRule: Rule = (files) =>
  files.filter((file) => isTypeScript(file) && !isTest(file.path)).flatMap((file) => {
    const room = roomOf(file.path);
    if (room === undefined) {
      return [{ path: file.path, line: 1, message: "stands in no room of tests/tidy/rooms.ts" }];
    }
    return importsOf(file).flatMap((site) => {
      const message = site.target === undefined
        ? outsideFault(site.specifier, room.outside)
        : insideFault(site.target, room.name, room.imports);
      return message === undefined ? [] : [{ path: file.path, line: site.line, message }];
    });
  });

/** What is wrong with importing that from outside of the project. */
function outsideFault(specifier: string, outside: string): string | undefined {
  if (outside === "nothing") return `a pure room or front door imports "${specifier}"`;
  if (outside === "portable" && !PORTABLE.test(specifier)) {
    return `"${specifier}" needs an import map; use node: or npm: with a version`;
  }
  return undefined;
}

/** What is wrong with a room importing that file. */
function insideFault(
  target: string,
  room: string,
  imports: readonly string[] | "any",
): string | undefined {
  const other = roomOf(target)?.name;
  if (other === room || imports === "any") return undefined;
  if (other !== undefined && imports.includes(other)) return undefined;
  return `${room} may not import ${other ?? "a file in no room"} (${target})`;
}

/** Whatever the package exports reaches only specifiers that work without an import map. */
export const portableRule: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const queue = exportsOf(byPath.get("deno.json")).filter((path) => byPath.has(path));
  const seen = new Set(queue);
  const findings: Finding[] = [];
  for (const path of queue) {
    for (const site of importsOf(byPath.get(path)!)) {
      if (site.target === undefined && !PORTABLE.test(site.specifier)) {
        const message = `reachable from an export, but "${site.specifier}" needs an import map`;
        findings.push({ path, line: site.line, message });
      } else if (site.target !== undefined && byPath.has(site.target) && !seen.has(site.target)) {
        seen.add(site.target);
        queue.push(site.target);
      }
    }
  }
  return findings;
};

/** The entry points that deno.json exports, as paths. */
function exportsOf(config: SourceFile | undefined): string[] {
  const { exports = {} } = JSON.parse(config?.text ?? "{}") as { exports?: Record<string, string> };
  return Object.values(exports).map((path) => path.replace(/^\.\//, ""));
}

/** A file whose name begins with an underscore is imported from its own folder only. */
export const privateRule: Rule = (files) =>
  files.filter(isTypeScript).flatMap((file) =>
    importsOf(file).filter((site) => isTrespass(file.path, site)).map((site) => ({
      path: file.path,
      line: site.line,
      message: `imports ${site.target}, which is private to its folder`,
    }))
  );

/** Whether an import reaches into another folder's private file. */
function isTrespass(path: string, { target }: ImportSite): boolean {
  return target !== undefined && nameOf(target).startsWith("_") &&
    folderOf(target) !== folderOf(path);
}

/** A mod.ts only re-exports. */
export const frontDoorRule: Rule = (files) =>
  files.filter((file) => nameOf(file.path) === "mod.ts").flatMap((file) => {
    const findings: Finding[] = [];
    visit(file, () => ({
      Program: (program) => {
        for (const node of program.body) {
          if (node.type === "ExportAllDeclaration") continue;
          if (node.type === "ExportNamedDeclaration" && node.source) continue;
          const message = `a mod.ts only re-exports, but this is ${node.type}`;
          findings.push({ path: file.path, line: lineOf(file, node), message });
        }
      },
    }));
    return findings;
  });
