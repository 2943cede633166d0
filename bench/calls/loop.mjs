// @ts-self-types="./loop.d.mts"
/**
 * The closed loop that every client runs, in Node and in Deno: so many calls under way, each with a
 * body of its own that must come back. Says `begin` and `end` as lines of JSON, so that whoever
 * measures CPU time knows when to look.
 *
 * @module
 */
import process from "node:process";

/** Octets of a body. */
const BODY = 32;

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** A worker is there: says so. */
export function ready() {
  say({ event: "ready" });
}

/** Runs the loop; `call` takes a text and gives the text that came back. */
export async function loop(call, { inFlight, warmSeconds, seconds }) {
  const times = [];
  let [serial, wrong, measuring, over] = [0, 0, false, false];

  async function one() {
    while (!over) {
      const body = String(serial++).padStart(BODY, "0");
      const start = performance.now();
      const answer = await call(body);
      if (answer !== body) wrong++;
      if (measuring) times.push(performance.now() - start);
    }
  }

  const all = Array.from({ length: inFlight }, one);
  await pause(warmSeconds);
  measuring = true;
  say({ event: "begin" });
  const start = performance.now();
  await pause(seconds);
  const elapsed = (performance.now() - start) / 1000;
  const calls = times.length;
  measuring = false;
  say({ event: "end" });
  over = true;
  // A call that is lost would never end: whoever waits for this line gives up after a while.
  await Promise.all(all);
  const sorted = times.slice(0, calls).sort((a, b) => a - b);
  const at = (part) => 1000 * (sorted[Math.floor(part * calls)] ?? NaN);
  say({ calls, seconds: elapsed, wrong, p50us: at(0.5), p99us: at(0.99) });
}

function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}

/** What the command line says: `ROLE FOLDER FRONT_PORT BACK_PORT IN_FLIGHT WARM SECONDS`. */
export function readPlace(args) {
  const [role, folder, ...numbers] = args;
  const [front, back, inFlight, warmSeconds, seconds] = numbers.map(Number);
  return { role, folder, front, back, inFlight, warmSeconds, seconds };
}
