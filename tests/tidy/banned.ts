// Rules on calls: clock, timers, chance and the network come through `io`, so only its back-ends
// may name the globals; and tests neither sleep nor stand aside.

import { type Finding, isTest, isTypeScript, type Rule, type SourceFile } from "./source.ts";
import { importsOf, lineOf, visit } from "./syntax.ts";

/** Members of globals that touch the world. */
const MEMBERS: ReadonlySet<string> = new Set([
  "Date.now",
  "performance.now",
  "Math.random",
  "crypto.getRandomValues",
  "crypto.randomUUID",
  "AbortSignal.timeout",
  "Deno.listen",
  "Deno.listenDatagram",
  "Deno.listenTls",
  "Deno.connect",
  "Deno.connectTls",
]);

/** Global functions that touch the world. */
const FUNCTIONS: ReadonlySet<string> = new Set(["setTimeout", "setInterval", "setImmediate"]);

/** Folders that the rule binds. */
const BOUND = /^(protocol|broker|worker|client|terminal)\//;

/** Who may name what. An entry is added with its reason, or not at all. */
const ALLOWED = new Map<
  string,
  ReadonlySet<string> | "all"
>([
  // The one door to the world.
  ["protocol/io/deno_io.ts", "all"],
  // The clock of its twin in memory may run on the globals that FakeTime drives.
  ["protocol/io/simulated_clock.ts", new Set(["Date.now", "setTimeout", "setInterval"])],
  // People who read logs want the time of day; nothing is decided by it.
  ["terminal/wall_clock.ts", new Set(["Date.now"])],
]);

/** What of the world a file names. */
function worldlyNames(file: SourceFile): { readonly name: string; readonly line: number }[] {
  const found: { name: string; line: number }[] = [];
  const add = (name: string, node: Deno.lint.Node) =>
    found.push({ name, line: lineOf(file, node) });
  visit(file, (text) => ({
    MemberExpression: (node) => {
      const whole = text(node).replace(/\s|\?/g, "");
      const name = whole.replace(/^globalThis\./, "");
      if (MEMBERS.has(name) || name !== whole && FUNCTIONS.has(name)) add(name, node);
    },
    NewExpression: (node) => {
      if (text(node.callee) === "Date" && node.arguments.length === 0) add("Date.now", node);
    },
    VariableDeclarator: (node) => {
      if (node.init?.type !== "Identifier") return;
      if (FUNCTIONS.has(node.init.name)) add(node.init.name, node);
      if (node.id.type !== "ObjectPattern") return;
      for (const property of node.id.properties) {
        // Of a shorthand property the parser gives the braces too.
        const key = text(property).replace(/^\{\s*/, "").split(/[:=\s}]/)[0];
        if (MEMBERS.has(`${node.init.name}.${key}`)) add(`${node.init.name}.${key}`, node);
      }
    },
    CallExpression: (node) => {
      for (const part of [node.callee, ...node.arguments]) {
        if (part.type === "Identifier" && FUNCTIONS.has(part.name)) add(part.name, part);
      }
    },
  }));
  return found;
}

/** Clock, timers, chance and network stay in `io`. */
export const worldRule: Rule = (files) =>
  files.filter((file) => isTypeScript(file) && BOUND.test(file.path) && !isTest(file.path))
    .flatMap((file) => {
      const allowed = ALLOWED.get(file.path);
      if (allowed === "all") return [];
      return worldlyNames(file).filter(({ name }) => !allowed?.has(name)).map(({ name, line }) => ({
        path: file.path,
        line,
        message: `${name} belongs in protocol/io/deno_io.ts; take it through io`,
      }));
    });

/** Where output is the purpose, a file may ask the linter to let `console` pass. */
const SPEAKERS = /^(bench|examples|terminal|tests)\/|^(broker|worker|client)\/(console\/|main\.ts)/;

/** Nothing but programs writes to the console. */
export const consoleRule: Rule = (files) =>
  files.filter((file) => isTypeScript(file) && !SPEAKERS.test(file.path)).flatMap((file) =>
    file.text.split("\n").flatMap((line, i) =>
      /deno-lint-ignore(-file)?\b.*\bno-console\b/.test(line)
        ? [{ path: file.path, line: i + 1, message: "a library does not write to the console" }]
        : []
    )
  );

/** Ways of leaving a test out, or all others. */
const ASIDE = /^(.*\.)?(test|step|it|describe)\.(ignore|only|skip)$/;

/** Every test runs, always. */
export const asideRule: Rule = (files) =>
  files.filter((file) => isTypeScript(file) && isTest(file.path)).flatMap((file) => {
    const findings: Finding[] = [];
    const add = (node: Deno.lint.Node, what: string) =>
      findings.push({ path: file.path, line: lineOf(file, node), message: `${what} hides tests` });
    visit(file, (text) => ({
      MemberExpression: (node) => {
        if (ASIDE.test(text(node))) add(node, text(node));
      },
      Property: (node) => {
        if (/^["']?(ignore|only)["']?\s*:\s*true$/.test(text(node))) add(node, text(node));
      },
    }));
    return findings;
  });

/** Tests wait on fake time, or on what they wait for; they never sleep. */
export const sleepRule: Rule = (files) =>
  files.filter((file) => isTypeScript(file) && isTest(file.path)).flatMap((file) => {
    const fakes = importsOf(file).some((site) => site.specifier === "@std/testing/time");
    if (fakes) return [];
    const findings: Finding[] = [];
    const add = (node: Deno.lint.Node) =>
      findings.push({ path: file.path, line: lineOf(file, node), message: "sleeps in real time" });
    visit(file, (text) => ({
      CallExpression: (node) => {
        const callee = text(node.callee);
        // A memory link's delay() is a fault on demand, in simulated time.
        if (/^(.*\.)?(delay|sleep)$/.test(callee) && callee !== "link.delay") add(node);
      },
      NewExpression: (node) => {
        if (text(node.callee) !== "Promise") return;
        if (/\bsetTimeout\(\s*(\w+|\(\)\s*=>\s*\w+\(\))\s*(,[^()]*)?\)/.test(text(node))) add(node);
      },
    }));
    return findings;
  });
