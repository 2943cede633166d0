/**
 * The child workers of a console: started together, each in a thread with a connection of its own,
 * and ended together.
 *
 * @module
 */
import type { Io } from "../../protocol/io/io.ts";
import type { WorkerLog } from "../options.ts";
import type { WorkerStatus } from "../status.ts";
import type { ChildStart, FromChild, ToChild } from "./child_messages.ts";
import { within } from "./patience.ts";

/** How long a child may take to say how it is. */
const ANSWER_MS = 1000;

/** What children are made of. */
export interface BulkParts {
  readonly io: Io;
  /** What each child is told, its address aside. */
  readonly start: ChildStart;
  /** The parent's address: those of the children begin with it. */
  readonly address: string;
  readonly onLog: (line: WorkerLog) => void;
}

/** One child. */
class Child {
  readonly address: string;
  /** Resolves with true when it is registered, and with false if it never will be. */
  readonly registered: Promise<boolean>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly #worker: globalThis.Worker;
  readonly #onRegistered: (well: boolean) => void;
  readonly #onEnded: () => void;
  readonly #log: (line: WorkerLog) => void;
  #onStatus: (status: WorkerStatus) => void = () => {};
  #said = 0;

  constructor(address: string, { module, options }: ChildStart, log: (line: WorkerLog) => void) {
    this.address = address;
    this.#log = log;
    const registered = Promise.withResolvers<boolean>();
    const ended = Promise.withResolvers<void>();
    [this.registered, this.#onRegistered] = [registered.promise, registered.resolve];
    [this.ended, this.#onEnded] = [ended.promise, ended.resolve];
    const url = new URL("./child.ts", import.meta.url);
    this.#worker = new globalThis.Worker(url, { type: "module", name: "rota child worker" });
    this.#worker.onmessage = (event: MessageEvent<FromChild>) => this.#hear(event.data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message);
    };
    this.say({ type: "start", start: { module, options: { ...options, address } } });
  }

  say(message: ToChild): void {
    this.#worker.postMessage(message);
  }

  /** How it is; undefined if it doesn't say. */
  status(io: Io): Promise<WorkerStatus | undefined> {
    const { promise, resolve } = Promise.withResolvers<WorkerStatus>();
    this.#onStatus = resolve;
    this.say({ type: "status" });
    return within(io, ANSWER_MS, promise);
  }

  #hear(message: FromChild): void {
    if (message.type === "log") {
      const { level, event, details } = message.line;
      const who = details.address === this.address ? {} : { worker: this.address };
      this.#log({ level, event, details: { ...who, ...details } });
    } else if (message.type === "status") this.#onStatus(message.status);
    else if (message.type === "registered") this.#onRegistered(true);
    else if (message.type === "failed") this.#fail(message.message);
    else this.#end(message.status);
  }

  #end({ completed, failed }: WorkerStatus): void {
    const details = { worker: this.address, completed, failed };
    this.#log({ level: 5, event: "child ended", details });
    this.#onEnded();
  }

  #fail(error: string): void {
    if (this.#said++ > 0) return;
    this.#log({ level: 1, event: "child failed", details: { worker: this.address, error } });
    this.#onRegistered(false);
    this.#worker.terminate();
    this.#onEnded();
  }
}

/** The children. */
export class Bulk {
  readonly #parts: BulkParts;
  readonly #children: Set<Child> = new Set();
  #born = 0;

  constructor(parts: BulkParts) {
    this.#parts = parts;
  }

  /** How many there are. */
  get size(): number {
    return this.#children.size;
  }

  /** Starts so many; gives for each whether it could register. */
  start(count: number): Promise<boolean>[] {
    const { start, address, onLog } = this.#parts;
    return Array.from({ length: count }, () => {
      const child = new Child(`${address}/${++this.#born}`, start, onLog);
      this.#children.add(child);
      child.ended.then(() => this.#children.delete(child));
      return child.registered;
    });
  }

  /** How they are; undefined where one doesn't say. */
  async statuses(): Promise<[address: string, status: WorkerStatus | undefined][]> {
    const { io } = this.#parts;
    return await Promise.all(
      [...this.#children].map(async (child) =>
        [child.address, await child.status(io)] as [string, WorkerStatus | undefined]
      ),
    );
  }

  /** Has them deregister and end; gives how many did. */
  async end(): Promise<number> {
    const children = [...this.#children];
    for (const child of children) child.say({ type: "end" });
    await Promise.all(children.map(({ ended }) => ended));
    return children.length;
  }
}
