/**
 * The brokers that are put side by side: how each is started, what is said to it, which version is
 * here, and what to do if it is missing.
 *
 * @module
 */
import { pathOf } from "../kit/process.ts";
import { taskArgs } from "../../tests/process/task_process.ts";
import { outputOf } from "./child.ts";
import { HOME_PATH, isInstalled, packageVersion, programPath } from "./home.ts";

/** Where a broker is to listen. A broker with one port gets the first. */
export interface Ports {
  readonly front: number;
  readonly back: number;
}

/** One broker. */
export interface BrokerKind {
  readonly name: string;
  /** What it is, in a few words. */
  readonly text: string;
  /** What the load generators say to it. */
  readonly protocol: "zmtp" | "gearman" | "nats";
  /** Whether workers bring their slots by REGISTER; else they say READY for each. */
  readonly registers?: boolean;
  /** Whether workers have a port of their own. */
  readonly twoPorts: boolean;
  /** Jobs of the backlog workload: another number than the workload says; 0 for not at all. */
  readonly backlog?: number;
  /** The command that starts it. */
  command(ports: Ports): Promise<string[]> | string[];
  /** Its version; undefined if it isn't installed. */
  version(): Promise<string | undefined>;
}

function endpoint(port: number): string {
  return `tcp://127.0.0.1:${port}`;
}

/** Rota, started as `deno task broker -d 0` starts it, with more options if need be. */
export function rota(...options: readonly string[]): BrokerKind {
  return {
    name: "rota",
    text: "Rota: `deno task broker -d 0`, all else as it is by default",
    protocol: "zmtp",
    registers: true,
    twoPorts: true,
    command: async ({ front, back }) => [
      Deno.execPath(),
      ...await taskArgs("broker"),
      ...["--frontend", endpoint(front), "--backend", endpoint(back), "-d", "0", ...options],
    ],
    version: () => Promise.resolve(`Deno ${Deno.version.deno}`),
  };
}

function libzmq(name: string, text: string): BrokerKind {
  return {
    name,
    text,
    protocol: "zmtp",
    twoPorts: true,
    command: ({ front, back }) => [programPath("zbroker"), endpoint(front), endpoint(back)],
    version: async () => {
      if (!await isInstalled("zbroker")) return undefined;
      return `libzmq ${await packageOf("libzmq5")}`;
    },
  };
}

const zeromqJs: BrokerKind = {
  name: "zeromq-js",
  text: "the same LRU broker on Node and zeromq.js",
  protocol: "zmtp",
  twoPorts: true,
  command: ({ front, back }) => {
    const program = pathOf(new URL("node/zbroker.mjs", import.meta.url));
    return ["node", program, HOME_PATH, endpoint(front), endpoint(back)];
  },
  version: async () => {
    const [node, module] = [await outputOf("node", "--version"), await packageVersion("zeromq")];
    return node && module && `zeromq.js ${module} on Node ${node}`;
  },
};

const gearmand: BrokerKind = {
  name: "gearmand",
  text: "gearmand with its queue in memory",
  protocol: "gearman",
  twoPorts: false,
  // It drains a million at a tenth of the rate of a few: that takes too long.
  backlog: 100_000,
  command: ({ front }) => ["gearmand", "-L", "127.0.0.1", "-p", `${front}`, "-l", "/dev/null"],
  version: async () => /gearmand [\d.]+/.exec(await outputOf("gearmand", "--version") ?? "")?.[0],
};

const nats: BrokerKind = {
  name: "nats",
  text: "nats-server, request and reply through a queue group: no credit, no LRU, no backlog",
  protocol: "nats",
  twoPorts: false,
  backlog: 0,
  command: ({ front }) => {
    const config = pathOf(new URL("nats.conf", import.meta.url));
    return ["nats-server", "-c", config, "-a", "127.0.0.1", "-p", `${front}`, "-l", "/dev/null"];
  },
  version: async () => {
    const version = /v[\d.]+/.exec(await outputOf("nats-server", "--version") ?? "")?.[0];
    return version && `nats-server ${version}`;
  },
};

/** All brokers, in the order of the table. */
export const BROKERS: readonly BrokerKind[] = [
  rota(),
  libzmq("libzmq-c", "an LRU broker in C on libzmq, ROUTER and ROUTER"),
  libzmq("libzmq-c again", "the same program once more: what the noise is"),
  zeromqJs,
  gearmand,
  nats,
];

/** The version of a package of the system, as far as it can tell. */
async function packageOf(name: string): Promise<string> {
  const text = await outputOf("dpkg-query", "-W", "-f", "${Version}", name);
  return text?.replace(/-.*$/, "") ?? "of the system";
}
