/**
 * The examples as their users start them: by the commands that examples/README.md tells, with the
 * permissions that it tells.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Broker, Client, Worker as JobWorker } from "../mod.ts";
import { codeWordsOf } from "./docs/markdown.ts";
import { fencesOf } from "./docs/grammar.ts";
import { installZeromq } from "./interop/install.ts";
import { say } from "./interop/play.ts";
import { findPython } from "./interop/python_side.ts";
import { type Outcome, Program } from "./process/program.ts";
import { Stranger } from "./process/stranger.ts";
import { taskArgs } from "./process/task_process.ts";

const ROOT = new URL("../", import.meta.url);
const EXAMPLES = new URL("examples/", ROOT);
const LEFT_OUT = Deno.env.get("ROTA_NO_INTEROP") === "1";
const python = LEFT_OUT ? undefined : await findPython();
const document = await Deno.readTextFile(new URL("README.md", EXAMPLES));
const told = codeWordsOf({ path: "examples/README.md", text: document }).map(({ word }) => word);
const FREE = { frontend: "tcp://127.0.0.1:*", backend: "tcp://127.0.0.1:*" };

/** The command that the document tells for an example. */
function commandOf(path: string): string {
  const command = told.find((word) => word.startsWith("deno ") && word.endsWith(` ${path}`));
  if (command === undefined) throw new Error(`examples/README.md doesn't say how to run ${path}`);
  return command;
}

/** Runs an example by the document's command, with more arguments behind it. */
async function run(path: string, ...more: string[]): Promise<Outcome> {
  const [, verb, ...args] = commandOf(path).split(" ");
  const quiet = ["--no-prompt", "--frozen"];
  return await Program.run(Deno.execPath(), [verb!, ...quiet, ...args, ...more], { cwd: ROOT });
}

Deno.test("examples/README.md names every example", async () => {
  for await (const { name, isDirectory } of Deno.readDir(EXAMPLES)) {
    if (name === "README.md") continue;
    assert(document.includes(isDirectory ? `(${name}/` : `(${name})`), `${name} is not named`);
  }
});

Deno.test("each example that is one file opens with the command that the document tells", async () => {
  for (const name of ["word_count/main.ts", "stream_and_cancel.ts", "echo.ts", "serve.ts"]) {
    const text = await Deno.readTextFile(new URL(name, EXAMPLES));
    assertStringIncludes(text, `\`${commandOf(`examples/${name}`)}`);
  }
});

Deno.test("word_count counts what counting in one go counts", async () => {
  const file = await Deno.makeTempFile();
  try {
    const lines = Array.from(
      { length: 501 },
      (_, i) => `${i} One fish, ${i % 3 ? "two" : "RED"} fish`,
    );
    await Deno.writeTextFile(file, lines.join("\n"));
    const { code, stdout, stderr } = await run("examples/word_count/main.ts", file);
    assertEquals(stderr, []);
    assertEquals(stdout, [
      "2004 words, 4 different, in 11 parts",
      "1002 fish",
      "501 one",
      "334 two",
      "167 red",
    ]);
    assertEquals(code, 0);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("word_count has a text of its own", async () => {
  const { code, stdout } = await run("examples/word_count/main.ts");
  assertEquals([stdout.length, code], [11, 0]);
});

Deno.test("stream_and_cancel reads as far as it wants, and the handler stops", async () => {
  const { code, stdout, stderr } = await run("examples/stream_and_cancel.ts");
  assertEquals(stderr, []);
  const ended = "the handler ended: The client cancelled the job";
  assertEquals(stdout, [
    "the first sum of primes above 100: 129",
    ended,
    "the handler was ahead of its reader by at most 5: true",
    "read 1000003, 1000033, 1000037, …, then: that will do",
    ended,
    "as a web stream: 97",
    ended,
  ]);
  assertEquals(code, 0);
});

Deno.test("testing runs without any permission", async () => {
  const { code, stdout } = await run("examples/testing/");
  assertStringIncludes(stdout.join("\n"), "| 0 failed");
  assertEquals(code, 0);
});

const MOVED = [
  "1000 numbers by 3 workers: 333833500",
  "nobody: EHOSTUNREACH",
  "nothing more: EAGAIN",
];

Deno.test("zeromq_js: the program after the move is the one before, but for its import", async () => {
  const linesOf = async (name: string) =>
    (await Deno.readTextFile(new URL(`zeromq_js/${name}`, EXAMPLES))).split("\n");
  const [before, after] = [await linesOf("before.mjs"), await linesOf("after.mjs")];
  assertEquals(before.length, after.length);
  const changed = before.flatMap((line, i) => line === after[i] ? [] : [[line, after[i]]]);
  assertEquals(changed, [[
    'import { Dealer, Router } from "zeromq";',
    'import { Dealer, Router } from "../../mod.ts";',
  ]]);
});

Deno.test("zeromq_js: it runs with Rota", async () => {
  const { code, stdout, stderr } = await run("examples/zeromq_js/after.mjs");
  assertEquals({ code, stdout, stderr }, { code: 0, stdout: MOVED, stderr: [] });
});

if (LEFT_OUT) {
  Deno.test("zeromq_js: the run with zeromq.js is left out by request (ROTA_NO_INTEROP=1)", () => {
    say("The example's run with zeromq.js was left out by request (ROTA_NO_INTEROP=1)\n");
  });
} else {
  Deno.test("zeromq_js: it ran with zeromq.js on Node before, and said the same", async () => {
    const home = await Deno.makeTempDir();
    try {
      await Deno.symlink(`${await installZeromq()}node_modules`, `${home}/node_modules`);
      await Deno.copyFile(new URL("zeromq_js/before.mjs", EXAMPLES), `${home}/before.mjs`);
      const { code, stdout, stderr } = await Program.run("node", ["before.mjs"], { cwd: home });
      assertEquals({ code, stdout, stderr }, { code: 0, stdout: MOVED, stderr: [] });
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  });
}

Deno.test("by_url: broker, worker and client from nothing but a URL to mod.ts", async () => {
  await using stranger = await Stranger.arrive(commandOf("examples/serve.ts"));
  await stranger.copy(new URL("by_url/", EXAMPLES));
  const commands = fencesOf(document, "sh").flatMap((text) => text.trim().split("\n"));
  const [broker, worker, client] = ["broker.ts", "worker.ts", "client.ts"].map((name) =>
    commands.find((command) => command.endsWith(` ${name}`))!.replace("run", "run --check --quiet")
  ) as [string, string, string];

  await using first = stranger.type(broker, FREE.frontend, FREE.backend);
  const line = await first.stdout.next();
  const [frontend, backend] = line?.match(/tcp:[^\s,]+/g) ?? ["", ""];
  await using second = stranger.type(worker, backend!);
  assertStringIncludes(await second.stdout.next() ?? "", "is registered");
  await using third = stranger.type(client, frontend!);
  assertEquals(await third.outcome(), {
    code: 0,
    stdout: ["Hello, you! 196419", "NO_NAME: Nobody can be greeted without a name"],
    stderr: [],
  });
});

Deno.test("serve gives modules and nothing else", async () => {
  const [, ...args] = commandOf("examples/serve.ts").split(" ");
  await using server = Program.start(Deno.execPath(), [...args, "0"], { cwd: ROOT });
  const url = (await server.stdout.until(/^Rota is at /)).slice("Rota is at ".length);
  const ask = async (path: string) => {
    const response = await fetch(new URL(path, url));
    await response.body?.cancel();
    return [response.status, response.headers.get("content-type")];
  };
  assertEquals(await ask("/mod.ts"), [200, "application/typescript"]);
  assertEquals(await ask("/broker/mod.ts"), [200, "application/typescript"]);
  for (const path of ["/", "/README.md", "/nowhere.ts", "/.git/config", "/..%2f..%2fx.ts"]) {
    assertEquals((await ask(path))[0], 404, path);
  }
});

if (python === undefined) {
  const why = LEFT_OUT ? "by request (ROTA_NO_INTEROP=1)" : "for want of a Python 3 with pyzmq";
  Deno.test(`python: the examples are left out ${why}`, () => {
    say(`The examples in Python were left out ${why}\n`);
  });
} else {
  const path = (name: string) => decodeURIComponent(new URL(`python/${name}`, EXAMPLES).pathname);
  const ask = (frontend: string, ...args: string[]) =>
    Program.run(python.command, [path("client.py"), frontend, ...args]);

  Deno.test("python: the worker serves Rota's client, tells failures by codes, leaves when told", async () => {
    await using broker = await Broker.start(FREE);
    await using worker = Program.start(python.command, [path("worker.py"), broker.backend]);
    await using client = new Client({ broker: broker.frontend, timeout: 30_000 });
    const result = await client.call("describe", [1, 2, 3, 4, 5]);
    assertEquals(result.json(), { mean: 3, median: 3, stdev: 2.5 ** 0.5 });
    const codeOf = (command: string, payload: unknown[]) =>
      client.call(command, payload).then(() => "none", (error) => error.code);
    assertEquals(await codeOf("describe", [1]), "TOO_FEW");
    assertEquals(await codeOf("describe", ["x", "y"]), "WORKER_FAILED");
    assertEquals(await codeOf("sing", []), "NO_COMMAND");
    await client.send("describe", [1, 2], { accepted: true });
    assertEquals((await client.call("describe", [7, 7])).json(), { mean: 7, median: 7, stdev: 0 });
    const words = ["--broker", broker.frontend, "call", "describe", "[2, 2]"];
    const args = [...await taskArgs("client"), ...words];
    const { stdout } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
    const printed = new TextDecoder().decode(stdout);
    assertEquals(printed, '{"mean": 2, "median": 2.0, "stdev": 0.0}');
    assertEquals(broker.views.exitAll(), 1);
    assertEquals(await worker.outcome(), { code: 0, stdout: [], stderr: [] });
  });

  Deno.test("python: the client calls Rota's worker, and a worker in Python", async () => {
    await using broker = await Broker.start(FREE);
    const handlers = { greet: (job: { json(): { name: string } }) => ({ hello: job.json().name }) };
    await using worker = await JobWorker.start({ broker: broker.backend, handlers });
    const { code, stdout } = await ask(broker.frontend, "greet", '{"name": "you"}');
    assertEquals([stdout, code], [['{"hello": "you"}'], 0]);
    const failed = await ask(broker.frontend, "sing");
    assertEquals([failed.stderr, failed.code], [['NO_COMMAND: No handler takes "sing"'], 1]);
    await worker.close();

    await using _python = Program.start(python.command, [path("worker.py"), broker.backend]);
    const described = await ask(broker.frontend, "describe", "[1, 3]");
    assertStringIncludes(described.stdout.join(), '"mean": 2');
  });
}
