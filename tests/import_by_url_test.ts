/**
 * Rota imported by URL, as a stranger would: over HTTP, from an empty folder, with an empty cache,
 * without a configuration and without an import map.
 *
 * @module
 */
import { assertEquals } from "@std/assert";

const ROOT = new URL("../", import.meta.url);

const program = (url: string) => `
import { Dealer, Reply, Request as RequestSocket, Router } from "${url}";

await using router = new Router();
await router.bind("tcp://127.0.0.1:*");
await using dealer = new Dealer();
dealer.connect(router.lastEndpoint!);
await dealer.send(["a", "b"]);
const [identity, ...frames] = await router.receive();
await router.send([identity!, ...frames, "c"]);
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

/** Serves the checkout's TypeScript files, and nothing else. */
function serve(): Deno.HttpServer<Deno.NetAddr> {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  return Deno.serve(options, async (request) => {
    const path = new URL(request.url).pathname;
    if (!path.endsWith(".ts")) return new Response("not here", { status: 404 });
    try {
      const text = await Deno.readTextFile(new URL(`.${path}`, ROOT));
      return new Response(text, { headers: { "content-type": "application/typescript" } });
    } catch {
      return new Response("not here", { status: 404 });
    }
  });
}

Deno.test("mod.ts runs when imported by URL with no configuration and an empty cache", async () => {
  const folder = await Deno.makeTempDir();
  await using server = serve();
  try {
    const host = `127.0.0.1:${server.addr.port}`;
    await Deno.mkdir(`${folder}/work`);
    await Deno.writeTextFile(`${folder}/work/main.ts`, program(`http://${host}/mod.ts`));
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-q",
        "--check",
        "--no-prompt",
        "--no-config",
        `--allow-import=${host}`,
        "--allow-net=127.0.0.1",
        "main.ts",
      ],
      cwd: `${folder}/work`,
      env: { DENO_DIR: `${folder}/cache`, NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    assertEquals(decoder.decode(stderr), "");
    assertEquals(decoder.decode(stdout), "a b c | what? that\n");
    assertEquals(code, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
