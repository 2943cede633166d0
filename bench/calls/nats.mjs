/**
 * The same calls with NATS's own client: `nats.mjs client|worker …`, see loop.mjs.
 *
 * @module
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { loop, readPlace, ready } from "./loop.mjs";

const place = readPlace(process.argv.slice(2));
const { connect } = createRequire(join(place.folder, "from_here.js"))("@nats-io/transport-node");

const connection = await connect({ port: place.front });

if (place.role === "worker") {
  connection.subscribe("echo", {
    queue: "workers",
    callback: (_error, message) => message.respond(message.data),
  });
  await connection.flush();
  ready();
} else {
  await loop(
    async (body) => (await connection.request("echo", body, { timeout: 30_000 })).string(),
    place,
  );
  process.exit(0);
}
