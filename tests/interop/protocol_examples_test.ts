/**
 * The Python programs of PROTOCOL.md, as they stand there, against a broker over TCP. A machine
 * without pyzmq is told so in one line and passes.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { Broker } from "../../mod.ts";
import { fencesOf } from "../docs/grammar.ts";
import { say } from "./play.ts";
import { findPython } from "./python_side.ts";

const LEFT_OUT = Deno.env.get("ROTA_NO_INTEROP") === "1";
const python = LEFT_OUT ? undefined : await findPython();
const document = await Deno.readTextFile(new URL("../../docs/PROTOCOL.md", import.meta.url));

/** A program of the document, by the name in its first line. */
function programOf(name: string): string {
  const found = fencesOf(document, "python").find((text) => text.startsWith(`# ${name}\n`));
  if (found === undefined) throw new Error(`PROTOCOL.md has no ${name}`);
  return found;
}

/** Runs a program to its end; gives what it printed, line by line. */
async function run(command: string, name: string, ...args: string[]): Promise<string[]> {
  const child = new Deno.Command(command, { args: ["-c", programOf(name), ...args] });
  const { code, stdout, stderr } = await child.output();
  assertEquals(new TextDecoder().decode(stderr), "");
  assertEquals(code, 0);
  return new TextDecoder().decode(stdout).trimEnd().split("\n");
}

/** A broker with a worker, which leaves when it is told to. */
async function withWorker(
  command: string,
  name: string,
  use: (frontend: string) => Promise<void>,
): Promise<void> {
  await using broker = await Broker.start({
    frontend: "tcp://127.0.0.1:*",
    backend: "tcp://127.0.0.1:*",
  });
  const working = run(command, name, broker.backend);
  await use(broker.frontend);
  assertEquals(broker.views.workers().length, 1);
  assertEquals(broker.views.exitAll(), 1);
  assertEquals(await working, [""]);
}

const CALLS:
  readonly (readonly [client: string, worker: string, args: string[], says: string[]])[] = [
    ["req_client.py", "ready_worker.py", ["hello", "you"], ["HELLO", "YOU"]],
    ["req_client.py", "register_worker.py", ["hello", "you"], ["olleh", "uoy"]],
    ["req_client.py", "native_worker.py", ["hello"], ["hello"]],
    ["native_client.py", "native_worker.py", [], [
      "b'RESPONSE' [b'HELLO']",
      "b'PARTIAL' [b'1']",
      "b'PARTIAL' [b'2']",
      "b'PARTIAL' [b'3']",
      "b'PARTIAL' [b'4']",
      "b'PARTIAL' [b'5']",
      "b'END' []",
      "b'ACCEPTED' []",
      `b'ERROR' [b'NO_COMMAND', b"I can't sing"]`,
    ]],
  ];

if (python === undefined) {
  const why = LEFT_OUT ? "by request (ROTA_NO_INTEROP=1)" : "for want of a Python 3 with pyzmq";
  Deno.test(`the programs of PROTOCOL.md are left out ${why}`, () => {
    say(`The programs of PROTOCOL.md were left out ${why}\n`);
  });
} else {
  for (const [client, worker, args, says] of CALLS) {
    Deno.test(`PROTOCOL.md: ${client} is served by ${worker}`, async () => {
      await withWorker(python.command, worker, async (frontend) => {
        assertEquals(await run(python.command, client, frontend, ...args), says);
      });
    });
  }
}
