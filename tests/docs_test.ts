// Keeps documents and code together: what documents name is there, what they say of numbers is what
// the code says, and every exported symbol is documented with an example that runs. Each rule is
// shown to find a fault, so that none passes because it sees nothing.

import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import {
  cells,
  codes,
  events,
  limits,
  octets,
  options,
  time,
  workerNumbers,
  workerOptions,
} from "./docs/facts.ts";
import { fencesOf, readGrammar } from "./docs/grammar.ts";
import { linkRule, pathRule } from "./docs/links.ts";
import { anchorsOf, sectionOf, tableUnder } from "./docs/markdown.ts";
import { playOctets } from "./docs/octet_examples.ts";
import {
  brokerLimits,
  brokerOptions,
  callErrors,
  drops,
  errorCodes,
  faults,
  refusals,
  wordNames,
} from "./docs/protocol_facts.ts";
import { documentationOf, undocumented } from "./docs/symbols.ts";
import {
  describedTaskRule,
  modestTaskRule,
  namedTaskRule,
  runDocumentsRule,
  toldPermissionRule,
  versionRule,
} from "./docs/tasks.ts";
import { ERROR_SENTENCES } from "../protocol/dialogue/error_code.ts";
import { encodeHeaders } from "../protocol/dialogue/requests.ts";
import { ZEROMQ } from "./interop/install.ts";
import { roomOf, ROOMS } from "./tidy/rooms.ts";
import { describe, readTree, type Rule, type SourceFile } from "./tidy/source.ts";

const root = new URL("../", import.meta.url);
const files = await readTree(root);
const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? "";
const readme = textOf("README.md");
const sockets = textOf("docs/SOCKETS.md");
const protocol = textOf("docs/PROTOCOL.md");
const errors = textOf("docs/ERRORS.md");
const config = JSON.parse(textOf("deno.json")) as { exports: Record<string, string> };

/** Files to judge, and how many faults they have. */
type Example = readonly [faults: number, ...files: readonly (readonly [string, string])[]];

/** Tests that a rule holds in the project, and that it finds the faults of its examples. */
function holds(title: string, rule: Rule, examples: readonly Example[]): void {
  Deno.test(`docs: ${title}`, () => {
    assertEquals(describe(rule(files)), "");
  });
  Deno.test(`docs finds where not: ${title}`, () => {
    for (const [faults, ...pairs] of examples) {
      const given: SourceFile[] = pairs.map(([path, text]) => ({ path, text }));
      const found = rule(given);
      assertEquals(found.length, faults, `${JSON.stringify(pairs)}\n${describe(found)}`);
    }
  });
}

/** A deno.json with one task. */
function taskFile(name: string, command: string, description = "Does it"): [string, string] {
  return ["deno.json", JSON.stringify({ tasks: { [name]: { description, command } } })];
}

holds("every relative link leads somewhere", linkRule, [
  [0, ["a.md", "[b](docs/b.md) [c](./docs/b.md#one-two) [d](docs) [e](https://x.org/y)"], [
    "docs/b.md",
    "# One, two!\n[up](../a.md) [self](#one-two)",
  ]],
  [3, ["a.md", "[b](b.md) [c](docs/)\n[self](#nowhere)"]],
  [1, ["a.md", "[b](b.md#three)"], ["b.md", "# One\n```\n# Three\n```\n"]],
  [0, ["a.md", "`[b](b.md)`\n```\n[b](b.md)\n```\n"]],
]);

holds("every path written as code is there", pathRule, [
  [0, ["a.md", "`zmtp/frame.ts` `x.ts` `tests/*_test.ts`"], ["protocol/zmtp/frame.ts", ""]],
  [2, ["a.md", "`mtp/frame.ts`\n`zmtp/frames.ts`"], ["protocol/zmtp/frame.ts", ""]],
]);

holds("every task that a document names is there", namedTaskRule, [
  [0, taskFile("test:pure", "x"), ["a.md", "`deno task test:pure`, `deno task` lists them"]],
  [1, taskFile("test", "x"), ["a.md", "deno task demo"]],
  [1, taskFile("test", "x"), ["a.md", "```sh\nnpx --yes deno@2.9.6 task demo\n```"]],
]);

holds("every task has a description", describedTaskRule, [
  [0, taskFile("a", "x")],
  [1, taskFile("a", "x", "")],
  [1, ["deno.json", `{ "tasks": { "a": "deno test" } }`]],
]);

holds("no task asks for all permissions", modestTaskRule, [
  [0, taskFile("a", "deno run --allow-net=127.0.0.1 a.ts -B")],
  [1, taskFile("a", "deno run -A a.ts")],
  [1, taskFile("a", "deno run -qA a.ts")],
  [1, taskFile("a", "deno run --allow-all a.ts")],
]);

const PERMISSIONS = "# Permissions\n\n| task | permissions |\n| - | - |\n";

holds("the README tells the permissions of every task", toldPermissionRule, [
  [0, taskFile("a", "deno run --allow-run --allow-net=x a.ts"), [
    "README.md",
    `${PERMISSIONS}| \`deno task a\` | net, run | why |\n`,
  ]],
  [0, taskFile("a", "deno lint"), ["README.md", PERMISSIONS]],
  [1, taskFile("a", "deno run --allow-net a.ts"), ["README.md", PERMISSIONS]],
  [1, taskFile("a", "deno run --allow-net a.ts"), [
    "README.md",
    `${PERMISSIONS}| \`deno task a\` | net, read | why |\n`,
  ]],
  [1, [
    "deno.json",
    `{ "permissions": { "p": { "net": [] } }, "tasks": { "a": { "command": "deno run -P=p a.ts" } } }`,
  ], ["README.md", PERMISSIONS]],
]);

holds("the examples of every document are run", runDocumentsRule, [
  [0, taskFile("test:world", "deno test --doc '--ignore=a/**'")],
  [1, taskFile("test:world", "deno test '--ignore=a/**'")],
  [1, taskFile("test:world", "deno test --doc tests/")],
]);

holds("documents and the gate name one version of Deno", versionRule, [
  [0, [".ci/run", "npx --yes deno@2.9.6 task ok"], ["a.md", "npx --yes deno@2.9.6 task"]],
  [1, [".ci/run", "npx --yes deno@2.9.6 task ok"], ["a.md", "npx --yes deno@2.9.5 task"]],
]);

for (const entry of Object.values(config.exports)) {
  Deno.test(`docs: every symbol that ${entry} exports has a text and an example`, async () => {
    const documentation = await documentationOf(new URL(entry, root));
    assertNotEquals(documentation.symbols?.length ?? 0, 0, "no symbol was seen");
    assertEquals(undocumented(documentation), []);
  });
}

Deno.test("undocumented() finds symbols without text, without example, with one that can't run", () => {
  const example = (doc: string) => ({ doc: "Does it.", tags: [{ kind: "example", doc }] });
  const good = example("```ts\nrun();\n```");
  const symbol = (name: string, ...docs: object[]) => ({
    name,
    declarations: docs.map((doc) => ({ kind: "function", ...doc })),
  });
  const symbols = [
    symbol("good", { jsDoc: good }),
    symbol("overloaded", {}, { jsDoc: good }),
    symbol("silent", {}),
    symbol("vague", { jsDoc: { doc: "Does it." } }),
    symbol("still", { jsDoc: example("```ts ignore\nrun();\n```") }),
  ];
  assertEquals(undocumented({ symbols }), [
    "the module has no documentation",
    "silent has no documentation",
    "vague has no @example that runs",
    "still has no @example that runs",
  ]);
});

Deno.test("SOCKETS: the table of limits is what the constants say", () => {
  const told = tableUnder(sockets, "Limits").map(([what, value]) => [what, value]);
  assertEquals(told, limits());
});

Deno.test("SOCKETS: the table of options is what the defaults say", () => {
  const told = tableUnder(sockets, "Options").map(([name, value]) => [name, value]);
  assertEquals(told, options());
});

Deno.test("SOCKETS: the table of errors has every code once", () => {
  assertEquals(tableUnder(sockets, "Errors").map(([code]) => code!).sort(), codes());
});

Deno.test("SOCKETS: the table of events has every event once", () => {
  assertEquals(tableUnder(sockets, "Events").map(([event]) => event!).sort(), events());
});

Deno.test("SOCKETS: what it says of the interop matrix is so", () => {
  const [, version] = ZEROMQ.split("@");
  assertEquals(sockets.includes(`${cells()} cells`), true, `${cells()} cells are played`);
  assertEquals(
    sockets.includes(`zeromq.js ${version}`),
    true,
    `zeromq.js ${version} is played with`,
  );
});

Deno.test("README: the table of a worker's options is what the code takes", () => {
  const told = tableUnder(readme, "Worker").map(([name, value]) => [name, value]);
  assertEquals(told.map(([name]) => name), workerOptions());
  for (const [name, value] of workerNumbers()) {
    assertEquals(told.find(([other]) => other === name)?.[1], value, name);
  }
});

Deno.test("README: it opens with the two commands", () => {
  const commands = [...readme.matchAll(/```sh\n(.+)\n```/g)].map((match) => match[1]);
  assertEquals(commands.slice(0, 2).map((command) => command!.split(" task ")[1]), [
    "demo",
    "test",
  ]);
});

/** The first cells of the table below a heading, without the marks of code. */
function firstCells(text: string, heading: string): string[] {
  return tableUnder(text, heading).map(([cell = ""]) => cell.replaceAll("`", ""));
}

Deno.test("PROTOCOL: the table of words has every word once", () => {
  assertEquals(firstCells(protocol, "All words").sort(), wordNames());
});

Deno.test("PROTOCOL and ERRORS: every code of an ERROR is there, with its sentence", () => {
  assertEquals(firstCells(protocol, "All error codes"), errorCodes());
  const told = [...errors.matchAll(/^\| `([A-Z_]+)` +\| ([^|`]+?) +\|$/gm)];
  assertEquals(Object.fromEntries(told.map(([, code, text]) => [code, text])), ERROR_SENTENCES);
});

Deno.test("PROTOCOL and ERRORS: every reason of REFUSED is there", () => {
  assertEquals(firstCells(protocol, "Refusals").sort(), refusals().sort());
  assertEquals(firstCells(errors, "Refused workers").sort(), refusals().sort());
});

Deno.test("PROTOCOL and ERRORS: every reason of a drop is there", () => {
  assertEquals(firstCells(protocol, "What is dropped, and counted").sort(), drops().sort());
  assertEquals(firstCells(errors, "What the broker drops").sort(), drops().sort());
});

Deno.test("PROTOCOL: the tables of limits and options are what the code says", () => {
  const firstTwo = (heading: string) =>
    tableUnder(protocol, heading).map(([name, value]) => [name, value]);
  assertEquals(firstTwo("Limits"), brokerLimits());
  assertEquals(firstTwo("Options of the broker"), brokerOptions());
});

Deno.test("PROTOCOL: the grammar is whole, and has every word and every reason", () => {
  const [block = ""] = fencesOf(protocol, "abnf");
  const { defined, used, strings } = readGrammar(block);
  assertEquals(defined.toSorted(), [...new Set(defined)].sort(), "a rule is defined twice");
  const roots = ["from-client", "to-client", "from-worker", "to-worker", "rep-message"];
  const known = new Set([...defined, "OCTET", "DIGIT"]);
  assertEquals([...used].filter((rule) => !known.has(rule)), [], "used, not defined");
  assertEquals(defined.filter((rule) => !used.has(rule) && !roots.includes(rule)), []);
  assertEquals(strings.get("reason")?.toSorted(), refusals().sort());
  for (const word of wordNames()) assertEquals(strings.get(word.toLowerCase()), [word]);
});

Deno.test("PROTOCOL: the example of a header is how headers are written", () => {
  const told = /`service` = `img` is `([0-9a-f ]+)`/.exec(protocol)?.[1];
  assertEquals(told?.replaceAll(" ", ""), encodeHeaders([["service", "img"]]).toHex());
});

Deno.test("PROTOCOL: the broker says what the examples in octets say", () => {
  const conversations = fencesOf(protocol, "text").filter((text) => text.includes(" hears "));
  assertNotEquals(conversations.length, 0);
  for (const text of conversations) assertEquals(playOctets(text), []);
});

Deno.test("playOctets() finds octets and answers that are wrong, and what is missing", () => {
  const start = 'worker is a DEALER\n\nworker says ["", READY]\n    01 00\n';
  const ready = "    00 05 52 45 41 44 59\n";
  const hears = (word: string, hex: string) =>
    `worker hears ["", ${word}]\n    01 00\n    ${hex}\n`;
  assertEquals(playOctets(start + ready + hears("PONG", "00 04 50 4f 4e 47")), []);
  assertEquals(playOctets(start + ready).length, 1);
  assertEquals(playOctets(start + ready + hears("PONG", "00 04 50 4f 4e 48")).length, 2);
  assertEquals(playOctets(start + ready + hears("EXIT", "00 04 45 58 49 54")).length, 1);
  assertEquals(playOctets(`${start}    00 05 52 45 41 44 58\n`).length, 2);
  const job = "worker says [<job 1>]\n    01 09 00 00 00 00 00 00 00 00 01\n";
  const faults = playOctets(`worker is a DEALER\n${job}${job.replace("01\n", "02\n")}`);
  assertEquals(faults.at(-1)?.startsWith("several job ids"), true);
});

Deno.test("readGrammar() sees what is defined, used and written as a string", () => {
  const { defined, used, strings } = readGrammar(
    'a = b 1*c ; not d\n  / %s"E" %x00-FF\nb = "x" f\n',
  );
  assertEquals(defined, ["a", "b"]);
  assertEquals([...used], ["b", "c", "f"]);
  assertEquals(strings.get("a"), ["E"]);
});

Deno.test("ERRORS: every way in which a call can fail is there, with its class", () => {
  assertEquals(
    tableUnder(errors, "Failed calls").map(([code, name]) => [code, name]),
    callErrors(),
  );
});

Deno.test("ERRORS: the table of sockets is that of SOCKETS, and that of faults has every fault", () => {
  assertEquals(tableUnder(errors, "Sockets"), tableUnder(sockets, "Errors"));
  assertEquals(
    tableUnder(errors, "Faults of peers").map(([fault, code]) => [fault, code]),
    faults(),
  );
});

Deno.test("ARCHITECTURE: the table of rooms has every room of the package that has files", () => {
  const told = tableUnder(textOf("docs/ARCHITECTURE.md"), "Rooms, and who may import whom")
    .map(([room]) => room!.replaceAll("`", ""));
  const inPackage = /^(protocol|broker|worker|client|terminal)\/|^mod\.ts$/;
  const names = new Set(
    files.filter(({ path }) => inPackage.test(path) && path.endsWith(".ts"))
      .map(({ path }) => roomOf(path)?.name),
  );
  const held = ROOMS.filter(({ name }) => names.has(name)).map(({ holds }) => holds.join(", "));
  assertEquals(told.toSorted(), held.toSorted());
});

Deno.test("sectionOf() gives what stands below a heading, deeper headings included", () => {
  const text = "# A\none\n## B\ntwo\n### C\n```sh\n# no heading\n```\n## D\nthree\n";
  assertEquals(sectionOf(text, "B"), "two\n### C\n```sh\n# no heading\n```");
  assertEquals(sectionOf(text, "D"), "three\n");
  assertThrows(() => sectionOf(text, "E"), Error, "no heading E");
});

Deno.test("fencesOf() gives the blocks that have those words behind the fence", () => {
  const text = "```ts\na\n```\n```ts ignore\nb\n```\n```\nc\n```\n";
  assertEquals(fencesOf(text, "ts"), ["a\n"]);
  assertEquals(fencesOf(text, "ts ignore"), ["b\n"]);
});

Deno.test("tableUnder() gives the first table of a section, without its head", () => {
  const text = "# A\n\n| x |\n| - |\n| 1 |\n\n## B c\ntext\n\n| x | y |\n| - | - |\n| 2 | `3` |\n";
  assertEquals(tableUnder(text, "A"), [["1"]]);
  assertEquals(tableUnder(text, "B c"), [["2", "`3`"]]);
  assertEquals(tableUnder(text, "C"), []);
});

Deno.test("anchorsOf() makes anchors as GitHub does", () => {
  const text = "# One, two!\n## Élan & co\n```\n# not one\n```\n";
  assertEquals(anchorsOf({ path: "a.md", text }), ["one-two", "élan--co"]);
});

Deno.test("octets() and time() write numbers as people do", () => {
  assertEquals([255, 1024, 3 * 2 ** 20, 2 ** 30].map(octets), ["255", "1 KiB", "3 MiB", "1 GiB"]);
  assertEquals([100, 30_000, 65_500].map(time), ["100 ms", "30 s", "65.5 s"]);
});
