/**
 * The other side of the interop tests: the real libzmq, as zeromq.js in Node.
 *
 * `node peer.mjs FOLDER` reads commands as JSON lines on stdin and answers each by a JSON line with
 * the same `id` on stdout. FOLDER is where `zeromq` was installed (see install.ts). Ends at the end of stdin.
 *
 * @module
 */

import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { Actor } from "./actor.mjs";

const require = createRequire(join(process.argv[2], "from_here.js"));
const actor = new Actor(require("zeromq"));

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function answer({ id, ...command }) {
  try {
    say({ id, value: await actor.execute(command) });
  } catch (error) {
    say({ id, error: { message: String(error?.message ?? error), code: error?.code ?? null } });
  }
}

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => void answer(JSON.parse(line)));
lines.on("close", () => process.exit(0));
say({ id: 0, value: require("zeromq").version });
