/**
 * What the interop tests say on a machine that lacks their tools.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";

/** Looks for the tools in a process whose PATH leads to an empty folder; gives what it says. */
async function installWithoutTools(): Promise<string> {
  const empty = await Deno.makeTempDir();
  try {
    const install = new URL("install.ts", import.meta.url).href;
    const program = `
      import { installZeromq } from ${JSON.stringify(install)};
      const outcome = await installZeromq().catch((error) => error);
      console.log(String(outcome));
    `;
    await Deno.writeTextFile(`${empty}/main.ts`, program);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-prompt", "--no-config", "--allow-run", "--allow-read", "main.ts"],
      cwd: empty,
      clearEnv: true,
      env: { PATH: `${empty}/bin`, DENO_DIR: `${empty}/cache`, HOME: empty, NO_COLOR: "1" },
      stdin: "null",
    }).output();
    return new TextDecoder().decode(stdout);
  } finally {
    await Deno.remove(empty, { recursive: true });
  }
}

Deno.test("without Node the interop tests say what to install, and what leaves them out", async () => {
  const said = await installWithoutTools();
  assertEquals(said.split("\n").length, 2, said);
  assertStringIncludes(said, "MissingToolError: Cannot run the interop tests: `node`");
  assertStringIncludes(said, "Install Node.js 20 or newer");
  assertStringIncludes(said, "ROTA_NO_INTEROP=1");
});
