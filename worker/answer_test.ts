// What a worker says about a job, and what it must not say.

import { assertEquals } from "@std/assert";
import {
  ANSWER_BYTES,
  ANSWER_FRAMES,
  chunkAnswer,
  endAnswer,
  errorAnswer,
  readyError,
  reserved,
  tooLarge,
  wholeAnswer,
} from "./answer.ts";

const octets = (text: string) => new TextEncoder().encode(text);
const texts = (frames: readonly Uint8Array[]) =>
  frames.map((frame) => frame[0] === 0 ? "SIG" : new TextDecoder().decode(frame));

Deno.test("answers have the form of the job's kind", () => {
  const frames = [octets("a"), octets("b")];
  assertEquals(texts(wholeAnswer("TRACKEXEC", frames)), ["SIG", "RESPONSE", "a", "b"]);
  assertEquals(texts(wholeAnswer("STREAM", frames)), ["SIG", "RESPONSE", "a", "b"]);
  assertEquals(texts(wholeAnswer("opaque", frames)), ["a", "b"]);
  assertEquals(texts(wholeAnswer("EXEC", frames)), []);
  assertEquals(texts(chunkAnswer(frames)), ["SIG", "PARTIAL", "a", "b"]);
  assertEquals(texts(endAnswer()), ["SIG", "END"]);
  const failure = { code: "NO_INK", message: "none" };
  assertEquals(texts(errorAnswer(failure)), ["SIG", "ERROR", "NO_INK", "none"]);
  assertEquals(texts(readyError(failure)), ["ERROR", "NO_INK", "none"]);
});

Deno.test("tooLarge() allows exactly the limits", () => {
  const one = new Uint8Array(ANSWER_BYTES - 1);
  assertEquals(tooLarge([one, octets("x")]), undefined);
  assertEquals(tooLarge([one, octets("xy")])?.message.includes(String(ANSWER_BYTES + 1)), true);
  const frames = Array.from({ length: ANSWER_FRAMES }, () => octets(""));
  assertEquals(tooLarge(frames), undefined);
  assertEquals(tooLarge([...frames, octets("")])?.code, "WORKER_FAILED");
});

Deno.test("reserved() knows the words that a READY worker can't give as its result", () => {
  for (const word of ["READY", "PING"]) assertEquals(reserved([octets(word)])?.code, "RESERVED");
  for (const frames of [[], ["PONG"], ["READY", ""], ["ready"], ["PINGS"]]) {
    assertEquals(reserved(frames.map(octets)), undefined, frames.join());
  }
});
