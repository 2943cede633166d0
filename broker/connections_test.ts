// The limit on connections holds for both ports of a broker together.

import { assertEquals } from "@std/assert";
import { MemoryNetwork } from "../protocol/io/memory_io.ts";
import { Dealer } from "../protocol/mod.ts";
import { Broker } from "./broker.ts";

Deno.test("Broker counts the connections of both ports together", async () => {
  const network = new MemoryNetwork();
  const io = network.io("broker");
  const [frontend, backend] = ["tcp://127.0.0.1:5555", "tcp://127.0.0.1:5556"];
  await using broker = await Broker.start({ frontend, backend, io, limits: { connections: 3 } });
  const sockets = [frontend, backend, frontend, backend].map((endpoint) => {
    const socket = new Dealer({ io: network.io("peer"), linger: 0, reconnectInterval: -1 });
    socket.connect(endpoint);
    return socket;
  });
  await network.settle();
  const { frontend: front, backend: back } = broker.views.snapshot();
  assertEquals(front.connections + back.connections, 3);
  assertEquals(back.faults["connections"] ?? front.faults["connections"], 1);
  for (const socket of sockets) socket.close();
  const closed = broker.close({ now: true });
  await network.advance(5000);
  await closed;
});
