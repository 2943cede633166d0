/**
 * `deno task client` on a terminal: prompt, completion, a bar that moves, log lines above what is
 * being typed, and the keys that end things. Needs Node; ROTA_NO_INTEROP=1 leaves it out.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { BrokerProcess } from "./broker_process.ts";
import { taskArgs } from "./task_process.ts";
import { KEYS, Terminal } from "./terminal.ts";
import { WorkerProcess } from "./worker_process.ts";

const LEFT_OUT = Deno.env.get("ROTA_NO_INTEROP") === "1";

/** A client in a terminal. */
async function start({ frontend }: BrokerProcess, ...args: string[]): Promise<Terminal> {
  const all = [...await taskArgs("client"), "--broker", frontend, ...args];
  return await Terminal.start(all, { NO_COLOR: "1" });
}

if (LEFT_OUT) {
  Deno.test("the client's terminal is left out by request (ROTA_NO_INTEROP=1)", () => {});
} else {
  Deno.test("client on a terminal: completion, a bar, Ctrl-C stops a command, Ctrl-D ends", async () => {
    await using broker = await BrokerProcess.start([]);
    await using _worker = await WorkerProcess.start(broker);
    await using terminal = await start(broker);
    await terminal.see("Ctrl-C stops a command, Ctrl-D or quit ends the client.\r\n");
    await terminal.see(" connected broker=tcp://");
    await terminal.see("rota> ");
    await terminal.press(..."bulkp");
    await terminal.see("bulkp");
    await terminal.press(KEYS.tab);
    await terminal.see("ing ");
    await terminal.press(..."1000000000", KEYS.enter);
    await terminal.see("\r\x1b[K[");
    await terminal.see(" of 1,000,000,000");
    await terminal.press(KEYS.ctrlC);
    await terminal.see(", stopped\r\nlatency p50 ");
    await terminal.see("rota> ");
    await terminal.press(..."call ECHO two\\words", KEYS.enter);
    await terminal.see("\r\ntwo\\words\r\n");
    await terminal.see("rota> ");
    await terminal.press(KEYS.ctrlD);
    assertEquals(await terminal.code(), 0);
  });

  Deno.test("client on a terminal: a broker that goes is told above the line; Ctrl-C ends with 130", async () => {
    await using broker = await BrokerProcess.start([]);
    await using terminal = await start(broker);
    await terminal.see(" connected ");
    await terminal.see("rota> ");
    await terminal.press(..."pin");
    await terminal.see("pin");
    broker.kill("SIGKILL");
    await terminal.see(" broker gone broker=tcp://");
    await terminal.see("rota> pin");
    await terminal.press(KEYS.ctrlC);
    assertEquals(await terminal.code(), 130);
  });

  Deno.test("client on a terminal: one command has its bar, and no prompt", async () => {
    await using broker = await BrokerProcess.start([]);
    await using _worker = await WorkerProcess.start(broker);
    await using terminal = await start(broker, "bulkping", "20000");
    await terminal.see("] ");
    await terminal.see(" of 20,000");
    await terminal.see("20,000 sent, 20,000 succeeded, 0 failed in ");
    assertEquals(await terminal.code(), 0);
    assert(!terminal.raw.includes("rota>"));
  });
}
