import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ProtocolError } from "../errors.ts";
import {
  commandBody,
  encodeCommand,
  encodeError,
  encodePing,
  encodePong,
  isCommand,
  readError,
  readPing,
} from "./command.ts";
import {
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
  text,
} from "../../tests/conformance/vectors.ts";

/** The body of a captured command with a short header, between other octets. */
function placed(frame: Uint8Array): [Uint8Array, number, number] {
  const bytes = join(hex("ee*5"), frame, hex("ee*5"));
  return [bytes, 7, 5 + frame.length];
}

function ping(frame: Uint8Array) {
  const [bytes, start, end] = placed(frame);
  return readPing(bytes, commandBody(bytes, start, end), end);
}

Deno.test("encodePing(), encodePong() and encodeError() are what libzmq sends", () => {
  assertEquals(encodePing(10), PING);
  assertEquals(encodePong(), PONG);
  assertEquals(encodePong(text("hello")), PONG_HELLO);
  assertEquals(encodePong(hex("41*16")), PONG_16);
  assertEquals(encodeError("400"), ERROR_400);
});

Deno.test("encodePing() never announces more than 655 tenths", () => {
  assertEquals(encodePing(655), hex("04070450494e47028f"));
  assertEquals(encodePing(656), encodePing(655));
  assertEquals(encodePing(1e9), encodePing(655));
  assertEquals(encodePing(0), hex("04070450494e470000"));
});

Deno.test("encodeError() cuts a reason at 255 octets", () => {
  const frame = encodeError("x".repeat(1000));
  assertEquals(frame.length, 9 + 6 + 1 + 255);
  assertEquals(frame[9 + 6], 255);
});

Deno.test("encodeCommand() goes LONG with a body that needs it", () => {
  const frame = encodeCommand("READY", new Uint8Array(250));
  assertEquals(frame.subarray(0, 9), hex("060000000000000100"));
  assertEquals(frame.length, 9 + 256);
});

Deno.test("commandBody() finds the body and refuses a name that doesn't fit", () => {
  assertEquals(commandBody(...placed(PING)), 12);
  assertEquals(commandBody(...placed(PONG)), 12);
  for (const frame of [hex("040100"), hex("040101"), hex("0404 04504f4e")]) {
    const error = assertThrows(
      () => commandBody(...placed(frame)),
      ProtocolError,
    );
    assertEquals(error.fault, "command");
  }
});

Deno.test("isCommand() compares names to the letter", () => {
  const [bytes, start] = placed(PING);
  assertEquals(isCommand(bytes, start, "PING"), true);
  for (const other of ["PONG", "PIN", "PINGS", "ping", ""]) {
    assertEquals(isCommand(bytes, start, other), false);
  }
});

Deno.test("readPing() gives ttl in milliseconds and the context as a copy", () => {
  assertEquals(ping(PING), {
    ttl: 1000,
    context: new Uint8Array(),
    cut: false,
  });
  assertEquals(ping(PING_HELLO), {
    ttl: 0,
    context: text("hello"),
    cut: false,
  });
  assertEquals(ping(hex("04070450494e47ffff")).ttl, 6_553_500);
  const [bytes, start, end] = placed(PING_HELLO);
  const { context } = readPing(bytes, commandBody(bytes, start, end), end);
  bytes.fill(0);
  assertEquals(context, text("hello"));
});

Deno.test("readPing() cuts a context behind 16 octets and says so", () => {
  assertEquals(ping(PING_16), { ttl: 0, context: hex("41*16"), cut: false });
  assertEquals(ping(PING_200), { ttl: 0, context: hex("41*16"), cut: true });
  assertEquals(ping(hex("04180450494e470000 41*17")).cut, true);
});

Deno.test("readPing() refuses a PING without a whole ttl", () => {
  for (const frame of [hex("04050450494e47"), hex("04060450494e4700")]) {
    assertEquals(
      assertThrows(() => ping(frame), ProtocolError).fault,
      "command",
    );
  }
});

Deno.test("readError() gives the reason, or says that it is malformed", () => {
  const reason = (frame: Uint8Array) => {
    const [bytes, start, end] = placed(frame);
    return readError(bytes, commandBody(bytes, start, end), end);
  };
  assertEquals(reason(ERROR_400), "400");
  assertEquals(reason(hex("0407054552524f5200")), "");
  assertEquals(reason(hex("0406054552524f52")), "(malformed)");
  assertEquals(reason(hex("0409054552524f5203 3430")), "(malformed)");
  assertEquals(reason(hex("040b054552524f5203 34303030")), "(malformed)");
});

Deno.test("readPing() gives back the context that a PING was made of", () => {
  fc.assert(fc.property(
    fc.uint8Array({ maxLength: 16 }),
    fc.nat(65535),
    (context, tenths) => {
      const body = join(
        new Uint8Array([tenths >>> 8, tenths & 255]),
        new Uint8Array(context),
      );
      assertEquals(ping(encodeCommand("PING", body)), {
        ttl: tenths * 100,
        context: new Uint8Array(context),
        cut: false,
      });
    },
  ));
});

/** What becomes of a frame's body read as a command, whatever stands around it. */
function reading(body: Uint8Array, around: number): string {
  const bytes = join(new Uint8Array(3).fill(around), body, new Uint8Array(30).fill(around));
  const [start, end] = [3, 3 + body.length];
  try {
    const at = commandBody(bytes, start, end);
    const error = isCommand(bytes, start, "ERROR") ? readError(bytes, at, end) : "";
    const ping = isCommand(bytes, start, "PING") ? JSON.stringify(readPing(bytes, at, end)) : "";
    return `${at} ${error} ${ping}`;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return error.fault;
  }
}

Deno.test("commandBody(), readPing() and readError() either read or blame the peer, and never look past the end", () => {
  const name = fc.constantFrom("PING", "ERROR", "PONG", "X");
  const some = fc.tuple(name, fc.uint8Array({ maxLength: 25 }))
    .map(([name, rest]) => join(new Uint8Array([name.length]), text(name), new Uint8Array(rest)));
  const any = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((it) => new Uint8Array(it));
  const cut = fc.tuple(some, fc.nat(8)).map(([it, n]) => it.slice(0, Math.max(1, it.length - n)));
  fc.assert(
    fc.property(fc.oneof(some, cut, any), (body) => {
      const read = reading(body, 0xee);
      assertEquals(reading(body, 0x00), read);
      assertEquals(reading(body, 0x01), read);
    }),
    { numRuns: 500 },
  );
});

Deno.test("encodeError() and readError() agree on any reason", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (reason) => {
    const frame = encodeError(reason);
    const start = frame.length > 257 ? 9 : 2;
    const at = commandBody(frame, start, frame.length);
    assertEquals(isCommand(frame, start, "ERROR"), true);
    assertEquals(readError(frame, at, frame.length), new TextDecoder().decode(text(reason)));
  }));
});
