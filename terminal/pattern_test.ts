import { assert, assertEquals } from "@std/assert";
import { isPattern, patternOctets } from "./pattern.ts";

Deno.test("patternOctets() is the same octets however they are cut", () => {
  const whole = patternOctets(0, 1000);
  assertEquals(whole.slice(0, 3).join(), "0,1,2");
  assertEquals([whole[250], whole[251]], [250, 0]);
  for (const cut of [1, 64, 251, 256, 999]) {
    assertEquals(patternOctets(cut, 1000 - cut), whole.subarray(cut));
    assert(isPattern(whole.subarray(cut), cut));
  }
});

Deno.test("isPattern() sees a wrong octet, and chunks that are lost, doubled or swapped", () => {
  const whole = patternOctets(0, 4096);
  const wrong = whole.slice();
  wrong[4095]! ^= 1;
  assertEquals(isPattern(wrong, 0), false);
  for (const size of [128, 256, 1024]) {
    assertEquals(isPattern(whole.subarray(size, 2 * size), 0), false, `${size} lost`);
    assertEquals(isPattern(whole.subarray(0, size), size), false, `${size} doubled`);
  }
  assert(isPattern(new Uint8Array(0), 5));
});
