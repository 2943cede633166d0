// Shows that the @std/cli adapters parse, and that the types they promise are the values' own.

import { assertEquals, assertStrictEquals } from "@std/assert";
import { parseArgs } from "@std/cli/parse-args";
import { promptSecret } from "@std/cli/prompt-secret";

/** Compiles only where both types are the same. */
function sameType<A, B>(
  _same: (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false,
): void {}

Deno.test("parseArgs() types flags, defaults and aliases as it fills them", () => {
  const args = parseArgs(["-h", "--port", "5555", "--name", "a", "--name=b", "rest", "7"], {
    boolean: ["help", "quiet"],
    string: ["port", "host", "name", "peer"],
    collect: ["name"],
    alias: { h: "help", p: "port" },
    default: { host: "127.0.0.1" },
  });
  sameType<typeof args.help, boolean>(true);
  sameType<typeof args.h, boolean>(true);
  sameType<typeof args.port, string | undefined>(true);
  sameType<typeof args.p, string | undefined>(true);
  sameType<typeof args.host, string>(true);
  sameType<typeof args.name, string[]>(true);
  sameType<typeof args.other, unknown>(true);
  assertEquals([args.help, args.h, args.quiet], [true, true, false]);
  assertEquals([args.port, args.p, args.host, args.peer], [
    "5555",
    "5555",
    "127.0.0.1",
    undefined,
  ]);
  assertEquals(args.name, ["a", "b"]);
  assertEquals(args._, ["rest", 7]);
});

Deno.test("parseArgs() negates, stops at --, and reports what it does not know", () => {
  const unknown: string[] = [];
  const args = parseArgs(["--no-color", "--odd", "--", "--not-a-flag"], {
    boolean: ["color"],
    negatable: ["color"],
    default: { color: true },
    "--": true,
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  sameType<typeof args.color, boolean>(true);
  sameType<typeof args["--"], string[]>(true);
  assertEquals(args, { _: [], color: false, "--": ["--not-a-flag"] });
  assertEquals(unknown, ["--odd"]);
});

Deno.test("parseArgs() guesses numbers where no option names the flag", () => {
  const args = parseArgs(["--n=3", "--s=x", "--dotted.key=1"]);
  assertEquals(args, { _: [], n: 3, s: "x", dotted: { key: 1 } });
});

Deno.test("promptSecret() answers null where there is no terminal", () => {
  if (!Deno.stdin.isTerminal()) assertStrictEquals(promptSecret("secret?"), null);
});
