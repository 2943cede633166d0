// A rule on deno.json: what the pure run of the tests takes, and that alone, the other run leaves
// out, so that no test is forgotten by both; and every pure room is in the pure run.

import { ROOMS } from "./rooms.ts";
import type { Finding, Rule } from "./source.ts";

interface Config {
  readonly tasks?: Record<string, { readonly command: string }>;
}

/** The patterns that the pure run takes: the quoted words of its command. */
function taken(command: string): string[] {
  return [...command.matchAll(/'([^'-][^']*)'/g)].map((match) => match[1]!);
}

/** The patterns that the other run leaves out. */
function leftOut(command: string): string[] {
  return /'--ignore=([^']*)'/.exec(command)?.[1]?.split(",") ?? [];
}

/** Whether a pattern such as `a/b/**` or `a/b*.ts` takes a room's folder or file. */
function takes(pattern: string, held: string): boolean {
  return pattern === `${held}**` || pattern === held.replace(/\.ts$/, "*.ts");
}

/** Both runs of the tests together run every test once, and pure rooms get no permission. */
export const taskRule: Rule = (files) => {
  const file = files.find(({ path }) => path === "deno.json");
  if (file === undefined) return [];
  const findings: Finding[] = [];
  const add = (message: string) => findings.push({ path: file.path, line: 1, message });
  const { tasks = {} } = JSON.parse(file.text) as Config;
  const pure = tasks["test:pure"]?.command ?? "";
  const inPure = taken(pure);
  const outOfWorld = leftOut(tasks["test:world"]?.command ?? "");
  if (/--allow|-A\b|-P\b/.test(pure)) add("test:pure asks for a permission");
  for (const pattern of new Set([...inPure, ...outOfWorld])) {
    if (!inPure.includes(pattern)) add(`test:world leaves out ${pattern}, which test:pure lacks`);
    if (!outOfWorld.includes(pattern)) add(`${pattern} runs in test:pure and in test:world`);
  }
  for (const room of ROOMS) {
    const isDoor = room.holds.every((held) => held.endsWith("mod.ts"));
    if (room.outside !== "nothing" || isDoor) continue;
    for (const held of room.holds) {
      if (!inPure.some((pattern) => takes(pattern, held))) add(`test:pure lacks ${held}`);
    }
  }
  return findings;
};
