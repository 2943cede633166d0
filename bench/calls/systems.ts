/**
 * What calls are measured with: a server, a worker's program and a client's program each.
 *
 * @module
 */
import { denoCommand, pathOf } from "../kit/process.ts";
import { type BrokerKind, BROKERS, type Ports, rota } from "../peers/brokers.ts";
import { outputOf } from "../peers/child.ts";
import { HOME_PATH, packageVersion } from "../peers/home.ts";

/** One way to make calls. */
export interface System {
  readonly name: string;
  readonly text: string;
  readonly server: BrokerKind;
  /** How its program is run, up to the arguments. */
  readonly program: readonly string[];
  /** What it runs on, besides its server; undefined if something is missing. */
  version(): Promise<string | undefined>;
}

function programOf(name: string): string {
  return pathOf(new URL(name, import.meta.url));
}

function rotaSystem(name: string, text: string): System {
  return {
    name,
    text,
    server: rota(),
    program: denoCommand(new URL("rota.ts", import.meta.url)),
    version: () => Promise.resolve(`Deno ${Deno.version.deno}`),
  };
}

function onNode(
  name: string,
  text: string,
  server: BrokerKind,
  file: string,
  module: string,
): System {
  return {
    name,
    text,
    server,
    program: ["node", programOf(file)],
    version: async () => {
      const [node, version] = [await outputOf("node", "--version"), await packageVersion(module)];
      return node && version && `${module} ${version} on Node ${node}`;
    },
  };
}

const redis: BrokerKind = {
  name: "redis",
  text: "redis-server without persistence",
  protocol: "zmtp",
  twoPorts: false,
  command: ({ front }: Ports) => [
    ...["redis-server", "--bind", "127.0.0.1", "--port", `${front}`],
    ...["--save", "", "--appendonly", "no"],
  ],
  version: async () => {
    const version = /v=([\d.]+)/.exec(await outputOf("redis-server", "--version") ?? "")?.[1];
    return version && `redis-server ${version}`;
  },
};

const nats = BROKERS.find(({ name }) => name === "nats")!;

/** All of them, in the order of the table. */
export const SYSTEMS: readonly System[] = [
  rotaSystem("Rota", "Rota's client, broker and worker"),
  rotaSystem("Rota again", "the same once more: what the noise is"),
  onNode(
    "zeromq.js",
    "zeromq.js programs through the same broker of Rota",
    rota(),
    "zeromq.mjs",
    "zeromq",
  ),
  onNode("NATS", "NATS's own client and nats-server", nats, "nats.mjs", "@nats-io/transport-node"),
  onNode("BullMQ", "BullMQ and Redis without persistence", redis, "bullmq.mjs", "bullmq"),
];

/** Arguments of a system's program; see loop.mjs. */
export function argsOf(
  role: "client" | "worker",
  { front, back }: Ports,
  inFlight: number,
  warmSeconds: number,
  seconds: number,
): string[] {
  return [role, HOME_PATH, ...[front, back, inFlight, warmSeconds, seconds].map(String)];
}
