/**
 * The checklist's lines 1 to 5, as far as a conversation without a socket shows them.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { everySplit, Talk } from "./talk.ts";
import {
  CURVE_FIELD,
  DEALER_GREETING,
  DEALER_READY,
  hex,
  join,
  OUR_GREETING,
  PING_HELLO,
  PLAIN_FIELD,
  PONG_HELLO,
  ROUTER_GREETING,
  ROUTER_GREETING_SEGMENTS,
  ROUTER_READY,
  text,
  toHex,
  ZMTP2_GREETING,
} from "./vectors.ts";
import { type Rule, rule, type Wire } from "./wire.ts";

/** A greeting with some octets changed. */
function changed(changes: Readonly<Record<number, number>>): Uint8Array {
  const bytes = DEALER_GREETING.slice();
  for (const [at, octet] of Object.entries(changes)) bytes[Number(at)] = octet;
  return bytes;
}

function shakes(wire: Wire, greeting: Uint8Array): boolean {
  const talk = new Talk(wire).feed(greeting, DEALER_READY);
  return talk.fault === undefined && talk.connection.state === "OPEN";
}

const ours = rule(
  1,
  "our greeting is 64 octets at once with zero padding, and the peer's padding means nothing",
  (wire) => {
    assertEquals(new Talk(wire).log, [`hand ${toHex(OUR_GREETING)}`]);
    for (const padding of [0, 1, 9, 255]) {
      assertEquals(shakes(wire, changed({ 1: padding, 8: padding })), true);
    }
  },
);

const splits = rule(
  2,
  "a greeting may come in any split, 10 + 1 + 53 too, and READY in the same segment",
  (wire) => {
    const talk = new Talk(wire, { type: "DEALER" });
    for (const segment of ROUTER_GREETING_SEGMENTS) talk.feed(segment);
    assertEquals(talk.feed(ROUTER_READY).connection.state, "OPEN");
    everySplit(
      () => new Talk(wire, { type: "DEALER" }),
      join(ROUTER_GREETING, ROUTER_READY),
      (talk) => assertEquals(talk.connection.state, "OPEN"),
    );
  },
);

const versions = rule(
  3,
  "major 3 or later is accepted; a 3.0 peer is not known to ping, but is answered",
  (wire) => {
    for (const major of [3, 4, 255]) {
      for (const minor of [0, 1, 2]) {
        const greeting = changed({ 10: major, 11: minor });
        const talk = new Talk(wire).feed(greeting, DEALER_READY);
        assertEquals(talk.connection.state, "OPEN");
        assertEquals(talk.sent("hand")[0], toHex(OUR_GREETING));
        assertEquals(talk.connection.knowsPing, major > 3 || minor > 0);
        talk.feed(PING_HELLO);
        assertEquals(talk.sent("command"), [toHex(PONG_HELLO)]);
      }
    }
  },
);

const older = rule(
  4,
  "a first octet not FF, an even 10th or an 11th below 3 ends it at once",
  (wire) => {
    const cases: [Uint8Array, string][] = [
      [hex("00"), "greeting"],
      [hex("fe"), "greeting"],
      [hex("7f"), "greeting"],
      [text("GET / HTTP/1.1\r\n"), "greeting"],
      [hex("ff 00*8 7e"), "greeting"],
      [hex("ff 00*8 00"), "greeting"],
      [ZMTP2_GREETING, "version"],
      [hex("ff 00*8 7f 00"), "version"],
      [hex("ff 00*8 7f 02"), "version"],
    ];
    for (const [bytes, fault] of cases) {
      everySplit(() => new Talk(wire), bytes, (talk) => {
        assertEquals(talk.fault, fault);
        // Nothing behind our greeting: no fallback, no ERROR.
        assertEquals(talk.log, [`hand ${toHex(OUR_GREETING)}`]);
      });
    }
    assertEquals(shakes(wire, changed({ 9: 0x01 })), true);
  },
);

const mechanism = rule(
  5,
  "the mechanism's 20 octets must be equal, as-server is 0 with NULL and never validated",
  (wire) => {
    const others = [PLAIN_FIELD, CURVE_FIELD, hex("4e554c4c 00*15 01")];
    others.push(hex("4e554c4c 20 00*15"), hex("00*20"), hex("4e756c6c 00*16"));
    for (const field of others) {
      const greeting = join(hex("ff 00*8 7f 0301"), field, hex("00*32"));
      const talk = new Talk(wire).feed(greeting, DEALER_READY);
      assertEquals(talk.fault, "mechanism");
      assertEquals(talk.log.length, 1);
    }
    assertEquals(wire.encodeGreeting("NULL")[32], 0);
    for (const octet of [0, 1, 2, 255]) {
      assertEquals(shakes(wire, changed({ 32: octet, 63: octet })), true);
    }
  },
);

/** Lines 1 to 5. */
export const GREETING_RULES: readonly Rule[] = [
  ours,
  splits,
  versions,
  older,
  mechanism,
];
