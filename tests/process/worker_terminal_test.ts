/**
 * `deno task worker` on a terminal: prompt, completion, log lines above what is being typed, and the
 * keys that end things. Needs Node; ROTA_NO_INTEROP=1 leaves it out.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { Client } from "../../client/mod.ts";
import { BrokerProcess } from "./broker_process.ts";
import { taskArgs } from "./task_process.ts";
import { KEYS, Terminal } from "./terminal.ts";

const LEFT_OUT = Deno.env.get("ROTA_NO_INTEROP") === "1";

/** A worker at a prompt. */
async function start({ backend }: BrokerProcess, ...args: string[]): Promise<Terminal> {
  const all = [...await taskArgs("worker"), "--broker", backend, "--address", "w1", ...args];
  const terminal = await Terminal.start(all, { NO_COLOR: "1" });
  await terminal.see("Type help for commands; Ctrl-C or quit ends the worker.");
  return terminal;
}

if (LEFT_OUT) {
  Deno.test("the worker's terminal is left out by request (ROTA_NO_INTEROP=1)", () => {});
} else {
  Deno.test("worker on a terminal: the walk-through of the original designs", async () => {
    await using broker = await BrokerProcess.start([]);
    await using terminal = await start(broker, "--manual");
    await terminal.see("rota worker ready address=w1 ");
    await terminal.see("rota> ");
    await terminal.press(..."regi");
    await terminal.see("regi");
    await terminal.press(KEYS.tab);
    await terminal.see("ster ");
    await terminal.press(KEYS.enter);
    await terminal.see(" registered address=w1 slots=10 ");
    await terminal.see("Registered as w1 at tcp://");
    await terminal.see("rota> ");
    await terminal.press(..."bulk 2", KEYS.enter);
    await terminal.see("2 child workers registered\r\n");
    await terminal.see("rota> ");
    // A job comes while something is typed: it is told above, and the line is put back.
    await terminal.press(..."endb");
    await terminal.see("endb");
    await using client = new Client({ broker: broker.frontend, timeout: 60_000 });
    await client.call("PING");
    await terminal.see("command=PING kind=TRACKEXEC attempt=1\r\n");
    await terminal.see("rota> endb");
    await terminal.press(..."ulk", KEYS.enter);
    await terminal.see("2 child workers deregistered and ended\r\n");
    await terminal.see("rota> ");
    await terminal.press(..."deregister", KEYS.enter);
    await terminal.see("Deregistered\r\n");
    await terminal.see("rota> ");
    await terminal.press(..."quit", KEYS.enter);
    await terminal.see(" ended\r\n");
    assertEquals(await terminal.code(), 0);
  });

  Deno.test("worker on a terminal: Ctrl-C ends it gently, and Ctrl-D only the input", async () => {
    await using broker = await BrokerProcess.start([]);
    await using first = await start(broker);
    await first.see("rota worker ready ");
    await first.press(KEYS.ctrlC);
    await first.see(" ended\r\n");
    assertEquals(await first.code(), 0);
    await using second = await start(broker);
    await second.see("rota worker ready ");
    await second.press(KEYS.ctrlD);
    await second.see("End of input; the worker goes on, Ctrl-C ends it.\r\n");
    await second.press(KEYS.ctrlC);
    await second.see(" ended\r\n");
    assertEquals(await second.code(), 0);
  });
}
