// Applications that send and receive message by message, each with its `await`: what they say in
// one turn of the event loop still goes out in one write.

import { assert, assertEquals } from "@std/assert";
import { CountingIo } from "../../tests/conformance/counting_io.ts";
import { MemoryNetwork } from "../io/memory_io.ts";
import { Dealer, Router } from "../mod.ts";

const MESSAGES = 100;

/** Sends messages one by one to a Router that answers one by one; the writes of each side. */
async function exchange(asking: CountingIo, answering: CountingIo): Promise<[number, number]> {
  await using router = new Router({ io: answering });
  await router.bind("tcp://127.0.0.1:*");
  await using dealer = new Dealer({ io: asking });
  dealer.connect(router.lastEndpoint!);
  const answers = (async () => {
    for await (const [address, body] of router) await router.send([address!, body!]);
  })();
  await dealer.send("are you there?");
  await dealer.receive();
  const before = [asking.count("write"), answering.count("write")] as const;
  for (let i = 0; i < MESSAGES; i++) await dealer.send(String(i));
  for (let i = 0; i < MESSAGES; i++) {
    assertEquals((await dealer.receive()).join(), String(i));
  }
  const after = [asking.count("write"), answering.count("write")] as const;
  router.close();
  await answers;
  return [after[0] - before[0], after[1] - before[1]];
}

Deno.test("send() of message after message is one write, and so are the answers", async () => {
  const network = new MemoryNetwork();
  const writes = await exchange(
    new CountingIo(network.io("asking")),
    new CountingIo(network.io("answering")),
  );
  assertEquals(writes, [1, 1]);
});

Deno.test("over TCP: send() of message after message is one write, and answers share some", async () => {
  const [asked, answered] = await exchange(new CountingIo(), new CountingIo());
  assertEquals(asked, 1);
  // The kernel may hand over the hundred messages in a few reads, but never singly.
  assert(answered <= MESSAGES / 10, `${answered} writes for ${MESSAGES} answers`);
});
