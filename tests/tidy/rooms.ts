// The rooms of the house and what each may import, as data: imports run one way. Tests may import
// anything, so this table binds sources only.

/** What a room may import from outside of the project. */
export type Outside =
  /** Nothing: the room is pure. */
  | "nothing"
  /** What also works when Rota is imported by URL: `node:` and full `npm:` specifiers. */
  | "portable"
  /** Whatever the import map of deno.json names. */
  | "mapped";

/** A room: a folder (ending in a slash), a file, or some files of a folder. */
export interface Room {
  readonly name: string;
  /** Paths of files, or of folders ending in a slash. The longest that fits a file is its room. */
  readonly holds: readonly string[];
  /** Names of rooms that it may import, besides itself. */
  readonly imports: readonly string[] | "any";
  readonly outside: Outside;
}

/** The pure rooms of the protocol, which every other room may import. */
const PURE = ["errors", "zmtp", "time", "dialogue"] as const;

/** The arm that touches the world. */
const WORLD = [...PURE, "io", "engine", "sockets", "protocol"] as const;

/** The table. A file that fits no line of it is a finding. */
export const ROOMS: readonly Room[] = [
  { name: "errors", holds: ["protocol/errors.ts"], imports: [], outside: "nothing" },
  { name: "zmtp", holds: ["protocol/zmtp/"], imports: PURE, outside: "nothing" },
  { name: "time", holds: ["protocol/time/"], imports: PURE, outside: "nothing" },
  { name: "dialogue", holds: ["protocol/dialogue/"], imports: PURE, outside: "nothing" },
  { name: "io", holds: ["protocol/io/"], imports: PURE, outside: "portable" },
  { name: "engine", holds: ["protocol/engine/"], imports: [...PURE, "io"], outside: "portable" },
  {
    name: "sockets",
    holds: ["protocol/sockets/"],
    imports: [...PURE, "io", "engine"],
    outside: "portable",
  },
  { name: "protocol", holds: ["protocol/mod.ts"], imports: WORLD, outside: "nothing" },

  { name: "broker core", holds: ["broker/core/"], imports: PURE, outside: "nothing" },
  {
    name: "broker faces",
    holds: ["broker/frontend.ts", "broker/backend.ts", "broker/worker_messages.ts"],
    imports: [...PURE, "broker core"],
    outside: "nothing",
  },
  {
    name: "broker",
    holds: ["broker/"],
    imports: [...WORLD, "broker core", "broker faces"],
    outside: "portable",
  },
  {
    name: "broker console",
    holds: ["broker/console/"],
    imports: [...WORLD, "broker", "broker core", "broker faces", "terminal"],
    outside: "mapped",
  },

  { name: "worker session", holds: ["worker/session/"], imports: PURE, outside: "nothing" },
  {
    name: "worker",
    holds: ["worker/"],
    imports: [...WORLD, "worker session"],
    outside: "portable",
  },
  {
    name: "worker console",
    holds: ["worker/console/"],
    imports: [...WORLD, "worker", "worker session", "terminal"],
    outside: "mapped",
  },

  {
    name: "client calls",
    holds: ["client/calls.ts", "client/lines.ts"],
    imports: PURE,
    outside: "nothing",
  },
  { name: "client", holds: ["client/"], imports: [...WORLD, "client calls"], outside: "portable" },
  {
    name: "client console",
    holds: ["client/console/"],
    imports: [...WORLD, "client", "client calls", "terminal"],
    outside: "mapped",
  },

  { name: "terminal", holds: ["terminal/"], imports: [], outside: "mapped" },
  {
    name: "front door",
    holds: ["mod.ts"],
    imports: [...WORLD, "broker", "worker", "client"],
    outside: "nothing",
  },
  { name: "tests", holds: ["tests/"], imports: "any", outside: "mapped" },
  { name: "bench", holds: ["bench/"], imports: "any", outside: "mapped" },
  { name: "examples", holds: ["examples/"], imports: "any", outside: "mapped" },
  { name: "docs", holds: ["docs/"], imports: "any", outside: "mapped" },
  { name: "deps", holds: ["deps/"], imports: [], outside: "mapped" },
];

/** The room of a file: the one that names it most closely. */
export function roomOf(path: string): Room | undefined {
  let best: { readonly room: Room; readonly length: number } | undefined;
  for (const room of ROOMS) {
    for (const held of room.holds) {
      const fits = held.endsWith("/") ? path.startsWith(held) : path === held;
      if (fits && held.length > (best?.length ?? -1)) best = { room, length: held.length };
    }
  }
  return best?.room;
}
