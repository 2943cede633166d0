// Breaks engine and sockets, one line at a time, and shows that the tests of that line of the
// checklist notice. Sockets are many files, so each mutant is a copy of all of them in which the
// suite runs as a program of its own, with a filter for that line.
// deno-lint-ignore-file no-console -- the table of mistakes is what this run is for
import { assert, assertEquals } from "@std/assert";
import { CHECKLIST } from "./checklist.ts";
import { MUTANTS } from "./mutants.ts";
import { SOCKET_MUTANTS, type SocketMutant } from "./socket_mutants.ts";

/** Programs at a time. */
const LANES = 2;
/** A mutant may loop for ever; a sound suite takes a second. */
const PATIENCE_MS = 60_000;
/** Tests that show nothing of a socket, or would start this again. */
const OTHERS = /^(fuzz|index|mutants|socket_mutants|wire)_test\.ts$/;

const root = new URL("../../", import.meta.url);

/** A copy of all that the suite needs. */
class Copy implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<Copy> {
    const copy = new Copy(await Deno.makeTempDir());
    await copy.#fill("protocol/");
    await copy.#fill("tests/conformance/");
    return copy;
  }

  /** Runs the tests of these lines; gives the names of those that fail, and all it printed. */
  async test(lines: string): Promise<{ success: boolean; failed: string[]; output: string }> {
    const folder = `${this.#folder}/tests/conformance`;
    const title = new RegExp(`\\bzmtp(\\(\\s*| )${lines}[:,]`);
    const tests = [...Deno.readDirSync(folder)].map(({ name }) => name)
      .filter((name) => name.endsWith("_test.ts") && !OTHERS.test(name))
      .filter((name) => title.test(Deno.readTextFileSync(`${folder}/${name}`)));
    const command = new Deno.Command(Deno.execPath(), {
      args: [
        ...["test", "--no-check", "--no-lock", "--no-prompt"],
        "--allow-net=127.0.0.1,[::1],localhost,0.0.0.0",
        `--config=${new URL("deno.json", root).pathname}`,
        `--filter=/^zmtp (${lines}):/`,
        ...tests.map((name) => `${folder}/${name}`),
      ],
      env: { NO_COLOR: "1" },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { success, stdout, stderr } = await command.output();
    const decoder = new TextDecoder();
    const output = decoder.decode(stdout) + decoder.decode(stderr);
    const failed = [...output.matchAll(/^(zmtp \d+: .*) \.\.\. FAILED/gm)].map(([, name]) => name!);
    return { success, failed, output };
  }

  /** The same with one line broken. */
  async testBroken({ number, file, from, to }: SocketMutant) {
    const path = `${this.#folder}/protocol/${file}`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(from, () => to));
    try {
      return await this.test(`${number}`);
    } finally {
      await Deno.writeTextFile(path, text);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }

  async #fill(folder: string): Promise<void> {
    await Deno.mkdir(`${this.#folder}/${folder}`, { recursive: true });
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
      if (isDirectory) await this.#fill(`${folder}${name}/`);
      else await Deno.copyFile(new URL(folder + name, root), `${this.#folder}/${folder}${name}`);
    }
  }
}

/** Tries mutants until none is left; gives what each test said, and who survived. */
async function tryAll(queue: SocketMutant[], caught: Map<SocketMutant, string>) {
  const survivors: string[] = [];
  await using copy = await Copy.make();
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const { success, failed, output } = await copy.testBroken(mutant);
    const unsound = /Uncaught error from|SyntaxError|Module not found/.test(output);
    if (!success && !unsound && failed.length > 0) caught.set(mutant, failed[0]!);
    else survivors.push(`${mutant.number}: ${mutant.what}\n${unsound ? output : ""}`);
  }
  return survivors;
}

Deno.test("each mutant's edit fits exactly one place of engine and sockets", async () => {
  for (const { what, file, from, to } of SOCKET_MUTANTS) {
    const text = await Deno.readTextFile(new URL(`protocol/${file}`, root));
    assertEquals(text.split(from).length - 1, 1, `${file}: ${what}`);
    assert(from !== to, what);
  }
});

Deno.test("an unbroken copy passes the tests of every line", async () => {
  await using copy = await Copy.make();
  const { success, failed, output } = await copy.test("\\d+");
  assertEquals(failed, []);
  assert(success, output);
});

Deno.test("each broken socket is caught by a test of its line", async () => {
  const queue = [...SOCKET_MUTANTS];
  const caught = new Map<SocketMutant, string>();
  const lanes = Array.from({ length: LANES }, () => tryAll(queue, caught));
  const survivors = (await Promise.all(lanes)).flat();
  console.log("line  what was broken, and the first test that caught it");
  for (const mutant of SOCKET_MUTANTS) {
    const name = caught.get(mutant) ?? "SURVIVED";
    const short = name.length > 60 ? name.slice(0, 57) + "..." : name;
    console.log(`${String(mutant.number).padStart(4)}  ${mutant.what.padEnd(60)} ${short}`);
  }
  const lines = new Set([...MUTANTS, ...caught.keys()].map(({ number }) => number));
  console.log(`${caught.size} mistakes; with those of the wire ${lines.size} lines are broken`);
  assertEquals(survivors, []);
  const whole = CHECKLIST.flatMap((words, i) => lines.has(i + 1) ? [] : [`${i + 1}: ${words}`]);
  assertEquals(whole, [], "lines that no mistake breaks");
});
