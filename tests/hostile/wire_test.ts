/**
 * Bad input on the wire against a live Router over TCP: the offender is closed or its message
 * dropped, a counter says so, memory stays bounded, and a well-behaved peer is served meanwhile.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  CLIENT7_READY,
  DEALER_GREETING,
  DEALER_READY,
  ERROR_400,
  hex,
  join,
  PING_200,
  PONG_16,
  ROUTER_READY,
  text,
  toHex,
  ZMTP2_GREETING,
} from "../conformance/vectors.ts";
import { type Attacker, commandFrame, HANDSHAKE, longHeader, ready, Siege } from "./attacker.ts";

const MIB = 1024 * 1024;
/** What a few peers with small buffers may take. */
const SMALL = MIB;
/** What a peer hears of us when it has shaken hands: greeting and READY. */
const HELLO_BYTES = 64 + ROUTER_READY.length;
const DEALER = ["Socket-Type", text("DEALER")] as const;

Deno.test("a length of 2^63 or 2^64-1 ends its sender", async () => {
  await using siege = await Siege.lay();
  for (const size of [2n ** 63n, 2n ** 64n - 1n, 2n ** 63n - 1n, 2n ** 32n]) {
    for (const flags of [0, 1, 4]) {
      await siege.punishes("size", HANDSHAKE, longHeader(flags, size));
    }
  }
  siege.assertPeak(SMALL);
});

Deno.test("a frame of exactly maxMessageSize arrives, one octet more ends its sender", async () => {
  await using siege = await Siege.lay({ maxMessageSize: 1000 });
  using legal = await siege.attack(
    HANDSHAKE,
    longHeader(0, 1000n),
    new Uint8Array(1000),
  );
  await siege.until(() => siege.strangers.length > 0);
  assertEquals(siege.strangers.splice(0)[0]![1]!.length, 1000);
  await siege.punishes("size", HANDSHAKE, longHeader(0, 1001n));
  assert(await legal.say(hex("000161")), "the legal one was closed");
  await siege.until(() => siege.strangers.length > 0);
  siege.assertPeak(SMALL);
});

Deno.test("a message of exactly 64 MiB arrives, one octet more ends its sender", async () => {
  await using siege = await Siege.lay();
  const half = new Uint8Array(32 * MIB);
  const first = join(longHeader(1, BigInt(half.length)), half);
  await siege.punishes("size", HANDSHAKE, first, longHeader(0, 32n * 2n ** 20n + 1n));
  using legal = await siege.attack(HANDSHAKE, first);
  await legal.say(longHeader(0, BigInt(half.length)), half);
  await siege.until(() => siege.strangers.length > 0);
  assertEquals(siege.strangers[0]!.map((it) => it.length), [5, half.length, half.length]);
  // The message while its buffer grows, and nothing near another copy on top of that.
  siege.assertPeak(160 * MIB);
});

Deno.test("a huge length with no bytes behind it costs a read's worth of memory", async () => {
  await using siege = await Siege.lay();
  const attackers: Attacker[] = [];
  for (let i = 0; i < 50; i++) {
    attackers.push(await siege.attack(HANDSHAKE, longHeader(0, 63n * 2n ** 20n)));
  }
  await siege.until(() => siege.inside.peers.filter((it) => it?.open).length === 51);
  await siege.trip();
  siege.assertPeak(50 * 258 * 1024 + SMALL);
  for (const attacker of attackers) attacker[Symbol.dispose]();
  await siege.until(() => siege.count("cut-short") === 50);
  assert(siege.inside.budget.used < SMALL);
  assertEquals(siege.strangers, []);
});

Deno.test("MORE frames without an end stop at 1,024", async () => {
  await using siege = await Siege.lay();
  const empty = new Uint8Array(2 * 1024);
  for (let i = 0; i < empty.length; i += 2) empty[i] = 1;
  await siege.punishes("frames", HANDSHAKE, empty, hex("0100"));
  await siege.punishes("frames", HANDSHAKE, empty, empty, empty, empty);
  using legal = await siege.attack(HANDSHAKE, empty.subarray(2), hex("0000"));
  await siege.until(() => siege.strangers.length > 0);
  assertEquals(siege.strangers[0]!.length, 1 + 1024);
  assert(await legal.say(hex("0000")));
  siege.assertPeak(SMALL);
});

Deno.test("a peer that leaves inside a message leaves nothing behind", async () => {
  await using siege = await Siege.lay();
  const message = join(hex("010161"), longHeader(0, 300n), new Uint8Array(300));
  for (let cut = 1; cut < message.length; cut += 23) {
    using attacker = await siege.attack(HANDSHAKE, message.subarray(0, cut));
    await attacker.hear(HELLO_BYTES);
  }
  const cuts = Math.ceil((message.length - 1) / 23);
  await siege.until(() => siege.count("cut-short") === cuts);
  await siege.until(() => siege.inside.peers.filter(Boolean).length === 1);
  assertEquals(siege.strangers, []);
  siege.assertPeak(SMALL);
});

Deno.test("ZMTP 1, ZMTP 2, HTTP and random bytes are closed at once", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("greeting", hex("0100"));
  await siege.punishes("version", ZMTP2_GREETING);
  await siege.punishes("greeting", text("GET / HTTP/1.1\r\nHost: rota\r\n\r\n"));
  await siege.punishes("mechanism", DEALER_GREETING.map((octet, i) => i === 12 ? 0x50 : octet));
  for (let i = 0; i < 20; i++) {
    const noise = crypto.getRandomValues(new Uint8Array(4096));
    noise[0] = noise[0]! & 0x7f;
    await siege.punishes("greeting", noise);
  }
  siege.assertPeak(SMALL);
});

Deno.test("a greeting dripped byte by byte is legal, and ends at the handshake's deadline", async () => {
  await using siege = await Siege.lay({ handshakeInterval: 300 });
  using patient = await siege.attack();
  for (const octet of HANDSHAKE) assert(await patient.say(Uint8Array.of(octet)));
  assertEquals((await patient.hear(HELLO_BYTES)).length, HELLO_BYTES);
  using endless = await siege.attack();
  let said = 0;
  while (await endless.say(DEALER_GREETING.subarray(said, said + 1))) {
    said = Math.min(said + 1, 40);
    if (said === 40) break;
    await siege.trip();
  }
  await endless.end();
  assertEquals(siege.count("handshake"), 1);
  await siege.trip();
  siege.assertPeak(SMALL);
});

Deno.test("1,000 peers that never shake hands: a new client is served within 1 s", async () => {
  await using siege = await Siege.lay();
  const silent: Attacker[] = [];
  for (let i = 0; i < 1000; i++) silent.push(await siege.attack());
  const begin = performance.now();
  using client = await siege.attack(HANDSHAKE, hex("000161"));
  await siege.until(() => siege.strangers.length > 0);
  await siege.router.send([siege.strangers[0]![0]!, "b"]);
  const heard = await client.hear(HELLO_BYTES + 3);
  const took = performance.now() - begin;
  assertEquals(toHex(heard.subarray(HELLO_BYTES)), "000162");
  assert(took < 1000, `it took ${took} ms`);
  // An idle connection costs 20 KiB at most.
  siege.assertPeak(1000 * 20 * 1024);
  for (const attacker of silent) attacker[Symbol.dispose]();
});

Deno.test("past 1,024 peers in handshake the oldest goes, counted", async () => {
  await using siege = await Siege.lay();
  siege.inside.settings.handshakes = 10;
  using oldest = await siege.attack(DEALER_GREETING.subarray(0, 5));
  await siege.trip();
  const silent: Attacker[] = [];
  for (let i = 0; i < 10; i++) silent.push(await siege.attack());
  await oldest.end();
  assertEquals(siege.count("handshakes"), 1);
  await siege.trip();
  for (const attacker of silent) attacker[Symbol.dispose]();
});

Deno.test("a message or a PING before READY ends its sender", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("too-early", DEALER_GREETING, hex("000161"), DEALER_READY);
  await siege.punishes("too-early", DEALER_GREETING, hex("010161"), DEALER_READY, hex("000162"));
  await siege.punishes("too-early", DEALER_GREETING, hex("04070450494e470000"));
  siege.assertPeak(SMALL);
});

Deno.test("READY without a Socket-Type or with a bogus one is answered by ERROR", async () => {
  await using siege = await Siege.lay();
  for (
    const properties of [
      [],
      [["Identity", text("x")]],
      [["Socket-Type", text("BOGUS")]],
      [["Socket-Type", text("")]],
      [["Socket-Type", text("PUB")]],
      [["Socket-Type", text("dealer")]],
    ] as [string, Uint8Array][][]
  ) {
    const told = await siege.punishes("socket-type", DEALER_GREETING, ready(properties));
    assert(toHex(told).includes(toHex(text("ERROR"))), "no ERROR came");
  }
  siege.assertPeak(SMALL);
});

Deno.test("metadata that lies about its length or is 1 MiB long ends its sender", async () => {
  await using siege = await Siege.lay();
  const lying = [["x", new Uint8Array(3), 4], ["x", new Uint8Array(3), 2 ** 32 - 1]] as const;
  for (const property of lying) {
    await siege.punishes("metadata", DEALER_GREETING, ready([DEALER, property]));
  }
  await siege.punishes("metadata", DEALER_GREETING, ready([["", text("x")], DEALER]));
  const large = ready([DEALER, ["x", new Uint8Array(MIB)]]);
  await siege.punishes("size", DEALER_GREETING, large);
  const exact = ready([DEALER, ["x", new Uint8Array(8 * 1024 - 6 - 22 - 6)]]);
  assertEquals(exact.length, 9 + 8 * 1024);
  using legal = await siege.attack(DEALER_GREETING, exact, hex("000161"));
  await siege.until(() => siege.strangers.length > 0);
  assert(await legal.say(hex("000161")));
  siege.assertPeak(SMALL);
});

Deno.test("an identity of 256 octets, or one that starts with 0, ends its sender", async () => {
  await using siege = await Siege.lay();
  const named = (identity: Uint8Array) => ready([DEALER, ["Identity", identity]]);
  await siege.punishes("identity", DEALER_GREETING, named(new Uint8Array(256).fill(97)));
  await siege.punishes("identity", DEALER_GREETING, named(hex("0061")));
  await siege.punishes("identity", DEALER_GREETING, named(hex("00")));
  using legal = await siege.attack(
    DEALER_GREETING,
    named(new Uint8Array(255).fill(97)),
    hex("000161"),
  );
  await siege.until(() => siege.strangers.length > 0);
  assertEquals(siege.strangers[0]![0]!.length, 255);
  assert(await legal.say(hex("000161")));
});

Deno.test("an identity in use is refused by a plain close, without ERROR", async () => {
  await using siege = await Siege.lay();
  using holder = await siege.attack(DEALER_GREETING, CLIENT7_READY);
  await holder.hear(HELLO_BYTES);
  for (const wanted of [CLIENT7_READY, ready([DEALER, ["Identity", text("good")]])]) {
    const told = await siege.punishes("identity-in-use", DEALER_GREETING, wanted);
    assert(!toHex(told).includes(toHex(text("ERROR"))));
  }
  assert(await holder.say(hex("000161")));
  await siege.until(() => siege.strangers.length > 0);
  assertEquals(siege.strangers[0]!.map((it) => toHex(it)), [toHex(text("client-7")), "61"]);
});

Deno.test("a second READY, ERROR and unknown commands are counted and change nothing", async () => {
  await using siege = await Siege.lay();
  using attacker = await siege.attack(
    DEALER_GREETING,
    CLIENT7_READY,
    ready([["Socket-Type", text("PUB")], ["Identity", text("good")]]),
    ERROR_400,
    commandFrame(join(hex("03"), text("FOO"))),
    hex("000161"),
  );
  await siege.until(() => siege.strangers.length > 0);
  assertEquals(siege.strangers[0]!.map((it) => toHex(it)), [toHex(text("client-7")), "61"]);
  for (const what of ["second-ready", "error", "unknown-command"]) {
    assertEquals(siege.count(what), 1, what);
  }
  assert(await attacker.say(hex("000161")));
});

Deno.test("COMMAND with MORE, reserved bits and malformed commands end their sender", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("flags", HANDSHAKE, hex("05070450494e470000"));
  for (const bit of [8, 16, 32, 64, 128]) {
    await siege.punishes("flags", HANDSHAKE, Uint8Array.of(bit, 1, 97));
    await siege.punishes("flags", DEALER_GREETING, Uint8Array.of(bit | 4, 1, 97));
  }
  await siege.punishes("command", HANDSHAKE, hex("0400"));
  await siege.punishes("command", HANDSHAKE, hex("06 00*8"));
  await siege.punishes("command", DEALER_GREETING, hex("0400"));
  await siege.punishes("command", HANDSHAKE, hex("0403ff5049"));
  siege.assertPeak(SMALL);
});

Deno.test("PING without ttl ends its sender; 200 octets of context give back 16, counted", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("command", HANDSHAKE, hex("04050450494e47"));
  await siege.punishes("command", HANDSHAKE, hex("04060450494e4700"));
  using attacker = await siege.attack(HANDSHAKE, PING_200);
  const heard = await attacker.hear(HELLO_BYTES + PONG_16.length);
  assertEquals(toHex(heard.subarray(HELLO_BYTES)), toHex(PONG_16));
  assertEquals(siege.count("long-context"), 1);
});

Deno.test("a flood of PINGs whose PONGs nobody reads is no longer read, and memory stays small", async () => {
  await using siege = await Siege.lay();
  using attacker = await siege.attack(HANDSHAKE);
  const pings = hex("04170450494e470000 41*16");
  const block = join(...Array.from({ length: 10_000 }, () => pings));
  let said = 0;
  let stuck = false;
  const flood = (async () => {
    while (await attacker.say(block)) said += block.length;
  })();
  // The flood stands still once both kernels' buffers are full: no block gets through any more.
  for (let before = -1; !stuck;) {
    for (let i = 0; i < 2000; i++) await siege.trip();
    stuck = said === before;
    before = said;
  }
  assert(said < 64 * MIB, `${said} octets were taken`);
  siege.assertPeak(2 * MIB);
  attacker[Symbol.dispose]();
  await flood;
  await siege.until(() => siege.inside.peers.filter(Boolean).length === 1);
});
