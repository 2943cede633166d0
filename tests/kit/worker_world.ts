/**
 * Workers in memory before a broker that is played by hand: it keeps what it hears, with the time, and
 * says what it is told to. Time is moved by hand: by the network's own clock, or by fake global timers.
 *
 * @module
 */
import { FakeTime } from "@std/testing/time";
import type { Io } from "../../protocol/io/io.ts";
import { MemoryNetwork } from "../../protocol/io/memory_io.ts";
import { Router } from "../../protocol/mod.ts";
import type { WorkerLog, WorkerOptions } from "../../worker/options.ts";
import { Worker } from "../../worker/worker.ts";
import { Notation } from "../scenarios/notation.ts";
import type { Hand } from "./broker_world.ts";

const BACKEND = "tcp://127.0.0.1:5556";
/** Fake time goes on in steps of this, with all that follows from each. */
const STEP_MS = 10;
/** Longer than any farewell. */
const END_MS = 30_000;

/** The broker that is played, and its workers. */
export class WorkerWorld implements AsyncDisposable {
  readonly network: MemoryNetwork;
  /** What workers told, as `event {details}`. */
  readonly lines: string[] = [];
  readonly #time: FakeTime | undefined;
  readonly #start: number;
  readonly #workers: Worker[] = [];
  readonly #notation = new Notation();
  #router: Router | undefined;
  #heard: string[] = [];
  #onHeard: (line: string) => void = () => {};
  #identity: Uint8Array = new Uint8Array(0);

  constructor(hand: Hand = "simulated") {
    this.#time = hand === "fake" ? new FakeTime(1_000_000) : undefined;
    this.network = new MemoryNetwork({ clock: hand === "fake" ? "global" : "simulated" });
    this.#start = this.network.now;
  }

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.network.now - this.#start;
  }

  /** Who spoke last, by the identity of its connection. */
  get identity(): string {
    return new TextDecoder().decode(this.#identity);
  }

  /** Starts to listen. */
  async open(): Promise<void> {
    const router = this.#router = new Router({ io: this.network.io("broker"), handover: true });
    await router.bind(BACKEND);
    this.#listen(router);
  }

  /** The broker is gone, and every connection with it. */
  async shut(): Promise<void> {
    this.#router?.close();
    this.network.cut();
    await this.settle();
  }

  /** Starts a worker without waiting for it. */
  start(options: WorkerOptions = {}, io: Io = this.network.io("worker")): Promise<Worker> {
    const started = Worker.start({
      broker: BACKEND,
      address: "w1",
      onLog: ({ event, details }: WorkerLog) =>
        this.lines.push(`${event} ${JSON.stringify(details)}`),
      io,
      ...options,
    });
    started.then((worker) => this.#workers.push(worker), () => {});
    return started;
  }

  /** Starts a worker and takes it in. */
  async worker(options: WorkerOptions = {}, io: Io = this.network.io("worker")): Promise<Worker> {
    const started = this.start(options, io);
    await this.settle();
    await this.say('["", REGISTERED, 10, "expire=3", "w1"]');
    this.take();
    return await started;
  }

  /** Says something to whoever spoke last. */
  async say(message: string): Promise<void> {
    await this.#router!.send([this.#identity, ...this.#notation.read(message)]);
    await this.settle();
  }

  /** Waits for the next thing that is heard, as long as it takes. */
  next(): Promise<string> {
    return new Promise((resolve) => this.#onHeard = resolve);
  }

  /** Takes all that was heard, each with its time in milliseconds. */
  take(): string[] {
    return this.#heard.splice(0);
  }

  /** Lets everything happen that happens now. */
  settle(): Promise<void> {
    return this.network.settle();
  }

  /** Lets so many milliseconds pass. */
  async advance(milliseconds: number): Promise<void> {
    const time = this.#time;
    if (time === undefined) return await this.network.advance(milliseconds);
    await this.network.settle();
    for (let left = milliseconds; left > 0; left -= STEP_MS) {
      time.tick(Math.min(left, STEP_MS));
      await this.network.settle();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      const closed = this.#workers.map((worker) => worker.close({ now: true }));
      this.#router?.close();
      await this.advance(END_MS);
      await Promise.all(closed);
      if (this.network.connections.length > 0) throw new Error("connections are left");
    } finally {
      this.#time?.[Symbol.dispose]();
    }
  }

  async #listen(router: Router): Promise<void> {
    for await (const [identity, ...frames] of router) {
      this.#identity = new Uint8Array(identity);
      const copies = frames.map((frame) => new Uint8Array(frame));
      const line = `${this.now} ${this.#notation.write(copies)}`;
      this.#heard.push(line);
      this.#onHeard(line);
    }
  }
}
