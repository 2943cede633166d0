// What the package exports, as `deno doc` sees it, and whether each symbol has a text and an example
// that runs.

/** A comment of documentation, as `deno doc --json` gives it. */
interface JsDoc {
  readonly doc?: string;
  readonly tags?: readonly { readonly kind: string; readonly doc?: string }[];
}

/** A module's documentation, as far as it matters here. */
export interface ModuleDoc {
  readonly module_doc?: JsDoc;
  readonly symbols?: readonly {
    readonly name: string;
    readonly declarations: readonly { readonly kind: string; readonly jsDoc?: JsDoc }[];
  }[];
}

/** The documentation of one entry point. Runs Deno itself. */
export async function documentationOf(entry: URL): Promise<ModuleDoc> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--quiet", "--json", entry.href],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout));
  return nodes[entry.href] ?? {};
}

/** Whether a comment says something and shows how, in code that `deno test --doc` runs. */
function lacks(jsDoc: JsDoc | undefined): string | undefined {
  if (!jsDoc?.doc?.trim()) return "has no documentation";
  const examples = (jsDoc.tags ?? []).filter(({ kind }) => kind === "example");
  const runs = examples.some(({ doc }) => /^```ts\n/m.test(doc ?? ""));
  return runs ? undefined : "has no @example that runs";
}

/** What is missing, a line for each symbol. */
export function undocumented(module: ModuleDoc): string[] {
  const missing: string[] = [];
  const own = lacks(module.module_doc);
  if (own !== undefined) missing.push(`the module ${own}`);
  for (const { name, declarations } of module.symbols ?? []) {
    // Overloads share what one of them says.
    const faults = declarations.map(({ jsDoc }) => lacks(jsDoc));
    const fault = faults.includes(undefined) ? undefined : faults[0] ?? "is declared nowhere";
    if (fault !== undefined) missing.push(`${name} ${fault}`);
  }
  return missing;
}
