/**
 * One side of the comparison: two processes of the same kind, one that serves and one that drives
 * it. Starts them, hands out work, adds up their CPU time.
 *
 * @module
 */
import { installZeromq } from "../../tests/interop/install.ts";
import { denoCommand, pathOf, Process } from "../kit/process.ts";
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
export interface Measurement extends Result {
  /** CPU seconds of both processes together. */
  readonly cpu: number;
}

/** Two processes. */
export class Side implements AsyncDisposable {
  readonly #server: Process;
  readonly #driver: Process;
  readonly #place: Workplace;

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
    const before = await this.#cpu();
    const { value } = await this.#driver.ask(operation, { endpoint, size, window, seconds });
    const after = await this.#cpu();
    return { ...value as Result, cpu: after - before };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#server.end(), this.#driver.end()]);
  }

  async #cpu(): Promise<number> {
    const [server, driver] = [await this.#server.ask("rest"), await this.#driver.ask("rest")];
    return server.cpu + driver.cpu;
  }
}

async function commandOf(name: SideName): Promise<string[]> {
  const at = (file: string) => new URL(file, import.meta.url);
  if (name === "zeromq.js") return ["node", pathOf(at("node_peer.mjs")), await installZeromq()];
  return denoCommand(at(name === "Rota" ? "rota_peer.ts" : "lane_peer.ts"));
}
