// deno-lint-ignore-file no-console
/**
 * What an idle connection costs: the resident memory of a process with one Router, before and
 * after Dealers in this process have connected to it, and after each of them has been answered.
 *
 * @module
 */
import { Dealer } from "../protocol/mod.ts";
import { denoCommand, Process } from "./kit/process.ts";
import { formatTable } from "./kit/table.ts";

const CONNECTIONS = 2000;
/** Connections and questions before the first look: what a busy process holds anyway isn't counted. */
const WARM_UP_CONNECTIONS = 200;
const WARM_UP_QUESTIONS = 100;

interface Memory {
  readonly connections: number;
  readonly bytes: number;
}

/** Connects so many Dealers, each of them once it can be sure to be open. */
async function connectMany(endpoint: string, count: number): Promise<Dealer[]> {
  const dealers: Dealer[] = [];
  for (let i = 0; i < count; i++) {
    const dealer = new Dealer({ linger: 0 });
    const open = new Promise((resolve) => dealer.events.on("handshake", resolve));
    dealer.connect(endpoint);
    await open;
    dealers.push(dealer);
  }
  return dealers;
}

/** Each of them asks once. */
async function askAll(dealers: readonly Dealer[]): Promise<void> {
  for (const dealer of dealers) {
    await dealer.send("How are you?");
    await dealer.receive();
  }
}

const server = new Process(denoCommand(new URL("idle/router_peer.ts", import.meta.url)));
const look = async () => (await server.ask("memory")).value as Memory;
const endpoint = (await server.ask("serve")).value as string;
const early = await connectMany(endpoint, WARM_UP_CONNECTIONS);
for (let i = 0; i < WARM_UP_QUESTIONS; i++) await askAll(early);
const before = await look();
const dealers = await connectMany(endpoint, CONNECTIONS);
const connected = await look();
await askAll(dealers);
const answered = await look();

const each = ({ bytes }: Memory) => `${((bytes - before.bytes) / CONNECTIONS / 1024).toFixed(1)}`;
const mebibytes = ({ bytes }: Memory) => `${(bytes / 1024 / 1024).toFixed(1)}`;
console.log(formatTable([
  ["connections", "resident MiB", "KiB each"],
  [`${before.connections}`, mebibytes(before), ""],
  [`${connected.connections}`, mebibytes(connected), each(connected)],
  [`${answered.connections}, each answered once`, mebibytes(answered), each(answered)],
], 1));

for (const dealer of [...early, ...dealers]) dealer.close();
await server.end();
