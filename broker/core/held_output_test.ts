import { assertEquals } from "@std/assert";
import { MemoryOutlet } from "../../tests/kit/memory_outlet.ts";
import { HeldOutput, Holdings } from "./held_output.ts";

const MIB = 1024 * 1024;

/** Says a message of so many octets. */
function say(held: HeldOutput, octets: number): void {
  held.batch().message([new Uint8Array(octets)]);
}

Deno.test("HeldOutput.moveTo() gives what was held to the client that is back, once", () => {
  const holdings = new Holdings();
  const held = new HeldOutput(holdings);
  const outlet = new MemoryOutlet(() => {});
  for (const octets of [3, 4, 5]) say(held, octets);
  assertEquals([held.messages, held.lost], [3, 0]);
  held.moveTo(outlet);
  assertEquals(outlet.take().map(([frame]) => frame!.length), [3, 4, 5]);
  held.moveTo(outlet);
  assertEquals([outlet.take(), holdings.used], [[], 0]);
});

Deno.test("HeldOutput.batch() loses what begins beyond 1 MiB", () => {
  const holdings = new Holdings();
  const held = new HeldOutput(holdings);
  say(held, MIB - 100);
  say(held, 200);
  say(held, 1);
  assertEquals([held.messages, held.lost], [2, 1]);
  held.drop();
  assertEquals([held.messages, holdings.used], [0, 0]);
});

Deno.test("HeldOutput.batch() loses what comes when 64 MiB are held for all", () => {
  const holdings = new Holdings();
  const all = Array.from({ length: 100 }, () => new HeldOutput(holdings));
  for (const held of all) say(held, MIB);
  const kept = all.filter(({ messages }) => messages === 1).length;
  const lost = all.filter((it) => it.lost === 1).length;
  assertEquals([kept + lost, kept >= 32 && kept <= 64], [100, true]);
  all[0]!.drop();
  say(all[99]!, 1);
  assertEquals(all[99]!.messages, 1);
  for (const held of all) held.drop();
  assertEquals(holdings.used, 0);
});
