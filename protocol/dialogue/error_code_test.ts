import { assert, assertEquals, assertMatch } from "@std/assert";
import { ERROR_SENTENCES } from "./error_code.ts";

Deno.test("ERROR_SENTENCES has every code that the dialogues promise", () => {
  // Programs compare these: a code may join them, none may leave.
  const promised = [
    ...["VERSION", "BAD_REQUEST", "BUSY", "EXPIRED", "CANCELLED", "DUPLICATE", "NO_RESULT"],
    ...["NO_COMMAND", "RESERVED", "WORKER_LOST", "SHUTDOWN"],
  ];
  for (const code of promised) assert(code in ERROR_SENTENCES, code);
});

Deno.test("ERROR_SENTENCES has one sentence for each code, with no period", () => {
  const sentences = Object.values(ERROR_SENTENCES);
  assertEquals(new Set(sentences).size, sentences.length);
  for (const [code, sentence] of Object.entries(ERROR_SENTENCES)) {
    assertMatch(code, /^[A-Z]+(_[A-Z]+)*$/);
    assertMatch(sentence, /^[A-Z][ -~]{10,98}[^.]$/);
  }
});
