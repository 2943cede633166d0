import { assert, assertEquals } from "@std/assert";
import type { Io } from "../io/io.ts";
import { Dealer, Router } from "../mod.ts";
import { EASE_BYTES, Easing } from "./easing.ts";
import { inspect } from "./inspect.ts";

/** A world whose moments pass when told to. */
function world(): { readonly io: Io; readonly moments: (() => void)[] } {
  const moments: (() => void)[] = [];
  const moment = (callback: () => void) => moments.push(callback);
  const clearTimer = (id: number) => void (moments[id - 1] = () => {});
  return { io: { moment, clearTimer } as unknown as Io, moments };
}

/** Whether a promise has resolved. */
async function isDone(promise: Promise<void> | undefined): Promise<boolean> {
  let done = false;
  promise!.then(() => done = true);
  for (let i = 0; i < 3; i++) await Promise.resolve();
  return done;
}

Deno.test("Easing.begin() makes sends wait for end(), and those after it don't", async () => {
  const easing = new Easing(world().io);
  assertEquals(easing.promise, undefined);
  easing.begin();
  const first = easing.promise;
  easing.begin();
  assertEquals(easing.promise, first);
  assertEquals(await isDone(first), false);
  easing.end();
  assertEquals(await isDone(first), true);
  assertEquals(easing.promise, undefined);
});

Deno.test("Easing.begin() waits for a moment at most, with one timer however often it begins", async () => {
  const { io, moments } = world();
  const easing = new Easing(io);
  for (let i = 0; i < 3; i++) {
    easing.begin();
    easing.end();
  }
  easing.begin();
  const last = easing.promise;
  assertEquals(moments.length, 1);
  moments[0]!();
  assertEquals(await isDone(last), true);
  easing.begin();
  assertEquals(moments.length, 2);
});

Deno.test("Easing.close() leaves nobody waiting and no timer", async () => {
  const { io, moments } = world();
  const easing = new Easing(io);
  easing.begin();
  const waiting = easing.promise;
  easing.close();
  assertEquals(await isDone(waiting), true);
  easing.begin();
  const later = easing.promise;
  moments[0]!();
  assertEquals(await isDone(later), false);
  easing.close();
});

Deno.test("Easing.begin() does nothing on a clock that doesn't move by itself", () => {
  const easing = new Easing({} as unknown as Io);
  easing.begin();
  assertEquals(easing.promise, undefined);
});

const LARGE = new Uint8Array(64 * 1024);

Deno.test("over TCP: a Dealer that awaits each send holds little, however slow the other side is", async () => {
  await using router = new Router({ receiveHighWaterMark: 1 });
  await router.bind("tcp://127.0.0.1:*");
  await using dealer = new Dealer();
  dealer.connect(router.lastEndpoint!);
  await dealer.send("are you there?");
  await router.receive();
  const messages = 400;
  let received = 0;
  const receiving = (async () => {
    while (received < messages) {
      await router.receive();
      received++;
    }
  })();
  for (let i = 0; i < messages; i++) await dealer.send(LARGE);
  await receiving;
  const { peak } = inspect(dealer).budget;
  assert(peak < 4 * EASE_BYTES, `${peak} octets at the peak`);
});

Deno.test("over TCP: a peer that takes nothing delays no send for good", async () => {
  await using router = new Router({ linger: 0, receiveHighWaterMark: 1 });
  await router.bind("tcp://127.0.0.1:*");
  await using dealer = new Dealer({ linger: 0 });
  dealer.connect(router.lastEndpoint!);
  await dealer.send("are you there?");
  await router.receive();
  const [peer] = inspect(dealer).peers;
  // Below the high-water mark of 1,000 messages, and more than the kernel holds for both sides.
  let sent = 0;
  for (; sent < 900 && peer!.waitingBytes < 2 * EASE_BYTES; sent++) await dealer.send(LARGE);
  assert(sent < 900, "the kernel took everything");
});
