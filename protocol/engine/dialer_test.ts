import { assertEquals, assertInstanceOf } from "@std/assert";
import { Dealer, type EventOfType, SocketError } from "../mod.ts";
import { MemoryNetwork } from "../io/memory_io.ts";

const PLACE = "tcp://127.0.0.1:5555";

/** A Dealer that connects to where nobody may be, and what it is told about its attempts. */
function dial(network: MemoryNetwork, connectTimeout = 0) {
  const dealer = new Dealer({ io: network.io("caller"), connectTimeout });
  const retries: EventOfType<"connect:retry">[] = [];
  dealer.events.on("connect:retry", (event) => retries.push(event));
  dealer.connect(PLACE);
  return { dealer, retries };
}

Deno.test("Dialer tells why a connection was not had", async () => {
  const network = new MemoryNetwork();
  const { dealer, retries } = dial(network);
  await network.settle();
  dealer.close();
  const [retry] = retries;
  assertEquals(retry?.error?.message, `Cannot connect to ${PLACE}: connection refused`);
});

Deno.test("Dialer tells ETIMEDOUT when connecting takes longer than connectTimeout", async () => {
  const network = new MemoryNetwork({ latency: 1000 });
  const { dealer, retries } = dial(network, 10);
  await network.advance(10);
  dealer.close();
  const error = retries[0]?.error;
  assertInstanceOf(error, SocketError);
  assertEquals(error.code, "ETIMEDOUT");
});

Deno.test("Dialer has no reason to tell when a connection was had and lost", async () => {
  const network = new MemoryNetwork();
  await using other = new Dealer({ io: network.io("called") });
  await other.bind(PLACE);
  const { dealer, retries } = dial(network);
  await network.settle();
  network.cut();
  await network.settle();
  dealer.close();
  assertEquals(retries.map(({ error }) => error), [undefined]);
});

Deno.test({
  name: "Dialer tells EACCES when Deno lacks the permission",
  permissions: { net: false },
  async fn() {
    const dealer = new Dealer();
    const retried = Promise.withResolvers<EventOfType<"connect:retry">>();
    dealer.events.on("connect:retry", retried.resolve);
    dealer.connect(PLACE);
    const { error } = await retried.promise;
    dealer.close();
    assertInstanceOf(error, SocketError);
    assertEquals(error.code, "EACCES");
  },
});
