/**
 * One side of the comparison: two processes of the same kind, one that serves and one that drives
 * it. Starts them, hands out work, adds up their CPU time.
 *
 * @module
 */
import { installZeromq } from "../../tests/interop/install.ts";
import { denoCommand, pathOf, Process } from "../kit/process.ts";
import type { Watched } from "../peers/quiet.ts";
import { Bystander } from "./bystander.ts";
import type { Result, Workload, Workplace } from "./work.ts";

/** The kinds of sides, in the order in which tables show them. */
export const SIDES = ["Rota", "Rota's engine", "zeromq.js"] as const;

/** A kind of side. */
export type SideName = typeof SIDES[number];

/** How processes are started. */
export interface Start {
  /** Each process on a core of its own. */
  readonly pinned: boolean;
}

/** What one measurement gave. */
export interface Measurement extends Result, Watched {
  /** CPU seconds of both processes together. */
  readonly cpu: number;
}

/** Two processes. */
export class Side implements AsyncDisposable {
  readonly #server: Process;
  readonly #driver: Process;
  readonly #place: Workplace;
  readonly #bystander = new Bystander();

  private constructor(server: Process, driver: Process, place: Workplace) {
    this.#server = server;
    this.#driver = driver;
    this.#place = place;
  }

  /** Starts both processes. */
  static async start(name: SideName, { pinned }: Start): Promise<Side> {
    const command = await commandOf(name);
    const server = new Process(pinned ? ["taskset", "-c", "0", ...command] : command);
    const driver = new Process(pinned ? ["taskset", "-c", "1", ...command] : command);
    const { value } = await server.ask("serve");
    return new Side(server, driver, value as Workplace);
  }

  /** Measures one workload for about that long. */
  async measure({ operation, size, window }: Workload, seconds: number): Promise<Measurement> {
    const endpoint = operation === "stream" ? this.#place.count : this.#place.echo;
    const before = await this.#look();
    const { value } = await this.#driver.ask(operation, { endpoint, size, window, seconds });
    const after = await this.#look();
    const cpu = after.cpu - before.cpu;
    const others = after.busy - before.busy - cpu;
    const otherCores = Math.max(0, others / (after.now - before.now) * 1000);
    return { ...value as Result, cpu, otherCores };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#server.end(), this.#driver.end()]);
  }

  async #look(): Promise<{ readonly cpu: number; readonly busy: number; readonly now: number }> {
    const [server, driver] = [await this.#server.ask("rest"), await this.#driver.ask("rest")];
    const busy = await this.#bystander.busySeconds();
    return { cpu: server.cpu + driver.cpu, busy, now: performance.now() };
  }
}

async function commandOf(name: SideName): Promise<string[]> {
  const at = (file: string) => new URL(file, import.meta.url);
  if (name === "zeromq.js") return ["node", pathOf(at("node_peer.mjs")), await installZeromq()];
  return denoCommand(at(name === "Rota" ? "rota_peer.ts" : "lane_peer.ts"));
}
