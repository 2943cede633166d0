import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ProtocolError } from "../errors.ts";
import { encodeCommand } from "./command.ts";
import { encodeMetadata, property } from "./metadata.ts";
import { encodeReady, NullMechanism } from "./null_mechanism.ts";
import {
  CLIENT7_READY,
  DEALER_READY,
  ERROR_400,
  hex,
  join,
  PING,
  PONG,
  REP_READY,
  REQ_READY,
  ROUTER_READY,
  text,
} from "../../tests/conformance/vectors.ts";

const NONE = new Uint8Array();

function receive(mechanism: NullMechanism, frame: Uint8Array) {
  const bytes = join(hex("ee*4"), frame, hex("ee*4"));
  return mechanism.receive(bytes, 6, 4 + frame.length);
}

Deno.test("encodeReady() is what libzmq sends for each socket type", () => {
  assertEquals(encodeReady("ROUTER", NONE), ROUTER_READY);
  assertEquals(encodeReady("DEALER", NONE), DEALER_READY);
  assertEquals(encodeReady("DEALER", text("client-7")), CLIENT7_READY);
  assertEquals(encodeReady("REQ", NONE), REQ_READY);
  assertEquals(encodeReady("REP", NONE), REP_READY);
  assertEquals(encodeReady("REP", text("ignored")), REP_READY);
});

Deno.test("NullMechanism gives its READY at once", () => {
  const mechanism = new NullMechanism(ROUTER_READY);
  assertEquals(mechanism.name, "NULL");
  assertEquals(mechanism.asServer, false);
  assertEquals(mechanism.begin(), ROUTER_READY);
  const step = receive(mechanism, CLIENT7_READY);
  assertEquals(step.reply, undefined);
  assertEquals(step.refused, undefined);
  assertEquals(property(step.properties!, "Identity"), text("client-7"));
});

Deno.test("NullMechanism holds a READY that is a function until the peer's came", () => {
  const asked: string[] = [];
  const mechanism = new NullMechanism((properties) => {
    asked.push(
      new TextDecoder().decode(property(properties, "socket-type")),
    );
    return ROUTER_READY;
  });
  assertEquals(mechanism.begin(), undefined);
  assertEquals(receive(mechanism, DEALER_READY).reply, ROUTER_READY);
  assertEquals(asked, ["DEALER"]);
});

Deno.test("NullMechanism takes an ERROR instead of READY as a refusal", () => {
  const step = receive(new NullMechanism(ROUTER_READY), ERROR_400);
  assertEquals(step, {
    reply: undefined,
    properties: undefined,
    refused: "400",
  });
});

Deno.test("NullMechanism refuses every other command before READY", () => {
  const cases: [Uint8Array, string][] = [
    [PING, "too-early"],
    [PONG, "too-early"],
    [hex("0406 055245414458"), "too-early"],
    [hex("0406 057265616479"), "too-early"],
    [hex("0401 05"), "command"],
    [hex("0407 055245414459 01"), "metadata"],
  ];
  for (const [frame, fault] of cases) {
    const error = assertThrows(
      () => receive(new NullMechanism(ROUTER_READY), frame),
      ProtocolError,
    );
    assertEquals(error.fault, fault);
  }
});

Deno.test("NullMechanism reads any properties of a READY", () => {
  const entry = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/), fc.uint8Array());
  fc.assert(fc.property(
    fc.uniqueArray(entry, { selector: ([key]) => key, maxLength: 5 }),
    (entries) => {
      const ready = encodeCommand("READY", encodeMetadata(entries));
      const start = ready[0] === 6 ? 9 : 2;
      const step = new NullMechanism(ROUTER_READY).receive(ready, start, ready.length);
      assertEquals(step.properties!.size, entries.length);
      for (const [key, value] of entries) {
        assertEquals(property(step.properties!, key), new Uint8Array(value));
      }
    },
  ));
});

Deno.test("NullMechanism either takes a step or blames the peer, at every cut of a READY", () => {
  const body = CLIENT7_READY.subarray(2);
  for (let end = 1; end <= body.length; end++) {
    // The frame says that it ends here: a READY without properties, with one, or with both.
    const whole = end === 6 || end === 28 || end === body.length;
    const act = () => new NullMechanism(ROUTER_READY).receive(body, 0, end);
    if (whole) assertEquals(act().properties!.size, end === 6 ? 0 : end === 28 ? 1 : 2);
    else assertEquals(assertThrows(act, ProtocolError).fault, end < 6 ? "command" : "metadata");
  }
  fc.assert(fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (noise) => {
    const bytes = new Uint8Array(noise);
    const act = () => new NullMechanism(ROUTER_READY).receive(bytes, 0, bytes.length);
    assertThrows(act, ProtocolError);
  }));
});
