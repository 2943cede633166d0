/**
 * A Reply that answers every request in capitals: somebody for programs in other languages to talk
 * to. Ends at Ctrl-C.
 *
 * `deno run -q --allow-net=127.0.0.1 examples/echo.ts [ENDPOINT]`
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { Reply } from "../mod.ts";

const [endpoint = "tcp://127.0.0.1:5555"] = Deno.args;

await using reply = new Reply();
await reply.bind(endpoint);
const stop = () => reply.close();
Deno.addSignalListener("SIGINT", stop);
console.log(`A Reply at ${reply.lastEndpoint} answers in capitals; Ctrl-C ends it`);

for await (const frames of reply) {
  await reply.send(frames.map((frame) => frame.text().toUpperCase()));
}
Deno.removeSignalListener("SIGINT", stop);
