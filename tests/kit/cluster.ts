/**
 * Rota's own broker, workers and clients on one network in memory, with simulated time. The broker
 * can crash and be started again. When it ends, everybody has left.
 *
 * @module
 */
import { Broker } from "../../broker/broker.ts";
import { inspect } from "../../broker/inspect.ts";
import type { BrokerOptions } from "../../broker/options.ts";
import { Client, type ClientOptions } from "../../client/mod.ts";
import { MemoryNetwork, type MemoryNetworkOptions } from "../../protocol/io/memory_io.ts";
import { Worker as JobWorker, type WorkerLog, type WorkerOptions } from "../../worker/mod.ts";
import { checkInvariants } from "./invariants.ts";
import { StoppableIo } from "./stoppable_io.ts";

/** Longer than any farewell. */
const END_MS = 3000;
/** Time goes on in steps of this while something is waited for. */
const STEP_MS = 10;

/** A worker with its world and what it said. */
export interface ClusterWorker {
  readonly worker: JobWorker;
  readonly io: StoppableIo;
  readonly log: readonly WorkerLog[];
}

/** A broker, workers and clients. */
export class Cluster implements AsyncDisposable {
  readonly network: MemoryNetwork;
  readonly #options: BrokerOptions;
  readonly #workers: Map<string, ClusterWorker> = new Map();
  readonly #clients: Client[] = [];
  #broker: Broker | undefined;
  #io: StoppableIo | undefined;

  private constructor(options: BrokerOptions, network: MemoryNetworkOptions) {
    this.network = new MemoryNetwork(network);
    this.#options = options;
  }

  /** A cluster with a broker. */
  static async start(
    options: BrokerOptions = {},
    network: MemoryNetworkOptions = {},
  ): Promise<Cluster> {
    const cluster = new Cluster(options, network);
    await cluster.startBroker();
    return cluster;
  }

  get broker(): Broker {
    return this.#broker!;
  }

  /** The broker's world. */
  get io(): StoppableIo {
    return this.#io!;
  }

  /** Everything that the broker counts. */
  get counted() {
    return this.broker.views.snapshot();
  }

  /** Starts a broker where the last one was. */
  async startBroker(): Promise<void> {
    this.#io = new StoppableIo(this.network.io("broker"));
    this.#broker = await Broker.start({ io: this.#io, ...this.#options });
  }

  /** The broker ends without a word. */
  crash(): void {
    checkInvariants(inspect(this.broker).core);
    this.#io!.crash();
    this.#broker = undefined;
  }

  /** Starts a worker of that address; it is registered when this resolves. */
  async worker(address: string, options: WorkerOptions = {}): Promise<ClusterWorker> {
    const io = new StoppableIo(this.network.io(address));
    const log: WorkerLog[] = [];
    const starting = JobWorker.start({
      io,
      address,
      debug: 1,
      onLog: (line) => log.push(line),
      ...options,
    });
    const started = { worker: await this.over(starting), io, log };
    this.#workers.set(address, started);
    return started;
  }

  /** A client of that name. */
  client(name: string, options: ClientOptions = {}): Client {
    const client = new Client({ io: this.network.io(name), ...options });
    this.#clients.push(client);
    return client;
  }

  /** Lets everything happen that happens now. */
  settle(): Promise<void> {
    return this.network.settle();
  }

  /** Lets so many milliseconds pass. */
  advance(milliseconds: number): Promise<void> {
    return this.network.advance(milliseconds);
  }

  /** Lets time pass until that is over, however it ends; no longer than so many milliseconds. */
  async over<T>(promise: Promise<T>, most = 600_000): Promise<T> {
    let settled = false;
    const end = () => void (settled = true);
    promise.then(end, end);
    await this.settle();
    for (let left = most; !settled && left > 0; left -= STEP_MS) await this.advance(STEP_MS);
    if (!settled) throw new Error(`it isn't over after ${most} ms`);
    return await promise;
  }

  /** Lets time pass until that is so; no longer than so many milliseconds. */
  async until(holds: () => boolean, most = 600_000): Promise<void> {
    await this.settle();
    for (let left = most; !holds() && left > 0; left -= STEP_MS) await this.advance(STEP_MS);
    if (!holds()) throw new Error(`it isn't so after ${most} ms`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const leaving = [
      ...this.#clients.map((client) => client.close()),
      ...[...this.#workers.values()].map(({ worker }) => worker.close({ now: true })),
    ];
    await this.advance(END_MS);
    await Promise.all(leaving);
    if (this.#broker === undefined) return;
    checkInvariants(inspect(this.#broker).core);
    const closed = this.#broker.close({ now: true });
    await this.advance(END_MS);
    await closed;
  }
}
