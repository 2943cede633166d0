import { assertEquals, assertThrows } from "@std/assert";
import { follow, type State, type Step } from "./state.ts";

const STATES: readonly State[] = ["GREETING", "HANDSHAKE", "OPEN", "CLOSED"];
const LEGAL: Readonly<Record<string, State>> = {
  "GREETING greeting": "HANDSHAKE",
  "HANDSHAKE ready": "OPEN",
  "GREETING close": "CLOSED",
  "HANDSHAKE close": "CLOSED",
  "OPEN close": "CLOSED",
  "CLOSED close": "CLOSED",
};

Deno.test("follow() knows these six steps and throws for all others", () => {
  for (const state of STATES) {
    for (const step of ["greeting", "ready", "close"] satisfies Step[]) {
      const next = LEGAL[`${state} ${step}`];
      if (next !== undefined) assertEquals(follow(state, step), next);
      else assertThrows(() => follow(state, step), Error, `Cannot ${step}`);
    }
  }
});
