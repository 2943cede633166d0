// Breaks the wire, one line at a time, and shows that the rule of that line notices: a rule that
// no mistake can break would prove nothing.
// deno-lint-ignore-file no-console -- the table of mistakes is what this run is for
import { assert, assertEquals, AssertionError } from "@std/assert";
import { type Mutant, MUTANTS } from "./mutants.ts";
import { RULES } from "./rules.ts";
import { type Rule, type Wire, WIRE_FILES } from "./wire.ts";

/** The checklist's lines that at least must be broken once. */
const LEAST_LINES = 20;

const home = new URL("../../protocol/", import.meta.url);
const texts = new Map(WIRE_FILES.map((file) => [file, Deno.readTextFileSync(new URL(file, home))]));

/** A copy of the wire in a folder of its own, with a mutant's edit if one is given. */
async function copyOfWire(folder: string, mutant?: Mutant): Promise<Wire> {
  await Deno.mkdir(`${folder}/zmtp`, { recursive: true });
  for (const [file, text] of texts) {
    // With a function the replacement is taken literally.
    const edited = file === mutant?.file ? text.replace(mutant.from, () => mutant.to) : text;
    await Deno.writeTextFile(`${folder}/${file}`, edited);
  }
  const wire = {};
  for (const file of WIRE_FILES) Object.assign(wire, await import(`file://${folder}/${file}`));
  return wire as Wire;
}

/** What a rule throws against that wire. */
function breach(rule: Rule, wire: Wire): unknown {
  try {
    rule.check(wire);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The name of a rule's test, cut so that the table stays a table. */
function nameOf(rule: Rule): string {
  const name = `zmtp ${rule.number}: ${rule.title}`;
  return name.length > 60 ? name.slice(0, 57) + "..." : name;
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

Deno.test("each mutant's edit fits exactly one place of the real wire, and changes it", () => {
  for (const { what, file, from, to } of MUTANTS) {
    assertEquals(occurrences(texts.get(file)!, from), 1, `${file}: ${what}`);
    assert(from !== to, what);
  }
});

Deno.test("an unbroken copy of the wire keeps every rule", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const wire = await copyOfWire(folder);
    for (const rule of RULES) rule.check(wire);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("each mutant is caught by the rule of its line", async () => {
  const folder = await Deno.makeTempDir();
  const broken = new Set<number>();
  const survivors: string[] = [];
  console.log("line  what was broken, and the test that caught it");
  try {
    for (const [i, mutant] of MUTANTS.entries()) {
      const { number, what } = mutant;
      const rule = RULES.find((it) => it.number === number);
      assert(rule !== undefined, `no rule ${number}`);
      const wire = await copyOfWire(`${folder}/${i}`, mutant);
      const error = breach(rule, wire);
      const caught = error instanceof AssertionError;
      if (caught) broken.add(number);
      else survivors.push(`${number}: ${what}: ${error}`);
      const verdict = caught ? "caught by" : "SURVIVED";
      console.log(`${String(number).padStart(4)}  ${what.padEnd(64)} ${verdict} ${nameOf(rule)}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  console.log(`${MUTANTS.length} mistakes in ${broken.size} lines of the checklist`);
  assertEquals(survivors, []);
  assert(broken.size >= LEAST_LINES, `only ${broken.size} lines were broken`);
  assertEquals(RULES.filter(({ number }) => !broken.has(number)), [], "rules that nothing breaks");
});
