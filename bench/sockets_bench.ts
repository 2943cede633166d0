/**
 * Sockets over loopback TCP with both ends in this process: what a change costs or gains at a
 * glance. The comparison with zeromq.js, in processes of their own, is compare.ts.
 *
 * @module
 */
import { Dealer, Router } from "../protocol/mod.ts";

const WINDOW = 100;
/** Messages of one iteration of a stream: as many as the high-water marks allow, and more. */
const STREAMED = 5000;

/** A Dealer with a Router that answers each message with its own body. */
async function openEcho(): Promise<Dealer> {
  const router = new Router({ linger: 0 });
  await router.bind("tcp://127.0.0.1:*");
  (async () => {
    for await (const [address, body] of router) await router.send([address!, body!]);
  })();
  const dealer = new Dealer({ linger: 0 });
  dealer.connect(router.lastEndpoint!);
  return dealer;
}

/** A Dealer with a Router that says so when `STREAMED` messages have come. */
async function openCount(): Promise<Dealer> {
  const router = new Router({ linger: 0 });
  await router.bind("tcp://127.0.0.1:*");
  (async () => {
    let count = 0;
    for await (const [address] of router) {
      if (++count % STREAMED === 0) await router.send([address!, "all"]);
    }
  })();
  const dealer = new Dealer({ linger: 0 });
  dealer.connect(router.lastEndpoint!);
  return dealer;
}

const echo = await openEcho();
const count = await openCount();
const small = new Uint8Array(32).fill(97);

Deno.bench({
  name: "1 round trip, 32 B",
  group: "round trips",
  fn: async () => {
    await echo.send(small);
    await echo.receive();
  },
});

Deno.bench({
  name: `${WINDOW} round trips at once, 32 B`,
  group: "round trips",
  fn: async () => {
    for (let i = 0; i < WINDOW; i++) await echo.send(small);
    for (let i = 0; i < WINDOW; i++) await echo.receive();
  },
});

for (const [name, size] of [["32 B", 32], ["1 KiB", 1024], ["64 KiB", 65536]] as const) {
  const body = new Uint8Array(size).fill(97);
  Deno.bench({
    name: `${STREAMED} messages, ${name}`,
    group: "one way",
    fn: async () => {
      for (let i = 0; i < STREAMED; i++) await count.send(body);
      await count.receive();
    },
  });
}

globalThis.addEventListener("unload", () => {
  echo.close();
  count.close();
});
