import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ProtocolError } from "../errors.ts";
import { COMMAND, frameBytes, MORE, writeFrameHeader } from "./frame.ts";
import { InputBuffer } from "./input_buffer.ts";
import { WIRE_LIMITS, type WireLimits } from "./limits.ts";
import { FOUND_COMMAND, MESSAGE, MessageReader, NEED_MORE } from "./message_reader.ts";
import { CountingMemory, cutsOf, framesOf } from "../../tests/conformance/talk.ts";
import { hex, join, MESSAGES, PING, PONG, toHex } from "../../tests/conformance/vectors.ts";

/** What a reader finds in octets that arrive in pieces, one line each. */
function found(
  bytes: Uint8Array,
  cuts: readonly number[] = [],
  limits: Partial<WireLimits> = {},
  lines: string[] = [],
): string[] {
  const reader = new MessageReader({ ...WIRE_LIMITS, ...limits });
  const input = new InputBuffer(new CountingMemory());
  let from = 0;
  let needed = 0;
  for (const cut of [...cuts, bytes.length]) {
    for (let at = from; at < cut;) {
      const room = input.room(needed);
      const count = Math.min(room.length, cut - at);
      room.set(bytes.subarray(at, at + count));
      input.filled(count, room.length);
      at += count;
      reader.begin(input);
      for (let what = reader.next(); what !== NEED_MORE;) {
        lines.push(describe(reader, what));
        what = reader.next();
      }
      needed = input.waiting === 0 ? 0 : reader.needed;
    }
    from = cut;
  }
  return lines;
}

function describe(reader: MessageReader, what: number): string {
  if (what === FOUND_COMMAND) {
    const { commandStart, commandEnd } = reader;
    return `command ${toHex(reader.bytes.slice(commandStart, commandEnd))}`;
  }
  assertEquals(what, MESSAGE);
  // The wire form lies verbatim from the first head to the last end.
  const wire = reader.bytes.slice(
    reader.heads[0]!,
    reader.ends[reader.count - 1]!,
  );
  assertEquals(wire.length > 0, true);
  return ["message", ...framesOf(reader).map(toHex)].join(" ");
}

function faultOf(
  bytes: Uint8Array,
  limits: Partial<WireLimits> = {},
): string {
  return assertThrows(() => found(bytes, [], limits), ProtocolError).fault;
}

Deno.test("next() finds each captured message, at every split and octet by octet", () => {
  for (const { wire, frames } of MESSAGES) {
    const line = ["message", ...frames.map(toHex)].join(" ");
    for (const cuts of cutsOf(wire.length)) {
      assertEquals(found(wire, cuts), [line]);
    }
  }
});

Deno.test("next() stops at the message's end when other octets trail", () => {
  const [first, second] = [MESSAGES[2]!, MESSAGES[3]!];
  const line = "message  776f726c64";
  for (let trailing = 0; trailing < second.wire.length; trailing++) {
    const bytes = join(first.wire, second.wire.subarray(0, trailing));
    for (const cuts of cutsOf(bytes.length)) {
      assertEquals(found(bytes, cuts), [line]);
    }
  }
});

Deno.test("next() gives commands between frames at once and the message whole", () => {
  const bytes = join(
    PONG,
    hex("010161"),
    PING,
    PONG,
    hex("010262620100"),
    PING,
    hex("0003636363"),
    PONG,
  );
  const ping = "command 0450494e47000a";
  const pong = "command 04504f4e47";
  const message = "message 61 6262  636363";
  for (const cuts of cutsOf(bytes.length)) {
    const lines = [pong, ping, pong, ping, message, pong];
    assertEquals(found(bytes, cuts), lines);
  }
});

Deno.test("next() leaves a message's wire form verbatim, also around commands", () => {
  const reader = new MessageReader(WIRE_LIMITS);
  const input = new InputBuffer(new CountingMemory());
  const second = hex("03 00*7 02 6262");
  const bytes = join(hex("010161"), PING, second, PONG, hex("000163"));
  input.room(0).set(bytes);
  input.filled(bytes.length, 0);
  reader.begin(input);
  const kinds = [reader.next(), reader.next(), reader.next()];
  assertEquals(kinds, [FOUND_COMMAND, FOUND_COMMAND, MESSAGE]);
  const wire = reader.bytes.slice(reader.heads[0]!, reader.ends[2]!);
  assertEquals(wire, join(hex("010161"), second, hex("000163")));
  assertEquals(input.waiting, 0);
});

Deno.test("next() takes LONG for any size", () => {
  assertEquals(found(hex("02 00*8")), ["message "]);
  assertEquals(found(hex("02 00*7 01 61")), ["message 61"]);
  assertEquals(found(hex("06 00*7 05 04504f4e47")), ["command 04504f4e47"]);
});

Deno.test("next() takes exactly the limits and refuses one more", () => {
  const limits = { frameBytes: 300, messageBytes: 400, messageFrames: 3 };
  const fits = (bytes: Uint8Array) => found(bytes, [], limits).length;
  assertEquals(fits(hex("02000000000000012c 61*300")), 1);
  assertEquals(faultOf(hex("02000000000000012d"), limits), "size");
  assertEquals(fits(hex("03000000000000012c 61*300 0064 61*100")), 1);
  assertEquals(
    faultOf(hex("03000000000000012c 61*300 0065"), limits),
    "size",
  );
  assertEquals(fits(hex("0100 0100 0000")), 1);
  assertEquals(faultOf(hex("0100 0100 0100 0000"), limits), "frames");
  assertEquals(faultOf(hex("0005"), { frameBytes: 4 }), "size");
  assertEquals(found(hex("0004 61*4"), [], { frameBytes: 4 }).length, 1);
  assertEquals(faultOf(hex("0405"), { commandBytes: 4 }), "size");
  assertEquals(found(PONG, [], { commandBytes: 5 }).length, 1);
});

Deno.test("next() starts each message with fresh limits", () => {
  const limits = { messageBytes: 4, messageFrames: 2 };
  const one = hex("0102 6161 0002 6262");
  assertEquals(found(join(one, one, PONG, one), [], limits).length, 4);
});

Deno.test("next() refuses a size beyond every limit before its last octets came", () => {
  for (const size of ["8000000000000000", "ffffffffffffffff", "01", "0001"]) {
    assertEquals(faultOf(hex(`02${size}`)), "size");
    assertEquals(faultOf(hex(`06${size}`)), "size");
  }
  assertEquals(faultOf(hex("0200000000ffffffff")), "size");
  assertEquals(faultOf(hex("020000000004000001")), "size");
  assertEquals(found(hex("020000000004000000")), []);
});

Deno.test("next() refuses reserved bits, COMMAND with MORE and an empty command", () => {
  for (let flags = 8; flags < 256; flags++) {
    assertEquals(faultOf(new Uint8Array([flags])), "flags");
  }
  assertEquals(faultOf(hex("05")), "flags");
  assertEquals(faultOf(hex("07")), "flags");
  assertEquals(faultOf(hex("0400")), "command");
  assertEquals(faultOf(hex("06 00*8")), "command");
});

Deno.test("next() says how long the unfinished message is from the head on", () => {
  const needed = (bytes: Uint8Array) => {
    const reader = new MessageReader(WIRE_LIMITS);
    const input = new InputBuffer(new CountingMemory());
    input.room(0).set(bytes);
    input.filled(bytes.length, 0);
    reader.begin(input);
    while (reader.next() !== NEED_MORE);
    return [reader.needed, input.waiting];
  };
  assertEquals(needed(hex("000a 61")), [12, 3]);
  assertEquals(needed(hex("0101 61 0003 62")), [8, 6]);
  assertEquals(needed(hex("02 00*5 1000")), [9, 8]);
  assertEquals(needed(hex("02 00*5 100000 61")), [1048585, 10]);
  assertEquals(needed(join(hex("0101 61"), PONG, hex("0003 62"))), [8, 6]);
});

Deno.test("next() finds the same messages however they were cut", () => {
  const frame = fc.record({
    body: fc.uint8Array({ maxLength: 300 }),
    before: fc.nat(2),
  });
  const message = fc.array(frame, { minLength: 1, maxLength: 6 });
  const cuts = fc.array(fc.nat(6000), { maxLength: 12 });
  fc.assert(fc.property(
    fc.array(message, { maxLength: 4 }),
    cuts,
    (messages, points) => {
      const parts: Uint8Array[] = [];
      const lines: string[] = [];
      for (const frames of messages) {
        frames.forEach(({ body, before }, i) => {
          for (let n = 0; n < before; n++) {
            parts.push(encode(COMMAND, new Uint8Array([1, 65 + n])));
            lines.push(`command 01${(65 + n).toString(16)}`);
          }
          parts.push(encode(i < frames.length - 1 ? MORE : 0, body));
        });
        lines.push(["message", ...frames.map((f) => toHex(f.body))].join(" "));
      }
      const bytes = join(...parts);
      const sorted = points.map((at) => Math.min(at, bytes.length))
        .sort((a, b) => a - b);
      assertEquals(found(bytes, sorted), lines);
    },
  ));
});

Deno.test("next() finds or blames the same in any octets, however they were cut", () => {
  const limits = { frameBytes: 40, messageBytes: 60, messageFrames: 4, commandBytes: 30 };
  const octet = fc.oneof(fc.nat(7), fc.nat(12), fc.nat(255));
  const judged = (bytes: Uint8Array, cuts: readonly number[]) => {
    const lines: string[] = [];
    try {
      found(bytes, cuts, limits, lines);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      lines.push(error.fault);
    }
    return lines;
  };
  fc.assert(fc.property(fc.array(octet, { maxLength: 60 }), (octets) => {
    const bytes = new Uint8Array(octets);
    const whole = judged(bytes, []);
    for (const cuts of cutsOf(bytes.length)) assertEquals(judged(bytes, cuts), whole);
  }));
});

function encode(flags: number, body: Uint8Array): Uint8Array {
  const out = new Uint8Array(frameBytes(body.length));
  out.set(body, writeFrameHeader(out, 0, flags, body.length));
  return out;
}
