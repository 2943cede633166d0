/**
 * A pseudo-terminal with a program in it.
 *
 * `node terminal.mjs FOLDER COLUMNS PROGRAM ARGUMENT…` reads JSON strings on stdin, a line each, and
 * types them; what the program prints goes to stdout as JSON strings, a line each, and at its end its
 * exit code. FOLDER is where `@lydell/node-pty` was installed.
 *
 * @module
 */

import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

const [folder, columns, program, ...args] = process.argv.slice(2);
const pty = createRequire(join(folder, "from_here.js"))("@lydell/node-pty");
const child = pty.spawn(program, args, { cols: Number(columns), rows: 24, name: "xterm" });

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

child.onData(say);
child.onExit(({ exitCode }) => {
  say(exitCode);
  process.exitCode = 0;
  process.stdin.destroy();
});
createInterface({ input: process.stdin }).on("line", (line) => child.write(JSON.parse(line)))
  .on("close", () => child.kill("SIGKILL"));
