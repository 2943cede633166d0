/**
 * The demo as its users start it: a process of its own, with the demo's permissions only.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { taskArgs } from "./process/task_process.ts";

const ROOT = new URL("../", import.meta.url);
const args = await taskArgs("demo");

interface Outcome {
  readonly code: number;
  readonly text: string;
  readonly errors: string;
}

const decoder = new TextDecoder();

/** The demo's process; permissions that match `without` are left out. */
function command(more: readonly string[], without = /^$/): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [...args.filter((arg) => !without.test(arg)), ...more],
    cwd: ROOT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

async function demo(...more: string[]): Promise<Outcome> {
  return outcomeOf(await command(more).output());
}

function outcomeOf({ code, stdout, stderr }: Deno.CommandOutput): Outcome {
  return { code, text: decoder.decode(stdout), errors: decoder.decode(stderr) };
}

Deno.test("demo --json: a worker is ended, its jobs are requeued, and none is lost", async () => {
  const { code, text, errors } = await demo("--json");
  assertEquals([errors, text.trimEnd().split("\n").length], ["", 1]);
  const { bulkping, bulkdata, ended, jobs, workersLost, workers, ...rest } = JSON.parse(text);
  assertEquals([bulkping.sent, bulkping.succeeded, bulkping.failed], [10_000, 10_000, 0]);
  assertEquals([bulkdata.sent, bulkdata.succeeded, bulkdata.failed], [1000, 1000, 0]);
  assertEquals(bulkdata.octets, 1000 * 65_536);
  assert(ended.running > 0 && jobs.requeued > 0, `${ended.running} running, ${jobs.requeued} back`);
  assertEquals([jobs.accepted, jobs.completed, jobs.dead, jobs.failed], [11_000, 11_000, 0, 0]);
  assertEquals(jobs.dispatched, jobs.accepted + jobs.requeued);
  assertEquals([jobs.waiting, jobs.running, workersLost], [0, 0, 1]);
  const addresses = workers.map((it: { address: string }) => it.address).sort();
  const all = [1, 2, 3, 4, 5].map((i) => `worker-${i}`);
  assertEquals(addresses, all.filter((it) => it !== ended.worker));
  assertEquals([rest.lost, rest.stopped, code], [0, false, 0]);
  assert(rest.milliseconds < 60_000, "well under a minute");
});

Deno.test("demo prints marks, summaries and the worker table where no terminal is", async () => {
  const { code, text, errors } = await demo("--jobs", "1000");
  assertEquals(errors, "10% 20% 30% 40% 50% 60% 70% 80% 90% 100%\n".repeat(2));
  assertMatch(text, /\nworker-[1-5] is ended in the middle of [0-9]+ jobs?\n/);
  assertMatch(text, /\n1,000 sent, 1,000 succeeded, 0 failed in /);
  assertMatch(text, /\n100 sent, 100 succeeded, 0 failed in .*, 6.3 MiB/);
  assertMatch(text, /\n4 workers, 40 of 40 slots free\nADDRESS +DIALECT /);
  assertMatch(
    text,
    /\nThe broker took 1,100 jobs and finished 1,100; [0-9]+ requeued when worker-/,
  );
  assertStringIncludes(text, "\nNothing was lost.\n");
  assertEquals(text.includes("\r") || text.includes("\x1b"), false);
  assertEquals(text.split("\n").filter((line) => line.length > 100), []);
  assertEquals(code, 0);
});

Deno.test("demo --help tells how to use it", async () => {
  const { code, text, errors } = await demo("--help");
  assertStringIncludes(text, "Usage: deno task demo");
  assertEquals([code, errors], [0, ""]);
});

Deno.test("demo called wrongly says so on stderr and ends with 2", async () => {
  for (const wrong of [["--colour"], ["--jobs", "0"], ["--jobs=many"], ["--jobs"], ["ten"]]) {
    const { code, text, errors } = await demo(...wrong);
    assertEquals([code, text], [2, ""]);
    assertStringIncludes(errors, "Usage: deno task demo");
  }
});

Deno.test("demo without a permission says which in one line and ends with 1", async () => {
  for (const name of ["--allow-net", "--allow-read"]) {
    const { code, errors } = outcomeOf(await command([], new RegExp(`^${name}`)).output());
    assertEquals(code, 1);
    assertStringIncludes(errors, name);
    assertEquals(errors.trimEnd().split("\n").length, 1, errors);
  }
});

Deno.test("demo stopped by Ctrl-C tells how far it came and ends with 130", async () => {
  const child = command(["--jobs", "1000000"]).spawn();
  const errors = child.stderr.text();
  let text = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    const first = text === "";
    text += part;
    if (first) child.kill("SIGINT");
  }
  assertMatch(text, / sent, .* failed in .*, stopped\n/);
  assertStringIncludes(text, "\nStopped by Ctrl-C.\n");
  assertEquals([/[0-9] lost\.|Nothing/.test(text), await errors], [false, ""]);
  assertEquals((await child.status).code, 130);
});
