/**
 * `deno task broker` on a terminal: prompt, completion, history, log lines above what is being
 * typed, and the keys that end things. Needs Node; ROTA_NO_INTEROP=1 leaves it out.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import { Dealer } from "../../protocol/sockets/dealer.ts";
import { taskArgs } from "./task_process.ts";
import { KEYS, Terminal } from "./terminal.ts";

const LEFT_OUT = Deno.env.get("ROTA_NO_INTEROP") === "1";

/** A broker at a prompt, and where workers connect. */
async function start(args: readonly string[], env: Record<string, string> = { NO_COLOR: "1" }) {
  const free = ["--frontend", "tcp://127.0.0.1:*", "--backend", "tcp://127.0.0.1:*"];
  const terminal = await Terminal.start([...await taskArgs("broker"), ...free, ...args], env);
  await terminal.see("Type help for commands");
  await terminal.see("rota> ");
  const [backend = ""] = /backend=\S+/.exec(terminal.raw) ?? [];
  return { terminal, backend: backend.replace("backend=", "") };
}

if (LEFT_OUT) {
  Deno.test("the broker's terminal is left out by request (ROTA_NO_INTEROP=1)", () => {});
} else {
  Deno.test("broker on a terminal: completion, history, and log lines above the line", async () => {
    const { terminal, backend } = await start([]);
    await using _ = terminal;
    await terminal.press("w", "o", "r");
    await terminal.see("r");
    // A worker comes while something is typed: it is told above, and the line is put back.
    await using worker = new Dealer();
    worker.connect(backend);
    await worker.send(["", "REGISTER", "2", "w1"]);
    await terminal.see("\r\x1b[J");
    await terminal.see(" worker joined address=w1 dialect=REGISTER free=2 capacity=2\r\n");
    await terminal.see("rota> wor");
    await terminal.press(KEYS.tab);
    await terminal.see("kers ");
    await terminal.press(KEYS.enter);
    await terminal.see("1 worker, 2 of 2 slots free\r\n");
    await terminal.see("w1 ");
    await terminal.see("rota> ");
    await terminal.press(KEYS.up);
    await terminal.see("rota> workers");
    // Keys that come together are taken for a paste, and a tab in it completes nothing.
    await terminal.press("-", "-");
    await terminal.see("--");
    await terminal.press(KEYS.tab);
    await terminal.see("json");
    await terminal.press(KEYS.enter);
    await terminal.see('[{"address":"w1"');
    await terminal.see("rota> ");
    await terminal.press(..."exit w");
    await terminal.see("exit w");
    await terminal.press(KEYS.tab);
    await terminal.see("1");
    await terminal.press(KEYS.enter);
    await terminal.see("1 worker told to leave\r\n");
    await terminal.see("rota> ");
    await terminal.press(KEYS.ctrlZ, ..."potato", KEYS.enter);
    await terminal.see("There is no command potato; help lists all\r\n");
    await terminal.see("rota> ");
    await terminal.press(KEYS.ctrlC);
    await terminal.see(" ended\r\n");
    assertEquals(await terminal.code(), 0);
  });

  Deno.test("broker on a terminal: a job keeps it, a second Ctrl-C doesn't wait", async () => {
    const { terminal, backend } = await start([]);
    await using _ = terminal;
    await using worker = new Dealer({ routingId: "w1", receiveTimeout: 60_000 });
    worker.connect(backend);
    await worker.send(["", "READY"]);
    await worker.receive();
    const [frontend = ""] = /frontend=\S+/.exec(terminal.raw) ?? [];
    await using client = new Dealer();
    client.connect(frontend.replace("frontend=", ""));
    await client.send(["", "a"]);
    await client.send(["", "b"]);
    await worker.receive();
    await terminal.press(KEYS.ctrlC, KEYS.ctrlC);
    await terminal.see(" draining running=1 waiting=1 ");
    await terminal.see("rota> ");
    await terminal.press(..."running", KEYS.enter);
    await terminal.see("1 job running\r\n");
    await worker.send(["", "done"]);
    await terminal.see(" draining running=1 waiting=0 ");
    await terminal.press(KEYS.ctrlC);
    await terminal.see(" ended at once running=1 waiting=0\r\n");
    assertEquals(await terminal.code(), 130);
  });

  Deno.test("broker on a terminal: Ctrl-D ends the input, and Ctrl-C the broker", async () => {
    const { terminal } = await start([]);
    await using _ = terminal;
    await terminal.press(KEYS.ctrlD);
    await terminal.see("End of input; the broker goes on, Ctrl-C ends it.\r\n");
    // Without a prompt the terminal itself turns the key into a signal.
    await terminal.press(KEYS.ctrlC);
    await terminal.see(" ended\r\n");
    assertEquals(await terminal.code(), 0);
  });

  Deno.test("broker on a terminal: colours, unless NO_COLOR is set", async () => {
    const dim = "\x1b[2m";
    for (const [env, isPlain] of [[{ NO_COLOR: "1" }, true], [{ NO_COLOR: "" }, false]] as const) {
      const { terminal, backend } = await start([], env);
      await using _ = terminal;
      await using worker = new Dealer({ routingId: "w1" });
      worker.connect(backend);
      await worker.send(["", "READY"]);
      await terminal.see("w1");
      assertEquals(terminal.raw.includes(dim), !isPlain);
      await terminal.press(..."quit", KEYS.enter);
      assertEquals(await terminal.code(), 0);
      assertMatch(terminal.raw, /ended/);
    }
  });
}
