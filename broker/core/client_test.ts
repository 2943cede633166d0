import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { MemoryOutlet, type Verb } from "../../tests/kit/memory_outlet.ts";
import { BY_BACKLOG, BY_OUTPUT, BY_SHUTDOWN, Client } from "./client.ts";

/** A client, and what was done with its connection. */
function watched(): { client: Client; outlet: MemoryOutlet; verbs: Verb[] } {
  const verbs: Verb[] = [];
  const outlet = new MemoryOutlet((verb) => verbs.push(verb));
  return { client: new Client(3, outlet, new Uint8Array()), outlet, verbs };
}

Deno.test("Client.resume() reads on only when no reason is left", () => {
  const { client, verbs } = watched();
  client.pause(BY_BACKLOG);
  client.pause(BY_OUTPUT);
  client.pause(BY_BACKLOG);
  client.resume(BY_BACKLOG);
  assertEquals(verbs, ["paused"]);
  client.resume(BY_SHUTDOWN);
  assertEquals(verbs, ["paused"]);
  client.resume(BY_OUTPUT);
  assertEquals(verbs, ["paused", "resumed"]);
  client.resume(BY_OUTPUT);
  assertEquals(verbs, ["paused", "resumed"]);
});

Deno.test("Client is read exactly while there is no reason against it", () => {
  const reason = fc.constantFrom(BY_BACKLOG, BY_OUTPUT, BY_SHUTDOWN);
  fc.assert(fc.property(fc.array(fc.tuple(fc.boolean(), reason)), (steps) => {
    const { client, outlet } = watched();
    const reasons = new Set<number>();
    for (const [pauses, reason] of steps) {
      if (pauses) client.pause(reason);
      else client.resume(reason);
      if (pauses) reasons.add(reason);
      else reasons.delete(reason);
      // The outlet throws if it is told the same twice.
      assertEquals(outlet.held, reasons.size > 0);
    }
  }));
});
