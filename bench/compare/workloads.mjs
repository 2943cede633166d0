// @ts-self-types="./workloads.d.mts"
/**
 * The workloads of the comparison, written once against the API that zeromq.js and Rota share. The
 * same code runs in Node and in Deno, so neither side gets a better loop than the other.
 *
 * Plain JavaScript, because Node 20 runs it. It knows nothing of processes or tables.
 *
 * @module
 */

/** The clock is looked at once in so many messages of a stream, and not after each. */
const CLOCK_EVERY = 64;

/** A Router that answers each message with its own body, and one that only counts. */
export async function serve({ Router }) {
  const [echoing, counting] = [new Router({ linger: 0 }), new Router({ linger: 0 })];
  await echoing.bind("tcp://127.0.0.1:*");
  await counting.bind("tcp://127.0.0.1:*");
  echo(echoing);
  count(counting);
  return { echo: echoing.lastEndpoint, count: counting.lastEndpoint };
}

async function echo(router) {
  for await (const [address, body] of router) await router.send([address, body]);
}

/** An empty body asks how many came since the last such question. */
async function count(router) {
  let count = 0;
  for await (const [address, body] of router) {
    if (body.length > 0) {
      count++;
    } else {
      await router.send([address, String(count)]);
      count = 0;
    }
  }
}

/** Messages there and back, `window` of them on their way at a time. */
export async function roundTrips({ Dealer }, { endpoint, size, window, seconds }) {
  const dealer = new Dealer({ linger: 0 });
  dealer.connect(endpoint);
  const body = new Uint8Array(size).fill(97);
  await dealer.send(body);
  await dealer.receive();
  const start = performance.now();
  const end = start + seconds * 1000;
  let now = start;
  let messages = 0;
  for (let i = 0; i < window; i++) await dealer.send(body);
  while (now < end) {
    await dealer.receive();
    await dealer.send(body);
    messages++;
    now = performance.now();
  }
  for (let i = 0; i < window; i++) await dealer.receive();
  dealer.close();
  return { messages, seconds: (now - start) / 1000 };
}

/** Messages one way, as fast as `send` lets them; the clock stops when all have been counted. */
export async function stream({ Dealer }, { endpoint, size, seconds }) {
  const dealer = new Dealer({ linger: 0 });
  dealer.connect(endpoint);
  const body = new Uint8Array(size).fill(97);
  await dealer.send("");
  await dealer.receive();
  const start = performance.now();
  const end = start + seconds * 1000;
  let messages = 0;
  while (performance.now() < end) {
    for (let i = 0; i < CLOCK_EVERY; i++) await dealer.send(body);
    messages += CLOCK_EVERY;
  }
  await dealer.send("");
  const [counted] = await dealer.receive();
  const elapsed = (performance.now() - start) / 1000;
  if (Number(counted.toString()) !== messages) {
    throw new Error(`Sent ${messages} messages, but ${counted} arrived`);
  }
  dealer.close();
  return { messages, seconds: elapsed };
}
