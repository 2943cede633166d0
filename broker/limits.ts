/**
 * Every limit that a broker keeps, with its default, its bounds and its reason, in one table. The
 * options of `Broker.start` and `--limit NAME=VALUE` of the task are these.
 *
 * @module
 */

/**
 * One limit.
 *
 * @example
 * ```ts
 * import { type LimitInfo, LIMITS } from "./limits.ts";
 *
 * const info: LimitInfo = LIMITS.slots;
 * if (info.value > info.most) throw new Error("out of bounds");
 * ```
 */
export interface LimitInfo {
  /** What holds unless told otherwise. */
  readonly value: number;
  /** The least that it may be set to. */
  readonly least: number;
  /** The most that it may be set to. */
  readonly most: number;
  /** What it limits and why it is there. */
  readonly why: string;
}

const MiB = 1024 * 1024;
const BIG = 2 ** 40;

function limit(value: number, least: number, most: number, why: string): LimitInfo {
  return { value, least, most, why };
}

/**
 * All limits by name. Octets for names that end in Bytes, seconds for those that end in Seconds.
 *
 * @example
 * ```ts
 * import { LIMITS } from "./limits.ts";
 *
 * if (LIMITS.messageFrames.value !== 1024) throw new Error("changed");
 * ```
 */
export const LIMITS: Readonly<Record<LimitName, LimitInfo>> = {
  messageBytes: limit(64 * MiB, 1, 1024 * MiB - 1, "one message: what a peer may make us hold"),
  messageFrames: limit(1024, 1, 65_536, "frames of one message: an endless chain ends here"),
  commandBytes: limit(8192, 64, MiB, "one ZMTP command, and so the handshake's metadata"),
  handshakeSeconds: limit(30, 0.1, 3600, "from TCP open to the end of the handshake"),
  connections: limit(
    10_000,
    1,
    1_000_000,
    "connections of both ports together: systems give few descriptors",
  ),
  handshakes: limit(1024, 1, 1_000_000, "connections that haven't shaken hands; the oldest goes"),
  bufferBytes: limit(512 * MiB, MiB, BIG, "input and output buffers of all peers"),
  starvedSeconds: limit(10, 0.1, 3600, "how long the largest unfinished message waits for memory"),
  outputBytes: limit(8 * MiB, 1024, 1024 * MiB - 1, "output that waits for one peer"),
  writeSeconds: limit(30, 0.1, 3600, "how long a peer may take no output at all"),
  heartbeatSeconds: limit(1, 0, 65, "between ZMTP heartbeats; 0 for none"),
  heartbeatTimeoutSeconds: limit(
    10,
    0.1,
    3600,
    "silence after a heartbeat: a peer may compute a while",
  ),
  finishedRequests: limit(1_000_000, 0, 100_000_000, "finished request ids that are remembered"),
  finishedSeconds: limit(600, 1, 1_000_000, "how long they are remembered"),
  finishedBytes: limit(64 * MiB, 0, BIG, "replies that are kept for them"),
  finishedReplyBytes: limit(65_536, 0, 1024 * MiB, "one such reply"),
  slots: limit(65_535, 1, 65_535, "slots of one worker"),
  workersOfConnection: limit(1024, 1, 1_000_000, "workers behind one connection"),
  services: limit(10_000, 1, 65_535, "services: a name costs a table and a list"),
  runningBytes: limit(
    1024 * MiB,
    MiB,
    BIG,
    "octets of jobs at workers: each is kept until it is answered",
  ),
  deadLetters: limit(10_000, 0, 10_000_000, "dead letters; then the oldest goes"),
  deadLetterBytes: limit(64 * MiB, 0, BIG, "octets of dead letters"),
  streamsOfClient: limit(1024, 1, 1_000_000, "streams that one client may have open"),
  clientGraceSeconds: limit(10, 0, 86_400, "how long a client that may come back is waited for"),
  forgottenSeconds: limit(1, 0.01, 3600, "all slots free and answers due: then they won't come"),
};

/**
 * The name of a limit.
 *
 * @example
 * ```ts
 * import { type LimitName, LIMITS } from "./limits.ts";
 *
 * for (const name of Object.keys(LIMITS) as LimitName[]) {
 *   if (LIMITS[name].why === "") throw new Error(name);
 * }
 * ```
 */
export type LimitName =
  | "messageBytes"
  | "messageFrames"
  | "commandBytes"
  | "handshakeSeconds"
  | "connections"
  | "handshakes"
  | "bufferBytes"
  | "starvedSeconds"
  | "outputBytes"
  | "writeSeconds"
  | "heartbeatSeconds"
  | "heartbeatTimeoutSeconds"
  | "finishedRequests"
  | "finishedSeconds"
  | "finishedBytes"
  | "finishedReplyBytes"
  | "slots"
  | "workersOfConnection"
  | "services"
  | "runningBytes"
  | "deadLetters"
  | "deadLetterBytes"
  | "streamsOfClient"
  | "clientGraceSeconds"
  | "forgottenSeconds";

/**
 * Limits with a value each.
 *
 * @example
 * ```ts
 * import type { Limits } from "./limits.ts";
 *
 * const few: Partial<Limits> = { connections: 10, services: 3 };
 * if (few.connections !== 10) throw new Error("changed");
 * ```
 */
export type Limits = Readonly<Record<LimitName, number>>;
