/**
 * Serves this checkout's TypeScript on this machine, so that programs elsewhere on it can import
 * Rota by URL. Any web server would do that gives `.ts` files a type that Deno takes.
 *
 * `deno run -q --allow-net=127.0.0.1 --allow-read=. examples/serve.ts [PORT]`, in the checkout.
 *
 * @module
 */
// deno-lint-ignore-file no-console

const [port = "8000"] = Deno.args;
const root = new URL("../", import.meta.url);

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  onListen: (at) => console.log(`Rota is at http://${at.hostname}:${at.port}/mod.ts`),
}, async (request) => {
  const file = new URL(`.${new URL(request.url).pathname}`, root);
  const isOurs = file.href.startsWith(root.href) && file.pathname.endsWith(".ts");
  const text = isOurs ? await Deno.readTextFile(file).catch(() => undefined) : undefined;
  if (text === undefined) return new Response("There is no such module\n", { status: 404 });
  return new Response(text, { headers: { "content-type": "application/typescript" } });
});
