/**
 * The demo as its users start it: a process of its own, with the demo's permissions only.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";

const DEMO = new URL("../examples/demo.ts", import.meta.url).href;

async function demo(
  ...args: string[]
): Promise<{ code: number; text: string; errors: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--allow-net=127.0.0.1", DEMO, ...args],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
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
  assertEquals(code, 0);
});

Deno.test("demo --help tells how to use it, an unknown argument ends with 2", async () => {
  assertStringIncludes((await demo("--help")).text, "Usage: deno task demo");
  assertEquals((await demo("--colour")).code, 2);
});
