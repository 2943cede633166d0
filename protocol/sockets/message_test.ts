import { assertEquals, assertThrows } from "@std/assert";
import { ArgumentError, Dealer, type MessageLike, SocketError } from "../mod.ts";
import { MemoryNetwork } from "../io/memory_io.ts";
import { LONG_HEADER } from "../zmtp/frame.ts";
import { SEND_BYTES } from "../zmtp/limits.ts";
import { toFrames } from "./message.ts";

const MIB = 1024 * 1024;

Deno.test("toFrames() takes octets, text, numbers and null, one or several", () => {
  const octets = new Uint8Array([1, 2, 3, 4]);
  const parts: [MessageLike, number[]][] = [
    ["é", [0xc3, 0xa9]],
    [42, [52, 50]],
    [null, []],
    [octets, [1, 2, 3, 4]],
    [octets.buffer, [1, 2, 3, 4]],
    [new DataView(octets.buffer, 1, 2), [2, 3]],
    [new SharedArrayBuffer(2), [0, 0]],
  ];
  for (const [part, expected] of parts) {
    assertEquals(toFrames(part).map((frame) => [...frame]), [expected]);
  }
  const all = toFrames(parts.map(([part]) => part));
  assertEquals(all.map((frame) => [...frame]), parts.map(([, expected]) => expected));
});

Deno.test("toFrames() refuses a message without frames and what is no frame", () => {
  for (const message of [[], {}, [undefined], true]) {
    const error = assertThrows(() => toFrames(message as unknown as MessageLike), ArgumentError);
    assertEquals(error.code, "EINVAL");
  }
});

Deno.test("toFrames() takes SEND_BYTES with headers, and not one octet more", () => {
  const mib = new Uint8Array(MIB);
  const many = Array.from({ length: SEND_BYTES / MIB - 1 }, () => mib);
  const rest = MIB - (many.length + 1) * LONG_HEADER;
  assertEquals(toFrames([...many, mib.subarray(0, rest)]).length, many.length + 1);
  const tooLarge = [...many, mib.subarray(0, rest + 1)];
  const error = assertThrows(() => toFrames(tooLarge), SocketError);
  assertEquals(error.code, "EMSGSIZE");
});

Deno.test("send() of too large a message fails with EMSGSIZE and leaves nothing of it queued", async () => {
  const network = new MemoryNetwork();
  await using one = new Dealer({ io: network.io("one") });
  await one.bind("tcp://127.0.0.1:5555");
  await using other = new Dealer({ io: network.io("other") });
  other.connect("tcp://127.0.0.1:5555");
  const mib = new Uint8Array(MIB);
  const tooLarge = ["first", ...Array.from({ length: SEND_BYTES / MIB }, () => mib)];
  assertEquals(await other.send(tooLarge).catch((error) => error.code), "EMSGSIZE");
  await other.send("after");
  assertEquals((await one.receive()).map(String), ["after"]);
});
