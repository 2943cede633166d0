/**
 * A broker, workers and clients in one process, on a network in memory: no permission, no port, and
 * time that a test moves. For projects that test their own handlers and how they recover.
 *
 * @module
 */
import { Broker } from "../../broker/broker.ts";
import type { BrokerOptions } from "../../broker/options.ts";
import { Client } from "../../client/client.ts";
import type { CommandMap } from "../../client/commands.ts";
import type { ClientOptions } from "../../client/options.ts";
import { MemoryNetwork } from "../../protocol/io/memory_io.ts";
import type { WorkerOptions } from "../../worker/options.ts";
import { Worker } from "../../worker/worker.ts";
import { MortalIo } from "./mortal_io.ts";

const FRONTEND = "tcp://127.0.0.1:5555";
const BACKEND = "tcp://127.0.0.1:5556";

/**
 * How a cluster for tests behaves.
 *
 * @example
 * ```ts
 * import { TestCluster, type TestClusterOptions } from "./mod.ts";
 *
 * const options: TestClusterOptions = { broker: { maxAttempts: 1 }, latency: 5 };
 * if (options.latency !== 5 || TestCluster.length !== 1) throw new Error("changed");
 * ```
 */
export interface TestClusterOptions {
  /** Options of the broker; its endpoints and its world are the cluster's own. */
  broker?: Omit<BrokerOptions, "frontend" | "backend" | "io">;
  /** A clock that `advance()` moves, or the global timers, which FakeTime drives. */
  clock?: "simulated" | "global";
  /** Decides everything random. 1 unless told. */
  seed?: number;
  /** Milliseconds for each delivery. 0 unless told. */
  latency?: number;
}

/**
 * A cluster for tests.
 *
 * @example
 * ```ts
 * import { TestCluster } from "./mod.ts";
 *
 * await using cluster = await TestCluster.start();
 * const slow = await cluster.worker({ handlers: { hello: () => new Promise(() => {}) } });
 * const client = cluster.client();
 * const call = client.call("hello");
 * await cluster.settle();
 * await cluster.worker({ handlers: { hello: () => "hello from the other one" } });
 * cluster.kill(slow);
 * const result = await call;
 * if (result.text() !== "hello from the other one") throw new Error("lost");
 * ```
 */
export class TestCluster implements AsyncDisposable {
  /** The network, with its verbs for what goes wrong. */
  readonly network: MemoryNetwork;
  readonly #options: TestClusterOptions;
  readonly #members: Map<Worker | Client, MortalIo> = new Map();
  #brokerIo: MortalIo;
  #broker: Broker | undefined;
  #hosts = 0;

  private constructor(options: TestClusterOptions) {
    const { clock = "simulated", seed = 1, latency = 0 } = options;
    this.#options = options;
    this.network = new MemoryNetwork({ clock, seed, latency });
    this.#brokerIo = new MortalIo(this.network, "broker");
  }

  /** Starts a cluster: a broker, and nobody else yet. */
  static async start(options: TestClusterOptions = {}): Promise<TestCluster> {
    const cluster = new TestCluster(options);
    await cluster.startBroker();
    return cluster;
  }

  /** The broker, with its views. Throws while it is stopped. */
  get broker(): Broker {
    if (this.#broker === undefined) throw new Error("Cannot get the broker: it is stopped");
    return this.#broker;
  }

  /** Starts a worker; resolves once it is registered. */
  async worker(options: Omit<WorkerOptions, "broker" | "io"> = {}): Promise<Worker> {
    const io = new MortalIo(this.network, `worker ${++this.#hosts}`);
    const worker = await Worker.start({ ...options, broker: BACKEND, io });
    this.#members.set(worker, io);
    return worker;
  }

  /** Makes a client. */
  client<C extends object = CommandMap>(
    options: Omit<ClientOptions, "broker" | "io"> = {},
  ): Client<C> {
    const io = new MortalIo(this.network, `client ${++this.#hosts}`);
    const client = new Client<C>({ ...options, broker: FRONTEND, io });
    this.#members.set(client as unknown as Client, io);
    return client;
  }

  /** Kills a worker or a client as kill -9 does: it is gone in the middle of whatever it did. */
  kill(member: Worker | Client): void {
    this.#ioOf(member).die();
    this.#members.delete(member);
  }

  /** Resets the connections of a worker or a client, which comes back by itself. */
  cut(member: Worker | Client): void {
    this.#ioOf(member).cut();
  }

  /** Cuts a worker or a client off without telling anybody: only silence gives it away. */
  isolate(member: Worker | Client): void {
    this.#ioOf(member).isolate();
  }

  /** Stops the broker as a shutdown does, with its drain. */
  async stopBroker(): Promise<void> {
    const broker = this.broker;
    this.#broker = undefined;
    await broker.close();
  }

  /** Kills the broker: all that it held is lost. */
  killBroker(): void {
    this.#broker = undefined;
    this.#brokerIo.die();
  }

  /** Starts the broker again after it was stopped or killed. */
  async startBroker(): Promise<void> {
    if (this.#broker !== undefined) throw new Error("Cannot start the broker: it runs");
    this.#brokerIo = new MortalIo(this.network, "broker");
    this.#broker = await Broker.start({
      ...this.#options.broker,
      frontend: FRONTEND,
      backend: BACKEND,
      io: this.#brokerIo,
    });
  }

  /** Moves time on. With the global clock, tick the fake time instead. */
  advance(milliseconds: number): Promise<void> {
    return this.network.advance(milliseconds);
  }

  /** Waits until nothing more happens at the present time. */
  settle(): Promise<void> {
    return this.network.settle();
  }

  /** Ends everything at once; nothing is drained. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const [member, io] of this.#members) {
      io.die();
      await (member instanceof Worker ? member.close({ now: true }) : member.close());
    }
    this.#members.clear();
    await this.#broker?.close({ now: true });
  }

  #ioOf(member: Worker | Client): MortalIo {
    const io = this.#members.get(member);
    if (io === undefined) {
      throw new Error("Cannot find it: it is not a living member of the cluster");
    }
    return io;
  }
}
