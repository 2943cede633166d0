/**
 * The checklist's lines 21, 22 and 26: heartbeats, as far as they need no clock.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { everySplit, openTalk } from "./talk.ts";
import {
  CLIENT7_READY,
  ERROR_400,
  hex,
  join,
  PING,
  PING_16,
  PING_200,
  PING_HELLO,
  PONG,
  PONG_16,
  PONG_HELLO,
  toHex,
} from "./vectors.ts";
import { type Rule, rule } from "./wire.ts";

const answers = rule(
  21,
  "a PING is answered in order with its context, 16 octets of it at most; without ttl it is a fault",
  (wire) => {
    const pings = join(PING, PING_HELLO, PING_16, PING_200, PING);
    everySplit(() => openTalk(wire), pings, (talk) => {
      const pongs = [PONG, PONG_HELLO, PONG_16, PONG_16, PONG].map(toHex);
      assertEquals(talk.sent("command"), pongs);
      assertEquals(talk.ignored, ["long-context"]);
    });
    for (const bytes of [hex("0405 0450494e47"), hex("0406 0450494e47 00")]) {
      const talk = openTalk(wire).feed(bytes);
      assertEquals(talk.fault, "command");
      assertEquals(talk.log, []);
    }
  },
);

const ttl = rule(
  22,
  "a ttl of at most 655 is sent, up to 65535 is taken, and 0 means none",
  (wire) => {
    const sent = (tenths: number) => {
      const talk = openTalk(wire);
      talk.connection.ping(tenths);
      return talk.sent("command")[0];
    };
    assertEquals(wire.PING_TTL_TENTHS, 655);
    assertEquals(sent(0), "04070450494e470000");
    assertEquals(sent(10), toHex(PING));
    for (const tenths of [655, 656, 65_536, 1e9]) {
      assertEquals(sent(tenths), "04070450494e47028f");
    }
    const talk = openTalk(wire);
    assertEquals(talk.connection.peerTtl, 0);
    const received: [string, number][] = [
      ["000a", 1_000],
      ["028f", 65_500],
      ["ffff", 6_553_500],
      ["0000", 0],
    ];
    for (const [octets, milliseconds] of received) {
      talk.feed(hex(`0407 0450494e47 ${octets}`));
      assertEquals(talk.connection.peerTtl, milliseconds);
    }
  },
);

const hidden = rule(
  26,
  "no command reaches the application",
  (wire) => {
    const unknown = hex("0404 03585859");
    const bytes = join(
      PING,
      PONG,
      hex("01055245414459"),
      unknown,
      CLIENT7_READY,
      hex("000450494e47"),
      ERROR_400,
    );
    everySplit(() => openTalk(wire), bytes, (talk) => {
      assertEquals(talk.messages, [[hex("5245414459"), hex("50494e47")]]);
    });
  },
);

/** Lines 21, 22 and 26. */
export const HEARTBEAT_RULES: readonly Rule[] = [answers, ttl, hidden];
