// Scenarios are written and read back; every kind of fault has a line and a meaning.

import { assertEquals, assertThrows } from "@std/assert";
import { type Fault, MEANINGS, readFault, VERBS, writeFault } from "./fault.ts";
import { readScenario, writeScenario } from "./scenario.ts";

const FAULTS: readonly Fault[] = VERBS.map((verb, i) => ({
  at: 1000 * i + 7,
  verb,
  target: `worker-${i}`,
  lasts: i % 2 === 0 ? 0 : 1234,
  amount: i % 3 === 0 ? 0 : i,
}));

Deno.test("readFault() reads what writeFault() writes, for every verb", () => {
  for (const fault of FAULTS) assertEquals(readFault(writeFault(fault)), fault);
  assertEquals(writeFault(FAULTS[1]!), "at 1.007s close worker-1 for 1.234s by 1");
  assertEquals(Object.keys(MEANINGS).length, VERBS.length);
});

Deno.test("readFault() understands nothing else", () => {
  for (const line of ["", "at 1s", "at 1s hug worker-1", "at xs kill w", "at 1s kill w for ever"]) {
    assertEquals(readFault(line), undefined, line);
  }
});

Deno.test("readScenario() reads what writeScenario() writes, and skips its remarks", () => {
  const scenario = { seed: 7, milliseconds: 90_000, faults: FAULTS };
  const finding = { at: 5, checker: "every call ends", detail: "two\nlines" };
  const text = writeScenario(scenario, finding, ["a note", "at 1s kill nobody"]);
  assertEquals(readScenario(text), scenario);
  assertEquals(text.startsWith("# Found by: every call ends\n"), true);
  assertEquals(readScenario(writeScenario(scenario, undefined, [])), scenario);
});

Deno.test("readScenario() refuses a line that it doesn't understand", () => {
  assertThrows(() => readScenario("seed 1\nat noon kill w"), SyntaxError, "at noon kill w");
});
