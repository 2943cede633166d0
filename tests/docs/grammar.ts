// The grammar of PROTOCOL.md as far as a test can hold it: which rules are defined, which are used,
// and which strings it has. Reads the subset of ABNF that stands there.

/** What a grammar defines and uses. */
export interface Grammar {
  /** Rules in the order of their definitions; one that is defined twice comes twice. */
  readonly defined: readonly string[];
  /** Rules that are used. */
  readonly used: ReadonlySet<string>;
  /** Case-sensitive strings by the rule that has them. */
  readonly strings: ReadonlyMap<string, readonly string[]>;
}

/** The fenced blocks of a document that have those words behind the fence, such as `ts ignore`. */
export function fencesOf(text: string, language: string): string[] {
  const blocks = text.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm);
  return [...blocks].filter((match) => match[1] === language).map((match) => match[2]!);
}

/** Reads a grammar. */
export function readGrammar(text: string): Grammar {
  const defined: string[] = [];
  const used = new Set<string>();
  const strings = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const bare = line.replace(/;.*$/, "");
    const head = /^([a-z][a-z0-9-]*) +=(.*)$/.exec(bare);
    if (head !== null) defined.push(head[1]!);
    const body = head === null ? bare : head[2]!;
    const rule = defined.at(-1) ?? "";
    const found = [...body.matchAll(/%s"([^"]*)"/g)].map((match) => match[1]!);
    strings.set(rule, [...strings.get(rule) ?? [], ...found]);
    const rest = body.replace(/(%s)?"[^"]*"/g, " ").replace(/%x[0-9A-F-]+/g, " ");
    for (const match of rest.matchAll(/[A-Za-z][A-Za-z0-9-]*/g)) used.add(match[0]);
  }
  return { defined, used, strings };
}
