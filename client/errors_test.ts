import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { ERROR_SENTENCES } from "../protocol/dialogue/error_code.ts";
import * as errors from "./errors.ts";

/** What can end a call without the broker. */
const OWN_CODES = ["TIMEOUT", "CONNECTION_LOST"];

Deno.test("errorOf() gives each code of the protocol a class of its own, named after it", () => {
  const codes = [...Object.keys(ERROR_SENTENCES), ...OWN_CODES];
  const names = codes.map((code) => {
    const error = errors.errorOf(code, "why");
    assert(error instanceof errors.CallError && error instanceof Error);
    assertEquals([error.code, error.message], [code, "why"]);
    const words = code.toLowerCase().split("_");
    const name = words.map((it) => it[0]!.toUpperCase() + it.slice(1)).join("");
    assertEquals(error.name, `${name}Error`);
    assertStrictEquals(Object.getPrototypeOf(error).constructor.name, `${name}Error`);
    return error.name;
  });
  assertEquals(new Set(names).size, codes.length);
  const exported = Object.keys(errors).filter((name) => /^(?!Call).*Error$/.test(name));
  assertEquals(exported.sort(), names.sort(), "a class has no code, or a code no class");
});

Deno.test("errorOf() takes a code of a handler's own for a failed worker, whatever it is called", () => {
  for (const code of ["NOT_FOUND", "constructor", "__proto__", ""]) {
    const error = errors.errorOf(code, "why");
    assert(error instanceof errors.WorkerFailedError);
    assertEquals([error.code, error.name], [code, "WorkerFailedError"]);
  }
});
