/**
 * How workers of all kinds do their jobs: how long one takes, what comes of it, and that it is in the
 * books. What a client wants of a job stands in its payload.
 *
 * @module
 */
import type { SimProcess } from "./process.ts";
import type { Stage } from "./stage.ts";
import { marked, markOf } from "./tokens.ts";

/** What clients may ask for. */
export const COMMANDS = ["echo", "fail", "poison", "chunks"] as const;
/** One of them. */
export type Command = typeof COMMANDS[number];

/** A job that a worker has. */
export interface Task {
  readonly token: number;
  /** The number of this run. */
  readonly run: number;
  readonly command: Command;
  /** What the client asked for: octets of the answer, or chunks. */
  readonly wanted: number;
  /** How long it takes. */
  readonly milliseconds: number;
  /** The answer. */
  readonly answer: Uint8Array;
}

const decoder = new TextDecoder();

/** The work of one process. */
export class Labour {
  readonly #process: SimProcess;
  readonly #stage: Stage;
  readonly #services: readonly string[];

  constructor(process: SimProcess, stage: Stage, services: readonly string[]) {
    this.#process = process;
    this.#stage = stage;
    this.#services = services;
  }

  /** A job has come: what is to be done. A poisoned one is the process's end. */
  begin(frames: readonly Uint8Array[]): Task {
    const { books, findings } = this.#stage;
    const { name, dice } = this.#process;
    const mark = markOf(frames);
    const word = decoder.decode(frames[0]?.subarray(0, 16));
    const command = COMMANDS.find((it) => it === word) ?? "echo";
    findings.expect("a job arrives whole", mark !== undefined, () => `${name} got ${word}`);
    const token = mark?.token ?? 0;
    const wanted = mark?.number ?? 0;
    const run = books.ran(token, name, this.#services);
    if (command === "poison" && this.#stage.phase === "busy") this.#stage.collapse(this.#process);
    return {
      token,
      run: run.number,
      command,
      wanted,
      milliseconds: this.#stage.phase === "coda" ? dice.between(0, 50) : duration(this.#process),
      answer: marked(token, run.number, wanted),
    };
  }
}

/** Most jobs are short, some are long, a few longer than every timeout. */
function duration({ dice }: SimProcess): number {
  const [least, most] = dice.weigh<readonly [number, number]>([
    [60, [0, 30]],
    [25, [30, 500]],
    [12, [1000, 4000]],
    [3, [6000, 12_000]],
  ]);
  return dice.between(least, most);
}
