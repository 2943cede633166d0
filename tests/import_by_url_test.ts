/**
 * Rota imported by URL, as a stranger would: over HTTP, from an empty folder, with an empty cache,
 * without a configuration and without an import map.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../", import.meta.url);
/** A program that hangs is a failure. */
const PATIENCE_MS = 120_000;

/** What the stranger wrote: all four sockets, in the types' own checker. */
const program = (url: string) => `
import { Dealer, Reply, Request as RequestSocket, Router } from "${url}";

await using router = new Router();
await router.bind("tcp://127.0.0.1:*");
await using dealer = new Dealer();
dealer.connect(router.lastEndpoint!);
await dealer.send(["a", "b"]);
const [identity, ...frames] = await router.receive();
await router.send([identity, ...frames, "c"]);
const answer = await dealer.receive();

await using reply = new Reply();
await reply.bind("tcp://127.0.0.1:*");
await using request = new RequestSocket();
request.connect(reply.lastEndpoint!);
await request.send("what?");
const [question] = await reply.receive();
await reply.send(question + " that");
const [text] = await request.receive();
console.log(answer.join(" "), "|", String(text));
`;

/** Serves the checkout's TypeScript files and nothing else; notes what was asked for. */
class Checkout implements AsyncDisposable {
  /** Paths that were served. */
  readonly served: Set<string> = new Set();
  /** Paths that there is nothing at. */
  readonly missed: Set<string> = new Set();
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => this.#answer(new URL(request.url).pathname),
  );

  /** Host and port. */
  get host(): string {
    return `127.0.0.1:${this.#server.addr.port}`;
  }

  async #answer(path: string): Promise<Response> {
    const file = new URL(`.${path}`, ROOT);
    const text = path.endsWith(".ts") && file.href.startsWith(ROOT.href)
      ? await Deno.readTextFile(file).catch(() => undefined)
      : undefined;
    (text === undefined ? this.missed : this.served).add(path);
    if (text === undefined) return new Response("not here", { status: 404 });
    return new Response(text, { headers: { "content-type": "application/typescript" } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Runs `main.ts` of an empty folder with an empty cache, with these flags of Deno. */
async function runAsStranger(
  main: string,
  flags: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const home = await Deno.makeTempDir();
  try {
    const work = `${home}/work`;
    await Deno.mkdir(work);
    await Deno.writeTextFile(`${work}/main.ts`, main);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-prompt", "--no-config", ...flags, "main.ts"],
      cwd: work,
      // Nothing of ours reaches it: no cache, no proxy, no settings of Deno's.
      clearEnv: true,
      env: { DENO_DIR: `${home}/cache`, HOME: home, NO_COLOR: "1" },
      stdin: "null",
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("mod.ts runs when imported by URL with no configuration and an empty cache", async () => {
  await using checkout = new Checkout();
  const { host } = checkout;
  const flags = ["--check=all", `--allow-import=${host}`, "--allow-net=127.0.0.1"];
  const { code, stdout, stderr } = await runAsStranger(program(`http://${host}/mod.ts`), flags);
  assertEquals(stderr, "");
  assertEquals(stdout, "a b c | what? that\n");
  assertEquals(code, 0);
  // It came over the wire, all of it, and nothing was asked for in vain.
  for (const path of ["/mod.ts", "/protocol/mod.ts", "/protocol/io/deno_io.ts"]) {
    assert(checkout.served.has(path), `${path} was not asked for`);
  }
  assertEquals([...checkout.missed], []);
});

Deno.test("importing mod.ts by URL needs no permission, and using it says which one is missing", async () => {
  await using checkout = new Checkout();
  const url = `http://${checkout.host}/mod.ts`;
  const main = `
import { Router } from "${url}";
await using router = new Router();
const refused = await router.bind("tcp://127.0.0.1:*").catch((error) => error);
console.log(refused.code, "|", refused.message.includes("--allow-net"));
`;
  const { code, stdout, stderr } = await runAsStranger(main, [`--allow-import=${checkout.host}`]);
  assertEquals(stderr, "");
  assertEquals(stdout, "EACCES | true\n");
  assertEquals(code, 0);
});
