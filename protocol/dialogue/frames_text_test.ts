// Messages as people see them at the highest debug level.

import { assertEquals } from "@std/assert";
import { framesText } from "./frames_text.ts";

const octets = (text: string) => new TextEncoder().encode(text);

Deno.test("framesText() shows text as text and everything else as hex", () => {
  const frames = [octets(""), octets("größe"), new Uint8Array([0, 82, 1]), octets("a\nb")];
  assertEquals(framesText(frames), "<><größe><0x005201><0x610a62>");
});

Deno.test("framesText() cuts long frames and long messages, and says how long they are", () => {
  assertEquals(framesText([octets("x".repeat(48))]), `<${"x".repeat(48)}>`);
  assertEquals(framesText([octets("x".repeat(49))]), `<${"x".repeat(48)}…49>`);
  assertEquals(framesText(Array.from({ length: 18 }, () => octets("y"))), `${"<y>".repeat(16)}+2`);
});
