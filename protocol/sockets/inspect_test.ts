import { assertEquals, assertThrows } from "@std/assert";
import { inWorld, message, PLACE } from "../../tests/conformance/raw_peer.ts";
import { hex } from "../../tests/conformance/vectors.ts";
import { inspect } from "./inspect.ts";
import type { Socket } from "./socket.ts";

Deno.test("inspect() shows memory, counters, settings, peers and deadlines of one socket", () =>
  inWorld(async (w) => {
    const router = w.router({ sendHighWaterMark: 7 });
    const inside = inspect(router);
    assertEquals([inside.settings.type, inside.settings.sendHighWaterMark], ["ROUTER", 7]);
    await router.bind(PLACE);
    const raw = await w.meet("DEALER", "peer");
    raw.say(message("hello"), hex("0404 03585859"));
    await w.settle();
    assertEquals(inside.peers.map((peer) => peer?.open), [true]);
    assertEquals(inside.counters.get("unknown-command"), 1);
    const holding = inside.budget.used;
    await router.receive();
    assertEquals(holding - inside.budget.used, "peer".length + "hello".length);
    assertEquals(inspect(w.dealer()).counters.size, 0);
  }));

Deno.test("inspect() of what is no socket is a TypeError", () => {
  assertThrows(() => inspect({} as Socket), TypeError, "Cannot inspect");
});
