/**
 * The same calls with zeromq.js through the same broker: `zeromq.mjs client|worker …`, see loop.mjs.
 * A client knows its answers by a frame of its own in the envelope, which comes back with them; a
 * worker speaks the REGISTER dialogue and tells freed slots once a turn.
 *
 * @module
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { loop, readPlace, ready } from "./loop.mjs";

const place = readPlace(process.argv.slice(2));
const { Dealer } = createRequire(join(place.folder, "from_here.js"))("zeromq");

/** With no time to wait a send is done when it returns, so that none is refused as busy. */
const DIRECT = { sendHighWaterMark: 0, receiveHighWaterMark: 0, sendTimeout: 0, linger: 0 };

if (place.role === "worker") await work();
else await ask();

async function work() {
  const socket = new Dealer(DIRECT);
  socket.connect(`tcp://127.0.0.1:${place.back}`);
  await socket.send(["", "REGISTER", "100", "w"]);
  setInterval(() => socket.send(["", "PING", "w"]), 1000);
  let freed = 0;
  const tell = () => {
    socket.send(["", "INCREMENT", String(freed), "w"]);
    freed = 0;
  };
  for await (const frames of socket) {
    if (frames[1].toString() === "REGISTERED") ready();
    // A job has an empty frame behind its id; everything else is control.
    if (frames.length !== 4 || frames[2].length !== 0) continue;
    socket.send(frames);
    if (freed++ === 0) setImmediate(tell);
  }
}

async function ask() {
  const socket = new Dealer(DIRECT);
  socket.connect(`tcp://127.0.0.1:${place.front}`);
  const waiting = new Map();
  let serial = 0;
  receive();
  await loop((body) =>
    new Promise((resolve) => {
      const id = String(serial++);
      waiting.set(id, resolve);
      socket.send([id, "", body]);
    }), place);
  process.exit(0);

  async function receive() {
    for await (const [id, , body] of socket) {
      const key = id.toString();
      waiting.get(key)(body.toString());
      waiting.delete(key);
    }
  }
}
