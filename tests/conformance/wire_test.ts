// The rules of the checklist that need neither socket nor clock, each as a test of its own.

import { RULES } from "./rules.ts";
import { REAL } from "./wire.ts";

for (const { number, title, check } of RULES) {
  Deno.test(`zmtp ${number}: ${title}`, () => check(REAL));
}
