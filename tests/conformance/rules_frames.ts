/**
 * The checklist's lines 7 to 11: frames and messages.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { everySplit, openTalk } from "./talk.ts";
import { hex, join, MESSAGES, PING, PONG, PONG_HELLO, toHex } from "./vectors.ts";
import { type Rule, rule, type Wire } from "./wire.ts";

function faultOf(wire: Wire, bytes: Uint8Array): string | undefined {
  return openTalk(wire).feed(bytes).fault;
}

const flags = rule(
  7,
  "reserved bits, COMMAND with MORE, an empty command and an overlong name are the peer's fault",
  (wire) => {
    for (let octet = 8; octet < 256; octet++) {
      assertEquals(faultOf(wire, new Uint8Array([octet, 0])), "flags");
    }
    assertEquals(faultOf(wire, hex("0505 04504f4e47")), "flags");
    assertEquals(faultOf(wire, hex("07 00*7 05 04504f4e47")), "flags");
    assertEquals(faultOf(wire, hex("0400")), "command");
    assertEquals(faultOf(wire, hex("06 00*8")), "command");
    assertEquals(faultOf(wire, hex("0401 00")), "command");
    assertEquals(faultOf(wire, hex("0405 05504f4e47")), "command");
    assertEquals(faultOf(wire, hex("0405 ff504f4e47")), "command");
    assertEquals(faultOf(wire, PONG), undefined);
  },
);

const long = rule(
  8,
  "LONG is taken for any size, SHORT is sent up to 255, and lengths are big-endian below 2^63",
  (wire) => {
    for (const size of [0, 1, 5, 255, 256, 300, 65_536]) {
      const body = new Uint8Array(size).fill(0x61);
      const header = new Uint8Array(9);
      header[0] = wire.LONG;
      new DataView(header.buffer).setBigUint64(1, BigInt(size));
      const talk = openTalk(wire).feed(header, body);
      assertEquals(talk.messages, [[body]]);
      const sent = new Uint8Array(wire.frameBytes(size));
      const at = wire.writeFrameHeader(sent, 0, 0, size);
      assertEquals(at, size <= 255 ? 2 : 9);
      sent.set(body, at);
      assertEquals(openTalk(wire).feed(sent).messages, [[body]]);
    }
    for (const size of ["8000000000000000", "ffffffffffffffff"]) {
      assertEquals(faultOf(wire, hex(`02${size}`)), "size");
      assertEquals(faultOf(wire, hex(`06${size}`)), "size");
      assertEquals(faultOf(wire, hex(`03${size}`)), "size");
    }
  },
);

const limits = rule(
  9,
  "each size is checked before anything is allocated, and exactly the limit is legal",
  (wire) => {
    const fed = (bytes: string) =>
      openTalk(wire, {
        limits: { frameBytes: 300, messageBytes: 500, messageFrames: 4 },
      }).feed(hex(bytes));
    assertEquals(fed("02 00*6 012c 61*300").messages.length, 1);
    assertEquals(fed("02 00*6 012d").fault, "size");
    assertEquals(fed("03 00*6 012c 61*300 00c8 61*200").messages.length, 1);
    assertEquals(fed("03 00*6 012c 61*300 00c9").fault, "size");
    assertEquals(fed("0100 0100 0100 0000").messages.length, 1);
    assertEquals(fed("0100 0100 0100 0100 0000").fault, "frames");
    const small = { limits: { frameBytes: 10 } };
    assertEquals(openTalk(wire, small).feed(hex("000b")).fault, "size");
    assertEquals(
      openTalk(wire, small).feed(hex("000a 61*10")).messages.length,
      1,
    );
    const none = { limits: { frameBytes: -1, messageBytes: 500 } };
    const talk = openTalk(wire, none).feed(hex("02 00*6 01f4 61*500"));
    assertEquals(talk.messages.length, 1);
    const command = openTalk(wire).feed(hex("06 00*6 2001"));
    assertEquals(command.fault, "size");
    const announced = openTalk(wire).feed(hex("02 00*4 03ffffff 61"));
    announced.feed(hex("61"));
    assertEquals(announced.fault, undefined);
    assert(announced.memory.peak <= wire.READ_BYTES + wire.FIRST_INPUT_BYTES);
  },
);

const between = rule(
  10,
  "a command may stand between two frames of one message, and the message goes on",
  (wire) => {
    const bytes = join(
      hex("010161"),
      PING,
      hex("03 00*6 0100 62*256"),
      hex("040c0450494e47000068656c6c6f"),
      PONG,
      hex("0000"),
      hex("000163"),
    );
    everySplit(() => openTalk(wire), bytes, (talk) => {
      assertEquals(talk.log, [
        `command ${toHex(PONG)}`,
        `command ${toHex(PONG_HELLO)}`,
        `message 61 ${"62".repeat(256)} `,
        "message 63",
      ]);
    });
  },
);

const whole = rule(
  11,
  "a message is delivered whole or not at all, at every split and when the peer leaves inside it",
  (wire) => {
    for (const { wire: bytes, frames } of MESSAGES) {
      everySplit(() => openTalk(wire), bytes, (talk) => {
        assertEquals(talk.messages, [[...frames]]);
      });
      for (let cut = 0; cut < bytes.length; cut++) {
        const talk = openTalk(wire).feed(bytes.subarray(0, cut));
        talk.leave();
        assertEquals(talk.log, []);
        assertEquals(talk.memory.held, 0);
      }
    }
    const all = join(...MESSAGES.map((message) => message.wire));
    const talk = openTalk(wire).feed(all);
    assertEquals(talk.messages, MESSAGES.map(({ frames }) => [...frames]));
  },
);

/** Lines 7 to 11. */
export const FRAME_RULES: readonly Rule[] = [
  flags,
  long,
  limits,
  between,
  whole,
];
