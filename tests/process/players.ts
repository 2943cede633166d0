/**
 * Plain libzmq peers of a broker, each in a Node process: see players.mjs.
 *
 * @module
 */
import { installZeromq } from "../interop/install.ts";
import { Peer } from "../interop/peer.ts";

/** No process lives longer: a fault is a failure and never a hang. */
const PATIENCE_MS = 120_000;

/** A test that needs libzmq; it says so where that is left out by request. */
export function testWithLibzmq(title: string, body: (t: Deno.TestContext) => Promise<void>): void {
  if (Deno.env.get("ROTA_NO_INTEROP") !== "1") return Deno.test(title, body);
  Deno.test(`${title}: left out by request (ROTA_NO_INTEROP=1)`, () => {});
}

/** How a worker speaks. */
export type WorkerKind = "ready" | "register" | "req" | "req-correlate" | "rep";
/** How a client speaks; `bare` is a DEALER that adds no delimiter. */
export type ClientKind = "req" | "req-correlate" | "dealer" | "bare";

/** What a worker may be told. */
export interface WorkerWish {
  readonly address?: string;
  readonly slots?: number;
  readonly options?: readonly string[];
  /** Milliseconds between heartbeats. */
  readonly ping?: number;
}

/** What a worker has done. */
export interface Work {
  readonly served: number;
  readonly wrong: readonly string[];
}

/** A process with any number of peers. */
export class Players implements AsyncDisposable {
  readonly #peer: Peer;
  readonly #patience: number;

  private constructor(peer: Peer) {
    this.#peer = peer;
    this.#patience = Number(setTimeout(() => peer.signal("SIGKILL"), PATIENCE_MS));
  }

  /** Starts the process. */
  static async start(): Promise<Players> {
    const program = decodeURIComponent(new URL("players.mjs", import.meta.url).pathname);
    return new Players(await Peer.start("node", [program, await installZeromq()]));
  }

  /** A worker joins. */
  worker(name: string, kind: WorkerKind, endpoint: string, wish: WorkerWish = {}): Promise<null> {
    return this.#do("worker", name, { kind, endpoint, ...wish });
  }

  /** A client asks `count` times. */
  client(name: string, kind: ClientKind, endpoint: string, count: number): Promise<null> {
    return this.#do("client", name, { kind, endpoint, count });
  }

  /** A proxy in front of an endpoint; gives where it is. */
  proxy(name: string, endpoint: string): Promise<string> {
    return this.#do("proxy", name, { endpoint });
  }

  /** Waits until a client has had so many answers. */
  answered(name: string, count: number): Promise<null> {
    return this.#do("answered", name, { count });
  }

  /** What is missing of a client's answers, wrong, or came twice. */
  faults(name: string): Promise<string[]> {
    return this.#do("faults", name);
  }

  /** A worker keeps its next jobs, or lets go of them. */
  keep(name: string, on: boolean): Promise<null> {
    return this.#do("keep", name, { on });
  }

  /** Waits until a worker has a job in its hands. */
  holding(name: string): Promise<null> {
    return this.#do("holding", name);
  }

  /** Waits until a worker has sent so many more heartbeats. */
  pings(name: string, count: number): Promise<null> {
    return this.#do("pings", name, { count });
  }

  /** What a worker has done. */
  work(name: string): Promise<Work> {
    return this.#do("work", name);
  }

  /** A peer leaves. */
  close(name: string): Promise<null> {
    return this.#do("close", name);
  }

  /** Sends the process a signal. */
  signal(signal: Deno.Signal): void {
    this.#peer.signal(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#patience);
    await this.#peer[Symbol.asyncDispose]();
  }

  #do<T>(op: string, name: string, details: Record<string, unknown> = {}): Promise<T> {
    return this.#peer.request<T>({ op, name, ...details });
  }
}
