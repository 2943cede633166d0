/**
 * A program for descriptors_test.ts, run with few file descriptors: a Router that echoes, and tells
 * those who ask how often it could not accept and how many peers it has. Ends at the end of stdin.
 *
 * @module
 */
import { Router } from "../../protocol/mod.ts";
import { inspect } from "../../protocol/sockets/inspect.ts";

await using router = new Router({ linger: 0 });
await router.bind("tcp://127.0.0.1:*");
const { counters, peers } = inspect(router);
await Deno.stdout.write(new TextEncoder().encode(`${router.lastEndpoint}\n`));

const answering = (async () => {
  for await (const [asker, question] of router) {
    const state = { errors: counters.get("accept") ?? 0, peers: peers.filter(Boolean).length };
    await router.send([asker!, question!, JSON.stringify(state)]);
  }
})();

while (await Deno.stdin.read(new Uint8Array(64)) !== null);
router.close();
await answering;
