/**
 * A Router in a process that may open 256 files: when a crowd takes them all, it neither spins nor
 * ends, goes on serving those it has, and takes new ones as soon as it can.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Dealer } from "../../protocol/mod.ts";
import { Attacker } from "./attacker.ts";

/** How long a Router waits after a connection that it could not take. */
const ACCEPT_PAUSE_MS = 100;

/** What the Router says of itself. */
interface State {
  readonly errors: number;
  readonly peers: number;
}

/** The Router in its process. */
class Besieged implements AsyncDisposable {
  readonly endpoint: string;
  readonly #child: Deno.ChildProcess;

  private constructor(child: Deno.ChildProcess, endpoint: string) {
    this.#child = child;
    this.endpoint = endpoint;
  }

  /** Starts it; it has said where it is when this resolves. */
  static async start(descriptors: number): Promise<Besieged> {
    const program = decodeURIComponent(new URL("few_descriptors.ts", import.meta.url).pathname);
    const limited = `ulimit -n ${descriptors} && exec "$0" "$@"`;
    const child = new Deno.Command("sh", {
      args: ["-c", limited, Deno.execPath(), "run", "-q", "--allow-net=127.0.0.1", program],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    let said = "";
    while (!said.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the Router's process ended before it was ready");
      said += new TextDecoder().decode(value);
    }
    reader.releaseLock();
    return new Besieged(child, said.trim());
  }

  /** Ends it by the end of its input. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stdin.close();
    await this.#child.stdout.cancel();
    assertEquals((await this.#child.status).code, 0);
  }
}

/** A client of the Router. */
function clientOf(endpoint: string): Dealer {
  const client = new Dealer({ linger: 0, receiveTimeout: 20_000 });
  client.connect(endpoint);
  return client;
}

/** One round trip, which tells the Router's state. */
async function ask(client: Dealer, question: string): Promise<State> {
  await client.send(question);
  const [echo, state] = await client.receive();
  assertEquals(echo!.text(), question);
  return state!.json() as State;
}

Deno.test("with 256 descriptors a crowd neither ends the accept loop nor makes it spin", async () => {
  await using besieged = await Besieged.start(256);
  const port = Number(besieged.endpoint.split(":").at(-1));
  await using good = clientOf(besieged.endpoint);
  assertEquals(await ask(good, "before"), { errors: 0, peers: 1 });

  const begin = performance.now();
  const crowd: Attacker[] = [];
  while (crowd.length < 400) crowd.push(await Attacker.to(port));
  let state = await ask(good, "meanwhile");
  while (state.errors < 3) state = await ask(good, "meanwhile");
  const most = 1 + (performance.now() - begin) / ACCEPT_PAUSE_MS;
  assert(state.errors <= most, `${state.errors} errors: it spins`);
  assert(state.peers > 150 && state.peers < 256, `${state.peers} peers`);

  // The crowd leaves: there is room for the rest of it and for a newcomer.
  for (const attacker of crowd) attacker[Symbol.dispose]();
  await using newcomer = clientOf(besieged.endpoint);
  state = await ask(newcomer, "after");
  while (state.peers > 2) state = await ask(good, "after");
  assertEquals(state.peers, 2);
});
