// Handlers: which of them takes a command, modules of them, and the error that chooses its code.

import { assertEquals, assertThrows } from "@std/assert";
import { handlersIn } from "./handler_module.ts";
import { checkHandlers, handlerOf, JobError } from "./handlers.ts";

const hello = () => "hello";
const other = () => "other";

Deno.test("handlerOf() finds a handler by its own name, not what every object has", () => {
  const handlers = checkHandlers({ hello });
  assertEquals(handlerOf(handlers, "hello"), hello);
  for (const name of ["", "hell", "toString", "__proto__", "constructor"]) {
    assertEquals(handlerOf(handlers, name), undefined, name);
  }
});

Deno.test("checkHandlers() takes an object without a prototype", () => {
  const handlers = Object.assign(Object.create(null), { hello });
  assertEquals(handlerOf(checkHandlers(handlers), "hello"), hello);
  assertThrows(() => checkHandlers(null), TypeError, "an object of functions by command name");
});

Deno.test("JobError carries its code, and refuses one that isn't legal", () => {
  const error = new JobError("NOT_FOUND_2", "There is no such door");
  assertEquals([error.code, error.message, error.name], [
    "NOT_FOUND_2",
    "There is no such door",
    "JobError",
  ]);
  for (const code of ["", "not found", "Not_Found", "É", "X".repeat(65)]) {
    assertThrows(() => new JobError(code, ""), TypeError, "capital letters, digits, underscores");
  }
});

Deno.test("handlersIn() takes what a module exports by name, functions alone", () => {
  const { handlers, defaultHandler } = handlersIn({ hello, other, version: 3 });
  assertEquals([handlers, defaultHandler], [{ hello, other }, undefined]);
});

Deno.test("handlersIn() takes the default object alone where there is one", () => {
  const { handlers, defaultHandler } = handlersIn({
    default: { "with space": hello },
    other,
    defaultHandler: other,
  });
  assertEquals([handlers, defaultHandler], [{ "with space": hello }, other]);
  assertEquals(handlersIn({ defaultHandler: other }).handlers, {});
});

Deno.test("handlersIn() says what is wrong with a module", () => {
  assertThrows(() => handlersIn({}), TypeError, "the module exports no handlers");
  assertThrows(() => handlersIn({ default: () => 1 }), TypeError, "exports no handlers");
  assertThrows(
    () => handlersIn({ default: { a: 1 } }),
    TypeError,
    "the handler a is not a function",
  );
  assertThrows(() => handlersIn({ hello, defaultHandler: 1 }), TypeError, "defaultHandler");
});
