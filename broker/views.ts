/**
 * What can be seen of a running broker, and what an operator can do with it.
 *
 * @module
 */
import type { Budget } from "../protocol/engine/budget.ts";
import type { Engine } from "../protocol/engine/engine.ts";
import type { Turn } from "../protocol/engine/turn.ts";
import type { Core } from "./core/core.ts";
import {
  addressOf,
  type CoreSnapshot,
  type DeadSnapshot,
  type JobSnapshot,
  listDead,
  listRunning,
  listWorkers,
  takeSnapshot,
  type WorkerSnapshot,
} from "./core/snapshot.ts";
import type { Worker } from "./core/worker.ts";

/**
 * The connections of one port.
 *
 * @example
 * ```ts
 * import { Broker } from "./broker.ts";
 * import type { PortSnapshot } from "./views.ts";
 *
 * await using broker = await Broker.start({
 *   frontend: "tcp://127.0.0.1:*",
 *   backend: "tcp://127.0.0.1:*",
 * });
 * const port: PortSnapshot = broker.views.snapshot().frontend;
 * if (port.connections !== 0) throw new Error("who is that?");
 * ```
 */
export interface PortSnapshot {
  /** Peers that have shaken hands. */
  readonly connections: number;
  /** Faults of peers and what was ignored, by kind. */
  readonly faults: Readonly<Record<string, number>>;
}

/**
 * A broker at one moment.
 *
 * @example
 * ```ts
 * import { Broker } from "./broker.ts";
 * import type { BrokerSnapshot } from "./views.ts";
 *
 * await using broker = await Broker.start({
 *   frontend: "tcp://127.0.0.1:*",
 *   backend: "tcp://127.0.0.1:*",
 * });
 * const snapshot: BrokerSnapshot = broker.views.snapshot();
 * if (snapshot.stored !== 0) throw new Error("what is that?");
 * ```
 */
export interface BrokerSnapshot extends CoreSnapshot {
  /** The port of the clients. */
  readonly frontend: PortSnapshot;
  /** The port of the workers. */
  readonly backend: PortSnapshot;
  /** Octets in the buffers of all peers, and the most that ever were. */
  readonly buffers: { readonly used: number; readonly peak: number };
  /** Octets that jobs hold. */
  readonly stored: number;
}

/**
 * Views and verbs of a running broker.
 *
 * @example
 * ```ts
 * import { Broker } from "./broker.ts";
 *
 * await using broker = await Broker.start({ frontend: "tcp://127.0.0.1:*", backend: "tcp://127.0.0.1:*" });
 * const { jobs } = broker.views.snapshot();
 * if (jobs.accepted !== 0) throw new Error("where from?");
 * ```
 */
export class BrokerViews {
  readonly #core: Core;
  readonly #turn: Turn;
  readonly #front: Engine;
  readonly #back: Engine;
  readonly #budget: Budget;
  readonly #after: () => void;

  /** Made by a broker. */
  constructor(
    core: Core,
    turn: Turn,
    front: Engine,
    back: Engine,
    budget: Budget,
    after: () => void,
  ) {
    this.#core = core;
    this.#turn = turn;
    this.#front = front;
    this.#back = back;
    this.#budget = budget;
    this.#after = after;
  }

  /** Everything that can be counted. */
  snapshot(): BrokerSnapshot {
    const { state } = this.#core;
    return {
      ...takeSnapshot(state, this.#turn.now()),
      frontend: portOf(this.#front),
      backend: portOf(this.#back),
      buffers: { used: this.#budget.used, peak: this.#budget.peak },
      stored: state.jobs.store.used,
    };
  }

  /** All workers that are known, those in the table in the order of their turns. */
  workers(): WorkerSnapshot[] {
    return listWorkers(this.#core.state, this.#turn.now());
  }

  /** Jobs at workers. */
  running(most = 1000): JobSnapshot[] {
    return listRunning(this.#core.state, this.#turn.now(), most);
  }

  /** Dead letters, oldest first. */
  dead(most = 1000): DeadSnapshot[] {
    return listDead(this.#core.state, this.#turn.now(), most);
  }

  /** Tries a dead letter again; false if there is none of that id. */
  retry(id: number): boolean {
    const done = this.#core.retry(id, this.#turn.now());
    this.#after();
    return done;
  }

  /** Throws a dead letter away; false if there is none of that id. */
  drop(id: number): boolean {
    return this.#core.drop(id, this.#turn.now());
  }

  /** Tells the workers of that address, as `workers()` shows it, to leave; gives how many. */
  exit(address: string): number {
    return this.#exit((worker) => addressOf(worker) === address);
  }

  /** Tells all workers to leave; gives how many there were. */
  exitAll(): number {
    return this.#exit(() => true);
  }

  #exit(wanted: (worker: Worker) => boolean): number {
    let count = 0;
    for (const worker of [...this.#core.state.workers]) {
      if (worker === undefined || worker.state !== "in" || !wanted(worker)) continue;
      this.#core.exit(worker, this.#turn.now());
      count++;
    }
    this.#after();
    return count;
  }
}

function portOf(engine: Engine): PortSnapshot {
  return {
    connections: engine.peers.filter((peer) => peer?.open).length,
    faults: Object.fromEntries(engine.counters),
  };
}
