// @ts-self-types="./obey.d.mts"
/**
 * The frame of every process that is measured, in Node and in Deno: one command a line on stdin,
 * one answer a line on stdout, each with the CPU time that the process has used. Ends with stdin.
 *
 * @module
 */

import process from "node:process";
import { createInterface } from "node:readline";

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

/** CPU seconds of this process so far, all its threads. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Obeys commands: these operations, or `rest` to be asked for the CPU time only. */
export function obey(operations) {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", async (line) => {
    const { operation, work } = JSON.parse(line);
    try {
      const value = operation === "rest" ? null : await operations[operation](work);
      say({ value, cpu: cpuSeconds() });
    } catch (error) {
      say({ error: String(error?.stack ?? error) });
    }
  });
  lines.on("close", () => process.exit(0));
}
