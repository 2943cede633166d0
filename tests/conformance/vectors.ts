/**
 * Octets captured from libzmq 4.3.4, as they went over the wire. Data alone: it knows no code of
 * ours. Spaces part frames or fields; `61*255` stands for 255 times 0x61.
 *
 * @module
 */

/** Octets of a hex text: spaces are ignored, `ab*n` repeats the octet ab n times. */
export function hex(text: string): Uint8Array {
  const out: number[] = [];
  for (const part of text.split(" ")) {
    const [digits = "", times = "1"] = part.split("*");
    for (let n = Number(times); n > 0; n--) {
      for (let i = 0; i < digits.length; i += 2) {
        out.push(parseInt(digits.slice(i, i + 2), 16));
      }
    }
  }
  return new Uint8Array(out);
}

/** The hex text of octets. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Octets of a text, UTF-8. */
export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** Octets one after the other. */
export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A ROUTER's greeting in its three segments: 10 octets, then 1, then 53. */
export const ROUTER_GREETING_SEGMENTS: readonly Uint8Array[] = [
  hex("ff00000000000000017f"),
  hex("03"),
  hex("014e554c4c 00*48"),
];
/** The same, whole. */
export const ROUTER_GREETING: Uint8Array = join(...ROUTER_GREETING_SEGMENTS);
/** A DEALER's greeting with identity "client-7": the padding ends in 09. */
export const DEALER_GREETING: Uint8Array = hex(
  "ff00000000000000097f 03014e554c4c 00*48",
);
/** What we send: padding zero. */
export const OUR_GREETING: Uint8Array = hex(
  "ff00000000000000007f 03014e554c4c 00*48",
);
/** The mechanism field of PLAIN and what follows of the greeting. */
export const PLAIN_FIELD: Uint8Array = hex("504c41494e 00*15");
/** The mechanism field of CURVE. */
export const CURVE_FIELD: Uint8Array = hex("4355525645 00*15");
/** What a ZMTP 2 peer says. */
export const ZMTP2_GREETING: Uint8Array = hex("ff00000000000000017f01");

/** READY of a ROUTER. */
export const ROUTER_READY: Uint8Array = hex(
  "04290552454144590b536f636b65742d5479706500000006524f55544552084964656e7469747900000000",
);
/** READY of a DEALER without an identity. */
export const DEALER_READY: Uint8Array = hex(
  "04290552454144590b536f636b65742d54797065000000064445414c4552084964656e7469747900000000",
);
/** READY of a DEALER with identity "client-7". */
export const CLIENT7_READY: Uint8Array = hex(
  "04310552454144590b536f636b65742d54797065000000064445414c4552084964656e7469747900000008636c69656e742d37",
);
/** READY of a REQ. */
export const REQ_READY: Uint8Array = hex(
  "04260552454144590b536f636b65742d5479706500000003524551084964656e7469747900000000",
);
/** READY of a REP: no identity. */
export const REP_READY: Uint8Array = hex(
  "04190552454144590b536f636b65742d5479706500000003524550",
);

/** PING with a ttl of 1 s. */
export const PING: Uint8Array = hex("04070450494e47000a");
/** PONG without context. */
export const PONG: Uint8Array = hex("040504504f4e47");
/** PING with context "hello". */
export const PING_HELLO: Uint8Array = hex("040c0450494e47000068656c6c6f");
/** Its PONG. */
export const PONG_HELLO: Uint8Array = hex("040a04504f4e4768656c6c6f");
/** PING with 16 octets of context. */
export const PING_16: Uint8Array = hex("04170450494e470000 41*16");
/** Its PONG. */
export const PONG_16: Uint8Array = hex("041504504f4e47 41*16");
/** PING with 200 octets of context: 16 come back. */
export const PING_200: Uint8Array = hex("04cf0450494e470000 41*200");
/** ERROR with reason "400". */
export const ERROR_400: Uint8Array = hex("040a054552524f5203343030");

/** One captured message: its octets and its frames. */
export interface MessageVector {
  /** What it shows. */
  readonly name: string;
  /** As it went over the wire. */
  readonly wire: Uint8Array;
  /** What an application gets. */
  readonly frames: readonly Uint8Array[];
}

function vector(
  name: string,
  wire: string,
  frames: readonly string[],
): MessageVector {
  return { name, wire: hex(wire), frames: frames.map(hex) };
}

/** Messages as libzmq framed them; frames as hex. */
export const MESSAGES: readonly MessageVector[] = [
  vector(
    "multipart: an empty frame, READY as text, 255 and 256 octets",
    "0100 0105 5245414459 01ff 61*255 030000000000000100 62*256 0000",
    ["", "5245414459", "61*255", "62*256", ""],
  ),
  vector(
    "DEALER: hello and 300 octets",
    "0100 010568656c6c6f 02000000000000012c 77*300",
    ["", "68656c6c6f", "77*300"],
  ),
  vector("ROUTER reply", "0100 0005776f726c64", ["", "776f726c64"]),
  vector("REQ request", "0100 000171", ["", "71"]),
  vector("REQ request with correlate", "0104 4b94e82a 0100 000171", [
    "4b94e82a",
    "",
    "71",
  ]),
  vector(
    "REP reply through two hops",
    "0103696431 0103696432 0100 01027231 0100 00027232",
    ["696431", "696432", "", "7231", "", "7232"],
  ),
  vector("REP as a worker", "01046a6f6231 0100 0003726573", [
    "6a6f6231",
    "",
    "726573",
  ]),
  vector("probe", "0000", [""]),
];
