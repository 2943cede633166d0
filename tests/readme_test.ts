/**
 * The README's quick start, done by a stranger: its files and commands as they stand, in an empty
 * folder with an empty cache. Endpoints come behind the commands, so that free ports are used.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { fencesOf } from "./docs/grammar.ts";
import { sectionOf } from "./docs/markdown.ts";
import { Stranger } from "./process/stranger.ts";

const readme = await Deno.readTextFile(new URL("../README.md", import.meta.url));
const quickStart = sectionOf(readme, "Quick start");
const [serve = "", ...commands] = fencesOf(quickStart, "sh").flatMap((text) =>
  text.trimEnd().split("\n")
);

/** The files of the quick start by name: their first line tells it. */
const files = new Map(
  fencesOf(quickStart, "ts ignore").map((text) => {
    const name = /^\/\/ (\w+\.ts)\n/.exec(text)?.[1];
    if (name === undefined) throw new Error(`a file without a name:\n${text}`);
    return [name, text];
  }),
);

Deno.test("README: the quick start has three files of at most five lines, and a command for each", () => {
  const names = ["broker.ts", "worker.ts", "client.ts"];
  assertEquals([...files.keys()], names);
  for (const text of files.values()) {
    const [, ...lines] = text.trimEnd().split("\n");
    assert(lines.length <= 5, text);
  }
  assertEquals(commands.map((command) => command.split(" ").at(-1)), names);
});

Deno.test("README: the quick start leads from an empty folder to a handler that answers", async () => {
  await using stranger = await Stranger.arrive(serve);
  for (const [name, text] of files) await stranger.write(name, text);
  const [startBroker, startWorker, startClient] = commands as [string, string, string];

  await using broker = stranger.type(startBroker, "tcp://127.0.0.1:*", "tcp://127.0.0.1:*");
  const line = await broker.stdout.next() ?? "";
  assertMatch(line, /^clients connect to tcp:\S+, workers to tcp:\S+$/);
  const [frontend, backend] = line.match(/tcp:[^\s,]+/g)!;
  await using worker = stranger.type(startWorker, backend!);
  assertMatch(await worker.stdout.next() ?? "", /^worker-\w+ waits for jobs$/);
  await using client = stranger.type(startClient, frontend!);
  const { code, stdout } = await client.outcome();
  const [told] = fencesOf(quickStart, "text");
  assertEquals(`${stdout.join("\n")}\n`, told);
  assertEquals(code, 0);
});

Deno.test("README: the types of the quick start flow from worker.ts to client.ts", async () => {
  await using stranger = await Stranger.arrive(serve);
  for (const [name, text] of files) await stranger.write(name, text);
  const check = commands[0]!.replace("deno run", "deno check").replace(/ --allow-net\S*/, "")
    .replace("broker.ts", "client.ts");
  await using good = stranger.type(check);
  assertEquals((await good.outcome()).code, 0);
  await stranger.write("client.ts", files.get("client.ts")!.replace("name:", "nome:"));
  await using bad = stranger.type(check);
  const { code, stderr } = await bad.outcome();
  assertMatch(stderr.join("\n"), /'nome' does not exist in type/);
  assertEquals(code, 1);
});
