/**
 * A client of this project, checked against the types of its handlers: `client.ts [FRONTEND]`.
 *
 * @module
 */
import { CallError, Client } from "http://127.0.0.1:8000/mod.ts";
import type * as handlers from "./handlers.ts";

const [broker = "tcp://127.0.0.1:5555"] = Deno.args;
await using client = new Client<typeof handlers>({ broker, timeout: 60_000 });

const [greeting, number] = await Promise.all([
  client.call("hello", { name: "you" }),
  client.call("fibonacci", 27),
]);
console.log(greeting.json().text, number.json() + 1);

try {
  await client.call("hello", { name: "" });
} catch (error) {
  if (!(error instanceof CallError)) throw error;
  console.log(`${error.code}: ${error.message}`);
}
