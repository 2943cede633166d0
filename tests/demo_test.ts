/**
 * The demo as its users start it: a process of its own, with the demo's permissions only.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";

const DEMO = new URL("../examples/demo.ts", import.meta.url).href;

interface Outcome {
  readonly code: number;
  readonly text: string;
  readonly errors: string;
}

const decoder = new TextDecoder();

/** The demo's process, allowed to use the loopback network unless told otherwise. */
function command(args: readonly string[], allowed = ["--allow-net=127.0.0.1"]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-prompt", ...allowed, DEMO, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

async function demo(...args: string[]): Promise<Outcome> {
  return outcomeOf(await command(args).output());
}

function outcomeOf({ code, stdout, stderr }: Deno.CommandOutput): Outcome {
  return { code, text: decoder.decode(stdout), errors: decoder.decode(stderr) };
}

Deno.test("demo --json answers all 10,000 messages and says so", async () => {
  const { code, text, errors } = await demo("--json");
  assertEquals(errors, "");
  const figures = JSON.parse(text);
  assertEquals(figures.messages, 10_000);
  assertEquals(figures.lost, 0);
  assertEquals(figures.total.sent, 10_000);
  assertEquals(figures.total.answered, 10_000);
  assertEquals(figures.total.wrong, 0);
  assertEquals(
    figures.dealers.map((it: { answered: number }) => it.answered),
    [3334, 3333, 3333],
  );
  for (const row of [...figures.dealers, figures.total]) {
    assertEquals(row.perSecond > 0, true);
    assertEquals(row.p50Ms > 0 && row.p50Ms <= row.p99Ms, true);
  }
  assertEquals(code, 0);
});

Deno.test("demo prints markers and a table where no terminal is", async () => {
  const { code, text, errors } = await demo();
  assertEquals(errors, "");
  assertStringIncludes(text, "10% 20% 30% 40% 50% 60% 70% 80% 90% 100%\n");
  assertStringIncludes(text, "Nothing was lost");
  assertEquals(text.includes("\r") || text.includes("\x1b"), false);
  assertEquals(text.split("\n").filter((line) => line.length > 79), []);
  assertEquals(code, 0);
});

Deno.test("demo --messages says how many, and the shares add up", async () => {
  const { code, text } = await demo("--messages", "7", "--json");
  const figures = JSON.parse(text);
  assertEquals(figures.dealers.map((it: { answered: number }) => it.answered), [3, 2, 2]);
  assertEquals([figures.lost, figures.stopped, code], [0, false, 0]);
});

Deno.test("demo --help tells how to use it", async () => {
  const { code, text, errors } = await demo("--help");
  assertStringIncludes(text, "Usage: deno task demo");
  assertEquals([code, errors], [0, ""]);
});

Deno.test("demo called wrongly says so on stderr and ends with 2", async () => {
  for (const args of [["--colour"], ["--messages", "0"], ["--messages=many"], ["--messages"]]) {
    const { code, text, errors } = await demo(...args);
    assertEquals([code, text], [2, ""]);
    assertStringIncludes(errors, "Usage: deno task demo");
  }
});

Deno.test("demo without its permission says so in one line and ends with 1", async () => {
  const { code, errors } = outcomeOf(await command([], []).output());
  assertEquals(code, 1);
  assertStringIncludes(errors, "--allow-net");
  assertEquals(errors.trimEnd().split("\n").length, 1, errors);
});

Deno.test("demo stopped by Ctrl-C tells how far it came and ends with 130", async () => {
  const child = command(["--messages", "5000000"]).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream());
  let text = "";
  for await (const part of lines) {
    const first = text === "";
    text += part;
    if (first) child.kill("SIGINT");
  }
  assertEquals(decoder.decode(await child.stderr.bytes()), "");
  assertStringIncludes(text, "Stopped by Ctrl-C after");
  assertEquals(text.includes("lost"), false);
  assertEquals((await child.status).code, 130);
});
