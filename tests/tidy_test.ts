// Keeps the style of the house: each rule holds for every file of the project, and each rule is
// shown to find a fault, so that none passes because it sees nothing.

import { assertEquals } from "@std/assert";
import { asideRule, consoleRule, sleepRule, worldRule } from "./tidy/banned.ts";
import { frontDoorRule, portableRule, privateRule, roomRule } from "./tidy/imports.ts";
import { nameRule, purposeRule, traceRule } from "./tidy/shape.ts";
import { fileSizeRule, functionSizeRule } from "./tidy/sizes.ts";
import { describe, readTree, type Rule, type SourceFile } from "./tidy/source.ts";
import { taskRule } from "./tidy/tasks.ts";

const files = await readTree(new URL("../", import.meta.url));

/** A bad example with the lines of its faults, or a good one with none. */
type Example = readonly [path: string, text: string, ...lines: number[]];

/** Tests that a rule holds everywhere, and that it finds just the faults of its examples. */
function holds(title: string, rule: Rule, examples: readonly Example[], others: SourceFile[] = []) {
  Deno.test(`tidy: ${title}`, () => {
    assertEquals(describe(rule(files)), "");
  });
  Deno.test(`tidy finds where not: ${title}`, () => {
    for (const [path, text, ...lines] of examples) {
      const found = rule([...others, { path, text }]);
      assertEquals(found.map(({ line }) => line), lines, `${path}\n${text}\n${describe(found)}`);
    }
  });
}

holds("rooms import only what the table allows", roomRule, [
  ["protocol/zmtp/frame.ts", `import "../errors.ts";\nimport { x } from "../io/io.ts";`, 2],
  ["protocol/zmtp/frame.ts", `import type { x } from "../engine/peer.ts";`, 1],
  ["protocol/zmtp/frame.ts", `import { Buffer } from "node:buffer";`, 1],
  ["protocol/zmtp/frame_test.ts", `import "@std/assert";`],
  ["protocol/io/deno_io.ts", `import "../engine/engine.ts";`, 1],
  ["protocol/io/deno_io.ts", `import "../time/clock.ts";\nimport "node:net";`],
  ["protocol/engine/peer.ts", `import "../io/io.ts";\nimport "../sockets/router.ts";`, 2],
  ["protocol/sockets/router.ts", `import "../engine/peer.ts";`],
  ["broker/core/core.ts", `\nexport * from "../broker.ts";`, 2],
  ["broker/frontend.ts", `import "./core/core.ts";\nimport "../protocol/io/io.ts";`, 2],
  ["broker/broker.ts", `import "../worker/session/session.ts";`, 1],
  ["broker/broker.ts", `import "./core/core.ts";\nimport "../protocol/sockets/router.ts";`],
  ["worker/worker.ts", `await import("../client/client.ts");`, 1],
  ["worker/worker.ts", `new URL("../broker/mod.ts", import.meta.url);`, 1],
  ["client/client.ts", `type T = import("../worker/mod.ts").T;`, 1],
  ["client/client.ts", `import { delay } from "@std/async";`, 1],
  ["client/client.ts", `import chart from "npm:asciichart";`, 1],
  ["client/client.ts", `import chart from "npm:@a/chart@1/sub.js";`],
  ["client/console/main.ts", `import "@std/cli/parse-args";\nimport "../../terminal/table.ts";`],
  ["cellar/wine.ts", `export {};`, 1],
]);

holds("what is exported needs no import map", portableRule, [
  [
    "a/b.ts",
    `import "node:fs";\nimport "npm:x@1";\nimport "@std/assert";\nimport "jsr:@a/b@1";`,
    3,
    4,
  ],
  ["a/c.ts", `import "@std/assert";`],
], [
  { path: "deno.json", text: `{ "exports": { ".": "./mod.ts" } }` },
  { path: "mod.ts", text: `export * from "./a/b.ts";` },
]);

holds("a private file serves its own folder", privateRule, [
  ["a/b.ts", `import "./_c.ts";\nimport "../d/_e.ts";`, 2],
]);

holds("a mod.ts only re-exports", frontDoorRule, [
  ["a/mod.ts", `export * from "./b.ts";\nexport type { C } from "./c.ts";`],
  ["a/mod.ts", `export * from "./b.ts";\nexport const x = 1;\nconsole.log(x);`, 2, 3],
]);

holds("files are short", fileSizeRule, [
  ["a.ts", "\n".repeat(400)],
  ["a.ts", "\n".repeat(401), 400],
  ["a_test.ts", "\n".repeat(600)],
  ["a_test.ts", "\n".repeat(601), 600],
]);

holds("functions are short", functionSizeRule, [
  ["a.ts", `function f() {${"\n".repeat(69)}}`],
  ["a.ts", `\nfunction f() {${"\n".repeat(70)}}`, 2],
  ["a.ts", `\n\nexport const f = () => {${"\n".repeat(70)}};`, 3],
  ["a.ts", `class C {\n  m(): void {${"\n".repeat(70)}}\n}`, 2],
]);

holds("files and folders have names in snake_case", nameRule, [
  ["a/message_reader.ts", ""],
  ["a/_b_test.ts", ""],
  ["a/messageReader.ts", "", 1],
  ["a/message-reader.ts", "", 1],
  ["aB/c.ts", "", 1],
  ["a/index.ts", "", 1],
  ["a/utils.ts", "", 1],
]);

holds("each file opens with its purpose", purposeRule, [
  ["a.ts", `/**\n * Reads frames out of bytes.\n */\nexport {};`],
  ["a.ts", `#!/usr/bin/env -S deno run\n// Reads frames out of bytes.\nexport {};`],
  ["a.ts", `export {};\n// Reads frames out of bytes.`, 1],
  ["a.ts", `// deno-lint-ignore-file no-explicit-any\nexport {};`, 1],
  ["a.ts", `// Frames\nexport {};`, 1],
]);

holds("no line tells where it was written", traceRule, [
  ["a.md", `see https://${"registry"}.example.com/x`, 1],
  ["a.md", `fine\nsee ${["", "work", "main"].join("/")}`, 2],
  ["a.ts", `import "${["", "tmp", "tool", "x"].join("/")}";`, 1],
  ["a.ts", `"file://${["", "root", "x"].join("/")}"`, 1],
  ["a.md", `docs${["", "work", "x"].join("/")}`],
]);

holds("clock, timers, chance and network come through io", worldRule, [
  ["broker/broker.ts", `Date.now();\nperformance.now();\nMath\n  .random();`, 1, 2, 3],
  [
    "broker/broker.ts",
    `// Date.now()\n"Date.now()";\nio.setTimeout(f, 1);\ntype T = typeof setTimeout;`,
  ],
  ["broker/broker.ts", `const { now } = performance;\nconst later = setTimeout;`, 1, 2],
  ["broker/broker.ts", `globalThis.setTimeout(f);\nglobalThis.Date.now();\nnew Date();`, 1, 2, 3],
  ["broker/broker.ts", `new Date(0);\nthis.#io.random();`],
  ["protocol/engine/engine.ts", `Deno.listen({});\nDeno.connect({});\nf(setInterval);`, 1, 2, 3],
  ["worker/session/session.ts", `crypto.getRandomValues(x);\nAbortSignal.timeout(5);`, 1, 2],
  ["protocol/io/simulated_clock.ts", `Date.now();\nsetTimeout(f);\nperformance.now();`, 3],
  ["protocol/io/deno_io.ts", `performance.now();`],
  ["protocol/io/deno_io_test.ts", `Date.now();`],
]);

holds("a library keeps off the console", consoleRule, [
  ["broker/broker.ts", `\n// deno-lint-ignore no-console\nconsole.log();`, 2],
  ["broker/console/main.ts", `// deno-lint-ignore-file no-console`],
]);

holds("every test runs", asideRule, [
  ["a_test.ts", `Deno.test.ignore("x", f);\nDeno.test.only("x", f);\nt.step.skip();`, 1, 2, 3],
  ["a_test.ts", `Deno.test({ ignore: true, fn });\nDeno.test({ only: true, fn });`, 1, 2],
  ["a_test.ts", `Deno.test("x", f); // ignore: true`],
]);

holds("tests do not sleep", sleepRule, [
  ["a_test.ts", `await delay(10);\nawait time.delay(10);\nsleep(1);`, 1, 2, 3],
  ["a_test.ts", `await new Promise((r) => setTimeout(r, 10));`, 1],
  ["a_test.ts", `await new Promise((r) => { setTimeout(() => r(), 10); });`, 1],
  ["a_test.ts", `import { FakeTime } from "@std/testing/time";\ndelay(10);`],
  ["a.ts", `delay(10);`],
]);

/** A deno.json whose pure run takes these patterns. */
function config(pure: string, ignored: string): string {
  const tasks = { "test:pure": { command: pure }, "test:world": { command: ignored } };
  return JSON.stringify({ tasks });
}

const real = files.find(({ path }) => path === "deno.json")?.text ?? "";
const { tasks } = JSON.parse(real) as { tasks: Record<string, { command: string }> };
const pure = tasks["test:pure"]?.command ?? "";
const world = tasks["test:world"]?.command ?? "";

holds("the two runs of the tests share them out", taskRule, [
  ["deno.json", config(pure, world)],
  ["deno.json", config(`${pure} --allow-read`, world), 1],
  ["deno.json", config(pure, world.replace(",broker/core/**", "")), 1],
  ["deno.json", config(pure.replace(" 'broker/core/**'", ""), world), 1, 1],
]);
