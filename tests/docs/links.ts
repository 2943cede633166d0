// Rules on what documents point to: files, headings and paths that they name must be there.

import type { Finding, Rule } from "../tidy/source.ts";
import { anchorsOf, codeWordsOf, isMarkdown, linksOf } from "./markdown.ts";

/** Every relative link leads to a file or folder of the project, and to a heading that it has. */
export const linkRule: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const isFolder = (path: string) => files.some((file) => file.path.startsWith(path));
  return files.filter(isMarkdown).flatMap((document) =>
    linksOf(document).flatMap(({ path, anchor, line }): Finding[] => {
      const fault = (message: string) => [{ path: document.path, line, message }];
      const file = byPath.get(path);
      if (file === undefined) {
        return isFolder(path.endsWith("/") ? path : `${path}/`)
          ? []
          : fault(`${path} is not there`);
      }
      if (anchor === "" || anchorsOf(file).includes(anchor)) return [];
      return fault(`${path} has no heading #${anchor}`);
    })
  );
};

/** Every path to a file that is written as code, such as `zmtp/frame.ts`, ends one of the project's. */
export const pathRule: Rule = (files) => {
  const isThere = (word: string) =>
    files.some(({ path }) => path === word || path.endsWith(`/${word}`));
  return files.filter(isMarkdown).flatMap((document) =>
    codeWordsOf(document)
      .filter(({ word }) => /^[\w.-]+(\/[\w.-]+)+\.(ts|mjs|md|json|txt)$/.test(word))
      .filter(({ word }) => !isThere(word.replace(/^\.\//, "")))
      .map(({ word, line }) => ({ path: document.path, line, message: `${word} is not there` }))
  );
};
