/**
 * The checklist's lines 12 to 19: the NULL handshake.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { SocketType } from "../../protocol/zmtp/socket_type.ts";
import { openTalk, Talk, type TalkOptions } from "./talk.ts";
import {
  CLIENT7_READY,
  DEALER_GREETING,
  DEALER_READY,
  ERROR_400,
  hex,
  join,
  OUR_GREETING,
  PING,
  PONG,
  REP_READY,
  REQ_READY,
  ROUTER_READY,
  text,
  toHex,
} from "./vectors.ts";
import { type Rule, rule, type Wire } from "./wire.ts";

const TYPES: readonly SocketType[] = ["REQ", "REP", "DEALER", "ROUTER"];
const INVALID_TYPE = toHex(
  join(hex("041a 05"), text("ERROR"), hex("13"), text("Invalid socket type")),
);

/** A property, written without the code under test. */
function property(name: string, value: Uint8Array): Uint8Array {
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, value.length);
  return join(new Uint8Array([name.length]), text(name), size, value);
}

/** A command with a long header, written without the code under test. */
function command(name: string, ...body: Uint8Array[]): Uint8Array {
  const content = join(new Uint8Array([name.length]), text(name), ...body);
  const header = new Uint8Array(9);
  header[0] = 6;
  new DataView(header.buffer).setUint32(5, content.length);
  return join(header, content);
}

function ready(type: string, identity?: Uint8Array): Uint8Array {
  const parts = [property("Socket-Type", text(type))];
  if (identity !== undefined) parts.push(property("Identity", identity));
  return command("READY", ...parts);
}

/** A talk that has got the peer's greeting, and then these octets. */
function greeted(
  wire: Wire,
  bytes: Uint8Array,
  options: TalkOptions = {},
): Talk {
  return new Talk(wire, options).feed(DEALER_GREETING).feed(bytes);
}

const whenReady = rule(
  12,
  "READY goes out when the greeting is complete, or when the peer's came if it is held",
  (wire) => {
    for (const type of TYPES) {
      const talk = new Talk(wire, { type });
      talk.feed(DEALER_GREETING.subarray(0, 63));
      assertEquals(talk.sent("hand").length, 1);
      talk.feed(DEALER_GREETING.subarray(63));
      const expected = toHex(wire.encodeReady(type, new Uint8Array()));
      assertEquals(talk.sent("hand"), [toHex(OUR_GREETING), expected]);
    }
    const held = new Talk(wire, { held: true }).feed(DEALER_GREETING);
    assertEquals(held.sent("hand").length, 1);
    held.feed(DEALER_READY);
    assertEquals(held.log.slice(1), [`hand ${toHex(ROUTER_READY)}`, "open"]);
  },
);

const silence = rule(
  13,
  "nothing follows our READY before the peer's READY is in",
  (wire) => {
    const bytes = join(DEALER_GREETING, DEALER_READY);
    const talk = new Talk(wire);
    for (let at = 0; at < bytes.length; at++) {
      assertEquals(talk.log.includes("open"), false);
      assertEquals(talk.log.length <= 2, true);
      talk.feed(bytes.subarray(at, at + 1));
    }
    assertEquals(talk.log, [
      `hand ${toHex(OUR_GREETING)}`,
      `hand ${toHex(ROUTER_READY)}`,
      "open",
    ]);
  },
);

const metadata = rule(
  14,
  "property names compare without case and are emitted exactly; leftovers are errors; the last of a name counts",
  (wire) => {
    const identity = (...parts: Uint8Array[]) => {
      const talk = greeted(wire, command("READY", ...parts));
      assertEquals(talk.fault, undefined);
      return new TextDecoder().decode(talk.connection.peerIdentity);
    };
    const type = property("Socket-Type", text("DEALER"));
    const [one, two] = [text("one"), text("two")];
    assertEquals(
      identity(
        property("sOCKET-tYPE", text("DEALER")),
        property("IDENTITY", one),
      ),
      "one",
    );
    assertEquals(
      identity(type, property("Identity", one), property("identity", two)),
      "two",
    );
    assertEquals(
      identity(property("X-Unknown", two), type, property("__proto__", two)),
      "",
    );
    const bad = [hex("00"), hex("00 00000000"), hex("01"), hex("0161 000000")];
    bad.push(hex("0161 00000002 62"), hex("0161 ffffffff 62"));
    for (const leftover of bad) {
      const talk = greeted(wire, command("READY", type, leftover));
      assertEquals(talk.fault, "metadata");
    }
    const ours = greeted(wire, new Uint8Array()).sent("hand")[1];
    assertEquals(ours, toHex(ROUTER_READY));
  },
);

const identities = rule(
  15,
  "REQ, DEALER and ROUTER send Identity, REP sends none, and both forms are taken",
  (wire) => {
    const expected: Record<SocketType, Uint8Array> = {
      REQ: REQ_READY,
      REP: REP_READY,
      DEALER: DEALER_READY,
      ROUTER: ROUTER_READY,
    };
    for (const type of TYPES) {
      const sent = new Talk(wire, { type }).feed(DEALER_GREETING).sent("hand");
      assertEquals(sent[1], toHex(expected[type]));
    }
    const named = { type: "DEALER", identity: text("client-7") } as const;
    const sent = new Talk(wire, named).feed(DEALER_GREETING).sent("hand");
    assertEquals(sent[1], toHex(CLIENT7_READY));
    for (const bytes of [DEALER_READY, CLIENT7_READY, ready("DEALER")]) {
      assertEquals(greeted(wire, bytes).connection.state, "OPEN");
    }
  },
);

const partners = rule(
  16,
  "only legal pairs of socket types talk; others, and none at all, get an ERROR",
  (wire) => {
    const legal = new Set([
      "REQ REP",
      "REQ ROUTER",
      "REP REQ",
      "REP DEALER",
      "DEALER REP",
      "DEALER DEALER",
      "DEALER ROUTER",
      "ROUTER REQ",
      "ROUTER DEALER",
      "ROUTER ROUTER",
    ]);
    const others = [
      "PUB",
      "PUSH",
      "PAIR",
      "",
      "dealer",
      "DEALER\0",
      "\ufeffREQ",
    ];
    for (const type of TYPES) {
      for (const theirs of [...TYPES, ...others]) {
        const talk = greeted(wire, ready(theirs), { type });
        const good = legal.has(`${type} ${theirs}`);
        assertEquals(talk.fault, good ? undefined : "socket-type");
        assertEquals(talk.log.includes("open"), good);
        const last = talk.sent("hand").at(-1);
        assertEquals(last === INVALID_TYPE, !good, `${type} ${theirs}`);
      }
    }
    const none = greeted(wire, command("READY"));
    assertEquals(none.fault, "socket-type");
    assertEquals(none.sent("hand").at(-1), INVALID_TYPE);
  },
);

const identityForm = rule(
  17,
  "an identity has 0 to 255 octets and doesn't start with 0",
  (wire) => {
    const fed = (identity: Uint8Array) => greeted(wire, ready("DEALER", identity));
    for (const length of [0, 1, 5, 255]) {
      const identity = new Uint8Array(length).fill(0x61);
      const talk = fed(identity);
      assertEquals(talk.connection.state, "OPEN");
      assertEquals(talk.connection.peerIdentity, identity);
    }
    for (const identity of [hex("61*256"), hex("00"), hex("0000000001")]) {
      const talk = fed(identity);
      assertEquals(talk.fault, "identity");
      assertEquals(talk.log.includes("open"), false);
      assertEquals(talk.sent("hand").length, 2);
    }
    assertEquals(fed(hex("6100")).connection.state, "OPEN");
  },
);

const order = rule(
  18,
  "before READY only READY or ERROR may come; afterwards a second READY, ERROR and the unknown are ignored",
  (wire) => {
    const early = [PING, PONG, command("SUBSCRIBE"), hex("0000")];
    early.push(hex("0100"), hex("000161"), hex("02 00*6 0100"));
    early.push(join(hex("0100"), DEALER_READY, hex("0000")));
    for (const bytes of early) {
      const talk = greeted(wire, bytes);
      assertEquals(talk.fault, "too-early", toHex(bytes));
      assertEquals(talk.log.length, 2);
    }
    const talk = openTalk(wire).feed(
      CLIENT7_READY,
      command("READY", hex("ff")),
      ERROR_400,
      command("SUBSCRIBE", text("x")),
      hex("000161"),
    );
    assertEquals(talk.fault, undefined);
    assertEquals(talk.log, [
      "ignored second-ready",
      "ignored second-ready",
      "ignored error",
      "ignored unknown-command",
      "message 61",
    ]);
    assertEquals(talk.connection.peerIdentity.length, 0);
    assertEquals(talk.connection.peerType, "DEALER");
  },
);

const refusal = rule(
  19,
  "an ERROR instead of READY ends it with its reason, and no ERROR goes back",
  (wire) => {
    for (
      const [bytes, reason] of [
        [ERROR_400, "400"],
        [hex("0407 054552524f52 00"), ""],
        [hex("0408 054552524f52 0578"), "(malformed)"],
      ] as const
    ) {
      const talk = greeted(wire, bytes);
      assertEquals(talk.fault, "refused");
      assertEquals(talk.connection.refusal, reason);
      assertEquals(talk.log.length, 2);
    }
    assertEquals(toHex(wire.encodeError("400")), toHex(ERROR_400));
    assertEquals(greeted(wire, PING).connection.refusal, undefined);
  },
);

/** Lines 12 to 19. */
export const HANDSHAKE_RULES: readonly Rule[] = [
  whenReady,
  silence,
  metadata,
  identities,
  partners,
  identityForm,
  order,
  refusal,
];
