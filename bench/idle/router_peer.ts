/**
 * The process whose memory is watched: one Router that receives and answers.
 *
 * @module
 */
import { Router } from "../../protocol/mod.ts";
import { obey } from "../kit/obey.mjs";

const router = new Router({ linger: 0 });
let connections = 0;
router.events.on("handshake", () => connections++);

obey({
  serve: async () => {
    await router.bind("tcp://127.0.0.1:*");
    answerAll();
    return router.lastEndpoint;
  },
  // deno-lint-ignore require-await
  memory: async () => ({ connections, bytes: Deno.memoryUsage().rss }),
});

async function answerAll(): Promise<void> {
  for await (const [address, body] of router) await router.send([address!, body!]);
}
