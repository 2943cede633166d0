/**
 * Bad heartbeats against a live Router, and answers that nobody reads.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { hex, join, PING, PING_16, PING_200, PONG_16, toHex } from "../conformance/vectors.ts";
import { HANDSHAKE, HELLO_BYTES, MESSAGE } from "./attacker.ts";
import { MIB, Siege } from "./siege.ts";

Deno.test("PING without a whole ttl ends its sender", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("command", HANDSHAKE, hex("04050450494e47"));
  await siege.punishes("command", HANDSHAKE, hex("04060450494e4700"));
});

Deno.test("PING with 200 octets of context gets 16 back, counted", async () => {
  await using siege = await Siege.lay();
  const attacker = await siege.attack(HANDSHAKE, PING_200);
  const heard = await attacker.hear(HELLO_BYTES + PONG_16.length);
  assertEquals(toHex(heard.subarray(HELLO_BYTES)), toHex(PONG_16));
  assertEquals(siege.count("long-context"), 1);
  assert(await attacker.say(MESSAGE));
  await siege.stranger();
});

Deno.test("a peer that breaks its own ttl is closed, one without a ttl is not", async () => {
  await using siege = await Siege.lay();
  const silent = await siege.attack(HANDSHAKE);
  const promising = await siege.attack(HANDSHAKE, PING);
  await siege.until(() => siege.others.filter((it) => it.open).length === 2);
  await promising.hear(HELLO_BYTES + 7);
  await siege.io.advance(1000);
  await promising.end();
  assertEquals(siege.count("dead"), 1);
  assert(await silent.say(MESSAGE));
  await siege.stranger();
});

Deno.test("a flood of PINGs whose PONGs nobody reads is no longer read, then closed", async () => {
  await using siege = await Siege.lay({}, 2 * MIB);
  siege.inside.settings.writeDeadline = 30_000;
  for (const inside of [new Uint8Array(0), hex("010161")]) {
    const attacker = await siege.attack(HANDSHAKE, inside);
    const block = join(...Array.from({ length: 10_000 }, () => PING_16));
    let said = 0;
    const flood = (async () => {
      while (await attacker.say(block)) said += block.length;
    })();
    await siege.until(() => siege.others[0]?.link?.paused === true && siege.others[0].link.writing);
    // Nothing moves any more: what isn't read fills the kernels' buffers, and the write stands.
    const stuck = siege.count("stuck");
    while (siege.count("stuck") === stuck) {
      await siege.io.advance(1000);
      await siege.trip();
    }
    await flood;
    assert(said < 64 * MIB, `${said} octets were taken`);
    await siege.until(() => siege.others.length === 0);
  }
});
