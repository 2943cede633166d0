// A program written for zeromq.js: a Router hands numbers to three Dealers, whoever asks next, and
// adds up the squares that come back. Its twin after.mjs is the same but for the import.

import { Dealer, Router } from "../../mod.ts";

const NUMBERS = 1000;

/** Asks for numbers and sends their squares, until an empty frame ends it. */
async function work(name, endpoint) {
  const dealer = new Dealer({ routingId: name, sendHighWaterMark: 10 });
  dealer.connect(endpoint);
  await dealer.send(["", ""]);
  let done = 0;
  for await (const [number] of dealer) {
    if (number.length === 0) break;
    const value = Number(number.toString());
    await dealer.send([number, String(value * value)]);
    done++;
  }
  dealer.close();
  return done;
}

const router = new Router({ mandatory: true, linger: 0, receiveTimeout: 30_000 });
let handshakes = 0;
router.events.on("handshake", () => handshakes++);
await router.bind("tcp://127.0.0.1:*");
const workers = ["ada", "ben", "cleo"].map((name) => work(name, router.lastEndpoint));

let sum = 0;
let next = 1;
for (let left = workers.length; left > 0;) {
  const [name, , square] = await router.receive();
  sum += Number(square.toString());
  if (next > NUMBERS) left--;
  await router.send([name, next > NUMBERS ? null : next++]);
}
const done = await Promise.all(workers);
console.log(`${done.reduce((a, b) => a + b)} numbers by ${handshakes} workers: ${sum}`);

try {
  await router.send(["nobody", "are you there?"]);
} catch (error) {
  console.log(`nobody: ${error.code}`);
}
router.receiveTimeout = 0;
try {
  await router.receive();
} catch (error) {
  console.log(`nothing more: ${error.code}`);
}
router.close();
