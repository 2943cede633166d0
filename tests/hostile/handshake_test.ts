/**
 * Bad greetings and handshakes against a live Router.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Random } from "../conformance/random.ts";
import {
  CLIENT7_READY,
  DEALER_GREETING,
  DEALER_READY,
  ERROR_400,
  hex,
  join,
  PING,
  text,
  toHex,
  ZMTP2_GREETING,
} from "../conformance/vectors.ts";
import {
  commandFrame,
  DEALER,
  HANDSHAKE,
  handshakeAs,
  HELLO_BYTES,
  MESSAGE,
  type Property,
  ready,
} from "./attacker.ts";
import { MIB, Siege } from "./siege.ts";

/** Handshake metadata, and so the READY that holds it. */
const COMMAND_LIMIT = 8 * 1024;

Deno.test("ZMTP 1, ZMTP 2, HTTP, another mechanism and random octets are closed at once", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("greeting", hex("0100"));
  await siege.punishes("greeting", hex("06 01 68656c6c6f"));
  await siege.punishes("version", ZMTP2_GREETING);
  await siege.punishes("greeting", text("GET / HTTP/1.1\r\nHost: rota\r\n\r\n"));
  await siege.punishes("mechanism", DEALER_GREETING.map((octet, i) => i === 12 ? 0x50 : octet));
  const random = new Random(23);
  for (let i = 0; i < 20; i++) {
    const noise = Uint8Array.from({ length: 4096 }, () => random.bits());
    noise[0] = noise[0]! & 0x7f;
    await siege.punishes("greeting", noise);
    // The same as a greeting whose 10th octet is even.
    noise[0] = 0xff;
    noise[9] = noise[9]! & 0xfe;
    await siege.punishes("greeting", noise);
  }
});

Deno.test("a greeting dripped octet by octet is legal, until the handshake's deadline", async () => {
  await using siege = await Siege.lay();
  const patient = await siege.attack();
  for (const octet of HANDSHAKE) {
    assert(await patient.say(Uint8Array.of(octet)));
    await siege.trip();
  }
  assertEquals((await patient.hear(HELLO_BYTES)).length, HELLO_BYTES);
  // One octet a second: each is life, and none moves the deadline of 30 s.
  const slow = await siege.attack();
  await siege.until(() => siege.others.length === 2);
  for (const octet of DEALER_GREETING.subarray(0, 29)) {
    assert(await slow.say(Uint8Array.of(octet)));
    await siege.io.advance(1000);
    await siege.trip();
  }
  assertEquals(siege.count("handshake"), 0);
  await siege.io.advance(1000);
  await slow.end();
  assertEquals(siege.count("handshake"), 1);
  assert(await patient.say(MESSAGE));
  await siege.stranger();
});

Deno.test("a message or a command other than READY before READY ends its sender", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("too-early", DEALER_GREETING, MESSAGE, DEALER_READY);
  await siege.punishes("too-early", DEALER_GREETING, hex("010161"), DEALER_READY, MESSAGE);
  await siege.punishes("too-early", DEALER_GREETING, PING);
  await siege.punishes("too-early", DEALER_GREETING, commandFrame(hex("03464f4f")));
});

Deno.test("READY without a Socket-Type or with a bogus one is answered by ERROR", async () => {
  await using siege = await Siege.lay();
  const cases: Property[][] = [
    [],
    [["Identity", text("x")]],
    ...["BOGUS", "", "PUB", "dealer", "DEALER\0", "__proto__"]
      .map((type): Property[] => [["Socket-Type", text(type)]]),
  ];
  for (const properties of cases) {
    const told = await siege.punishes("socket-type", DEALER_GREETING, ready(...properties));
    assert(toHex(told).includes(toHex(text("ERROR"))), "no ERROR came");
  }
});

Deno.test("ERROR instead of READY ends its sender", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("refused", DEALER_GREETING, ERROR_400);
  await siege.punishes(
    "refused",
    DEALER_GREETING,
    commandFrame(join(text("\x05ERROR"), hex("ff"))),
  );
});

Deno.test("metadata that lies about its length ends its sender", async () => {
  await using siege = await Siege.lay();
  const lies: Property[] = [
    ["x", new Uint8Array(3), 4],
    ["x", new Uint8Array(3), 2 ** 31],
    ["x", new Uint8Array(3), 2 ** 32 - 1],
    ["x", new Uint8Array(3), 2],
    ["", text("x")],
  ];
  for (const lie of lies) {
    await siege.punishes("metadata", DEALER_GREETING, ready(DEALER, lie));
  }
  // A name that goes on beyond the frame.
  const cut = commandFrame(join(text("\x05READY"), hex("ff"), text("Socket")));
  await siege.punishes("metadata", DEALER_GREETING, cut);
});

Deno.test("8 KiB of metadata are legal, one octet more or 1 MiB ends its sender", async () => {
  await using siege = await Siege.lay();
  const bare = ready(DEALER, ["x", new Uint8Array(0)]).length - 2;
  const sized = (size: number) => ready(DEALER, ["x", new Uint8Array(size - bare)]);
  assertEquals(sized(COMMAND_LIMIT).length, 9 + COMMAND_LIMIT);
  await siege.punishes("size", DEALER_GREETING, sized(COMMAND_LIMIT + 1));
  await siege.punishes("size", DEALER_GREETING, sized(MIB));
  const legal = await siege.attack(DEALER_GREETING, sized(COMMAND_LIMIT), MESSAGE);
  await siege.stranger();
  assert(await legal.say(MESSAGE));
  await siege.stranger();
});

Deno.test("an identity of 256 octets, or one that starts with 0, ends its sender", async () => {
  await using siege = await Siege.lay();
  await siege.punishes("identity", handshakeAs(new Uint8Array(256).fill(97)));
  await siege.punishes("identity", handshakeAs(hex("0061")));
  await siege.punishes("identity", handshakeAs(hex("00")));
  const legal = await siege.attack(handshakeAs(new Uint8Array(255).fill(97)), MESSAGE);
  assertEquals((await siege.stranger())[0]!.length, 255);
  assert(await legal.say(MESSAGE));
  await siege.stranger();
});

Deno.test("an identity in use is refused by a plain close, without ERROR", async () => {
  await using siege = await Siege.lay();
  const holder = await siege.attack(DEALER_GREETING, CLIENT7_READY);
  await holder.hear(HELLO_BYTES);
  for (const wanted of ["client-7", "good"]) {
    const told = await siege.punishes("identity-in-use", handshakeAs(wanted));
    assert(!toHex(told).includes(toHex(text("ERROR"))));
  }
  assert(await holder.say(MESSAGE));
  assertEquals((await siege.stranger()).map(String), ["client-7", "a"]);
});

Deno.test("a second READY, ERROR and unknown commands are counted and change nothing", async () => {
  await using siege = await Siege.lay();
  const attacker = await siege.attack(
    DEALER_GREETING,
    CLIENT7_READY,
    ready(["Socket-Type", text("PUB")], ["Identity", text("good")]),
    ERROR_400,
    commandFrame(hex("03464f4f")),
    MESSAGE,
  );
  assertEquals((await siege.stranger()).map(String), ["client-7", "a"]);
  for (const what of ["second-ready", "error", "unknown-command"]) {
    assertEquals(siege.count(what), 1, what);
  }
  assert(await attacker.say(MESSAGE));
  await siege.stranger();
});
