/**
 * Bad frames against a live Router: sizes, flags, chains of frames, messages that never end.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Random } from "../conformance/random.ts";
import { DEALER_GREETING, hex, join } from "../conformance/vectors.ts";
import { commandFrame, HANDSHAKE, HELLO_BYTES, longHeader, MESSAGE } from "./attacker.ts";
import { MIB, Siege } from "./siege.ts";

const LIMIT = 64 * MIB;
const COMMAND_LIMIT = 8 * 1024;

Deno.test("a length of 2^63 or 2^64-1 ends its sender", async () => {
  await using siege = await Siege.lay();
  for (const size of [2n ** 63n, 2n ** 64n - 1n, 2n ** 63n - 1n, 2n ** 32n, 2n ** 31n]) {
    for (const flags of [0, 1, 4]) {
      await siege.punishes("size", HANDSHAKE, longHeader(flags, size));
      await siege.punishes("size", HANDSHAKE, hex("010161"), longHeader(flags, size));
    }
  }
});

Deno.test("a frame of exactly maxMessageSize arrives, one octet more ends its sender", async () => {
  await using siege = await Siege.lay({ maxMessageSize: 1000 });
  const legal = await siege.attack(HANDSHAKE, longHeader(0, 1000), new Uint8Array(1000));
  assertEquals((await siege.stranger())[1]!.length, 1000);
  await siege.punishes("size", HANDSHAKE, longHeader(0, 1001));
  assert(await legal.say(MESSAGE), "the legal one was closed");
  await siege.stranger();
});

Deno.test("a message of exactly 64 MiB arrives, one octet more ends its sender", async () => {
  // The message while its buffer grows, and nothing near another copy on top of that.
  await using siege = await Siege.lay({}, 160 * MIB);
  const half = new Uint8Array(LIMIT / 2);
  const first = join(longHeader(1, half.length), half);
  await siege.punishes("size", HANDSHAKE, first, longHeader(0, LIMIT / 2 + 1));
  await siege.punishes("size", HANDSHAKE, longHeader(0, LIMIT + 1));
  const legal = await siege.attack(HANDSHAKE, first);
  await legal.say(longHeader(0, half.length), half);
  const frames = await siege.stranger();
  assertEquals(frames.map((it) => it.length), [5, half.length, half.length]);
});

Deno.test("a command of exactly 8 KiB is taken, one octet more ends its sender", async () => {
  await using siege = await Siege.lay();
  const command = (size: number) => commandFrame(join(hex("03464f4f"), new Uint8Array(size - 4)));
  await siege.attack(HANDSHAKE, command(COMMAND_LIMIT), MESSAGE);
  await siege.stranger();
  assertEquals(siege.count("unknown-command"), 1);
  await siege.punishes("size", HANDSHAKE, longHeader(4, COMMAND_LIMIT + 1));
});

Deno.test("a huge length with no bytes behind it costs a read's worth of memory", async () => {
  const most = 50 * 258 * 1024 + MIB;
  await using siege = await Siege.lay({}, most);
  const attackers = await siege.attackers(50, HANDSHAKE, longHeader(0, LIMIT - MIB));
  await siege.until(() => siege.others.filter((it) => it.open).length === 50);
  await siege.trip();
  for (const attacker of attackers) attacker[Symbol.dispose]();
  await siege.untilCounted("cut-short", 50);
  assert(siege.inside.budget.used < MIB);
  assertEquals(siege.strangers, []);
});

Deno.test("MORE frames without an end stop at 1,024", async () => {
  await using siege = await Siege.lay();
  const empty = new Uint8Array(2 * 1024);
  for (let i = 0; i < empty.length; i += 2) empty[i] = 1;
  await siege.punishes("frames", HANDSHAKE, empty, hex("0100"));
  await siege.punishes("frames", HANDSHAKE, empty, empty, empty, empty);
  const legal = await siege.attack(HANDSHAKE, empty.subarray(2), hex("0000"));
  assertEquals((await siege.stranger()).length, 1 + 1024);
  assert(await legal.say(MESSAGE));
  await siege.stranger();
});

Deno.test("MORE frames with commands in between stop at 1,024, and the commands cost nothing", async () => {
  await using siege = await Siege.lay();
  const pair = join(hex("0100"), commandFrame(hex("03464f4f")));
  const pairs = join(...Array.from({ length: 1024 }, () => pair));
  await siege.punishes("frames", HANDSHAKE, pairs, hex("0100"));
  assertEquals(siege.count("unknown-command"), 1024);
});

Deno.test("a peer that leaves inside a message leaves nothing behind", async () => {
  await using siege = await Siege.lay();
  const message = join(hex("010161"), longHeader(0, 300), new Uint8Array(300));
  let cuts = 0;
  for (let cut = 1; cut < message.length; cut += 23) {
    using attacker = await siege.attack(HANDSHAKE, message.subarray(0, cut));
    await attacker.hear(HELLO_BYTES);
    cuts++;
  }
  await siege.untilCounted("cut-short", cuts);
  await siege.until(() => siege.others.length === 0);
  assertEquals(siege.strangers, []);
});

Deno.test("a peer that only ends its own stream inside a message is closed too", async () => {
  await using siege = await Siege.lay();
  const attacker = await siege.attack(HANDSHAKE, hex("0103"));
  await attacker.closeWrite();
  assertEquals((await attacker.end()).length, HELLO_BYTES);
  assertEquals(siege.count("cut-short"), 1);
});

Deno.test("COMMAND with MORE and reserved flag bits end their sender", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("flags", HANDSHAKE, hex("05070450494e470000"));
  await siege.punishes("flags", DEALER_GREETING, hex("05070450494e470000"));
  for (const bit of [8, 16, 32, 64, 128]) {
    await siege.punishes("flags", HANDSHAKE, Uint8Array.of(bit, 1, 97));
    await siege.punishes("flags", HANDSHAKE, hex("010161"), Uint8Array.of(bit, 1, 97));
    await siege.punishes("flags", DEALER_GREETING, Uint8Array.of(bit | 4, 1, 97));
  }
});

Deno.test("an empty command and a name longer than its frame end their sender", async () => {
  await using siege = await Siege.lay();
  for (const before of [HANDSHAKE, DEALER_GREETING]) {
    await siege.punishes("command", before, hex("0400"));
    await siege.punishes("command", before, hex("06 00*8"));
    await siege.punishes("command", before, hex("0403ff5049"));
    await siege.punishes("command", before, hex("040100"));
  }
});

Deno.test("random octets after the handshake cost nobody but their sender", async () => {
  await using siege = await Siege.lay({}, 16 * MIB);
  const random = new Random(37);
  const FAULTS = ["flags", "size", "frames", "command", "cut-short"];
  const ended = () => FAULTS.reduce((sum, fault) => sum + siege.count(fault), 0);
  for (let i = 1; i <= 200; i++) {
    const noise = Uint8Array.from({ length: 2048 }, () => random.bits());
    // Half of them begin as a frame would, so that more than the first octet counts.
    if (i % 2 === 0) noise.set([random.below(8), random.below(64)]);
    using attacker = await siege.attack(HANDSHAKE, noise);
    await attacker.closeWrite();
    await attacker.end();
    assertEquals(ended(), i, `noise ${i} was taken for something legal`);
  }
  await siege.trip();
});
