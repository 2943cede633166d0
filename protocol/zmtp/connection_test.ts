import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { cutsOf, everySplit, openTalk, Talk } from "../../tests/conformance/talk.ts";
import {
  CLIENT7_READY,
  DEALER_GREETING,
  DEALER_READY,
  ERROR_400,
  hex,
  join,
  MESSAGES,
  OUR_GREETING,
  PING_200,
  PING_HELLO,
  PONG,
  PONG_16,
  PONG_HELLO,
  ROUTER_READY,
  text,
  toHex,
} from "../../tests/conformance/vectors.ts";

const MESSAGE = MESSAGES[2]!;

Deno.test("start() says hello and nothing else", () => {
  assertEquals(new Talk().log, [`hand ${toHex(OUR_GREETING)}`]);
});

Deno.test("feed() goes from greeting to message however the octets are cut", () => {
  const bytes = join(
    DEALER_GREETING,
    CLIENT7_READY,
    PING_HELLO,
    MESSAGE.wire,
  );
  everySplit(() => new Talk(), bytes, (talk) => {
    assertEquals(talk.log, [
      `hand ${toHex(OUR_GREETING)}`,
      `hand ${toHex(ROUTER_READY)}`,
      "open",
      `command ${toHex(PONG_HELLO)}`,
      "message  776f726c64",
    ]);
    assertEquals(talk.connection.state, "OPEN");
    assertEquals(talk.connection.peerType, "DEALER");
    assertEquals(talk.connection.peerIdentity, text("client-7"));
    assertEquals([talk.connection.needed, talk.input.waiting], [0, 0]);
  });
});

Deno.test("feed() says how much the unfinished message needs", () => {
  const talk = new Talk();
  assertEquals(talk.connection.needed, 0);
  talk.feed(DEALER_GREETING.subarray(0, 10));
  assertEquals(talk.connection.needed, 64);
  talk.feed(DEALER_GREETING.subarray(10), DEALER_READY);
  assertEquals(talk.connection.needed, 0);
  talk.feed(hex("000a 61"));
  assertEquals(talk.connection.needed, 12);
});

Deno.test("feed() pauses when told and goes on where it stopped", () => {
  const talk = openTalk();
  talk.appetite = 2;
  talk.feed(hex("000161 000162 000163 000164 0001"));
  assertEquals(talk.log, ["message 61", "message 62"]);
  assertEquals([talk.connection.needed, talk.input.waiting], [0, 8]);
  talk.appetite = Infinity;
  talk.parse();
  assertEquals(talk.log.slice(2), ["message 63", "message 64"]);
  talk.feed(hex("65"));
  assertEquals(talk.log.slice(4), ["message 65"]);
});

Deno.test("feed() stops at once when an event closes the connection", () => {
  const talk = openTalk();
  talk.onMessage = () => {
    talk.log.push("last");
    talk.connection.close();
    return true;
  };
  talk.feed(hex("000161 000162"));
  assertEquals(talk.log, ["last"]);
  assertEquals(talk.connection.state, "CLOSED");
  talk.feed(hex("000163"));
  assertEquals(talk.log, ["last"]);
});

Deno.test("feed() passes an owner's error on: it isn't the peer's fault", () => {
  const talk = openTalk();
  talk.onMessage = () => {
    throw new RangeError("ours");
  };
  assertThrows(() => talk.feed(hex("000161")), RangeError, "ours");
});

Deno.test("feed() refuses a message before READY at its first octet", () => {
  const starts = [hex("00"), hex("01"), hex("02"), hex("03")];
  starts.push(hex("0100"), join(hex("0100"), DEALER_READY, hex("0000")));
  for (const start of starts) {
    const talk = new Talk().feed(DEALER_GREETING, start);
    assertEquals(talk.fault, "too-early");
    assertEquals(talk.messages, []);
    assertEquals(talk.log.includes("open"), false);
  }
});

Deno.test("feed() tells a socket type apart from one with a byte order mark", () => {
  const ready = hex("041a055245414459 0b536f636b65742d54797065 00000006");
  ready[1] = ready.length - 2 + 6;
  const talk = new Talk().feed(DEALER_GREETING, ready, hex("efbbbf524551"));
  assertEquals(talk.fault, "socket-type");
});

Deno.test("feed() ignores and counts what an open connection need not punish", () => {
  const bytes = join(
    CLIENT7_READY,
    ERROR_400,
    hex("0404 03585859"),
    PING_200,
    PONG,
  );
  everySplit(openTalk, bytes, (talk) => {
    assertEquals(talk.ignored, [
      "second-ready",
      "error",
      "unknown-command",
      "long-context",
    ]);
    assertEquals(talk.sent("command"), [toHex(PONG_16)]);
    assertEquals(talk.connection.peerIdentity.length, 0);
    assertEquals(talk.connection.refusal, undefined);
    assertEquals(talk.connection.state, "OPEN");
  });
});

Deno.test("feed() sends a held READY before anything else, and only once", () => {
  const bytes = join(DEALER_GREETING, DEALER_READY, PING_HELLO);
  for (const cuts of cutsOf(bytes.length)) {
    const talk = new Talk(undefined, { held: true }).feedAt(bytes, cuts);
    assertEquals(talk.log, [
      `hand ${toHex(OUR_GREETING)}`,
      `hand ${toHex(ROUTER_READY)}`,
      "open",
      `command ${toHex(PONG_HELLO)}`,
    ]);
  }
});

Deno.test("feed() tells the same of any conversation however its octets are cut", () => {
  const part = fc.constantFrom(
    ...MESSAGES.map(({ wire }) => wire),
    PING_HELLO,
    PING_200,
    PONG,
    CLIENT7_READY,
    ERROR_400,
    hex("0100"),
    hex("05"),
  );
  fc.assert(fc.property(
    fc.array(part, { maxLength: 6 }),
    fc.array(fc.nat(2000), { maxLength: 8 }),
    (parts, points) => {
      const bytes = join(DEALER_GREETING, DEALER_READY, ...parts);
      const cuts = points.map((at) => Math.min(at, bytes.length)).sort((a, b) => a - b);
      const whole = new Talk().feed(bytes);
      const pieces = new Talk().feedAt(bytes, cuts);
      assertEquals(pieces.log, whole.log);
      assertEquals(pieces.fault, whole.fault);
    },
  ));
});

Deno.test("ping() and pong() hand out a command each", () => {
  const talk = openTalk();
  talk.connection.ping(10);
  talk.connection.pong();
  assertEquals(talk.sent("command"), ["04070450494e47000a", toHex(PONG)]);
});

Deno.test("close() is final and may be repeated", () => {
  const talk = openTalk();
  talk.leave();
  talk.leave();
  assertEquals([talk.connection.state, talk.memory.held], ["CLOSED", 0]);
});
