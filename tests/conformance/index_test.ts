// Shows that the suite is complete: every line of the checklist has a test that names it, and every
// number that a test names is a line.

import { assert, assertEquals } from "@std/assert";
import { CHECKLIST } from "./checklist.ts";
import { RULES } from "./rules.ts";

const home = new URL(".", import.meta.url);

/** A test by its title: the line that it names, and the rule in a few words. */
interface Title {
  readonly file: string;
  readonly line: number;
  readonly words: string;
}

/** The two ways to write a test of a line: `Deno.test("zmtp 1: words", …)`, `zmtp(1, "words", …)`. */
const WAYS = [
  /\bDeno\.test\(\s*["`]zmtp (\d+): ([^"`]*)["`]/g,
  /^zmtp\(\s*(\d+),\s*["`]([^"`]*)["`]/gm,
];

/** The titles in the text of a file. */
function titlesIn(file: string, text: string): Title[] {
  return WAYS.flatMap((way) =>
    [...text.matchAll(way)].map(([, line, words]) => ({ file, line: Number(line), words: words! }))
  );
}

/** The titles of all files of tests in this folder; those of wire_test.ts are data. */
function titlesOfSuite(): Title[] {
  const titles = RULES.map((rule) => ({
    file: "wire_test.ts",
    line: rule.number,
    words: rule.title,
  }));
  for (const { name } of Deno.readDirSync(home)) {
    if (!name.endsWith("_test.ts") || name === "index_test.ts") continue;
    titles.push(...titlesIn(name, Deno.readTextFileSync(new URL(name, home))));
  }
  return titles;
}

/** Lines without a test, and tests without a line. */
function gaps(titles: readonly Title[]): string[] {
  const lines = CHECKLIST.flatMap((words, i) =>
    titles.some(({ line }) => line === i + 1) ? [] : [`line ${i + 1} has no test: ${words}`]
  );
  const strays = titles.filter(({ line }) => line < 1 || line > CHECKLIST.length)
    .map(({ file, line, words }) => `${file}: there is no line ${line}: ${words}`);
  return [...lines, ...strays];
}

Deno.test("every line of the checklist has a test, and every number a line", () => {
  assertEquals(CHECKLIST.length, 47);
  assertEquals(gaps(titlesOfSuite()), []);
});

Deno.test("no two tests of a line have the same title", () => {
  const all = titlesOfSuite().map(({ line, words }) => `zmtp ${line}: ${words}`);
  assertEquals(all.filter((title, i) => all.indexOf(title) !== i), []);
  assert(all.length > 150, `only ${all.length} titles were found`);
});

Deno.test("a missing line and a stray number are found", () => {
  const titles = titlesOfSuite();
  assertEquals(gaps(titles.filter(({ line }) => line !== 46)), [
    `line 46 has no test: ${CHECKLIST[45]}`,
  ]);
  const text = `Deno.test(\n  "zmtp 48: one too many", () => {});\nzmtp(0, "one too few", body);`;
  assertEquals(gaps([...titles, ...titlesIn("x_test.ts", text)]), [
    "x_test.ts: there is no line 48: one too many",
    "x_test.ts: there is no line 0: one too few",
  ]);
});
