/**
 * The face of a worker.
 *
 * @module
 */
import type { WorkerOptions } from "./options.ts";
import { WorkerShell } from "./shell.ts";
import type { WorkerStatus } from "./status.ts";

/**
 * A worker: registers with a broker and runs its jobs with handlers. It comes back by itself when
 * the broker was away.
 *
 * Where `Worker` is imported it shadows the web's class of that name; rename it if you need both.
 *
 * @example
 * ```ts
 * import { Broker } from "../broker/mod.ts";
 * import { Worker as JobWorker } from "./mod.ts";
 *
 * await using broker = await Broker.start({
 *   frontend: "tcp://127.0.0.1:*",
 *   backend: "tcp://127.0.0.1:*",
 * });
 * await using worker = await JobWorker.start({
 *   broker: broker.backend,
 *   handlers: { hello: (job) => `hello ${job.text()}` },
 * });
 * if (!worker.status.registered) throw new Error("not registered");
 * ```
 */
export class Worker implements AsyncDisposable {
  readonly #shell: WorkerShell;

  private constructor(shell: WorkerShell) {
    this.#shell = shell;
  }

  /**
   * Starts a worker. Resolves once it is registered, or at once with `manual`; a broker that isn't
   * there yet is waited for until `signal` fires.
   */
  static async start(options: WorkerOptions = {}): Promise<Worker> {
    options.signal?.throwIfAborted();
    const shell = new WorkerShell(options);
    await shell.start(options.signal);
    return new Worker(shell);
  }

  /** What it is doing. */
  get status(): WorkerStatus {
    return this.#shell.status;
  }

  /** Resolves when the worker has left, by `close()` or because the broker said EXIT. */
  get closed(): Promise<void> {
    return this.#shell.closed;
  }

  /**
   * Asks to be in the broker's table. Resolves once it is; rejects if the broker won't have it, or if
   * it is told to leave before.
   */
  register(): Promise<void> {
    return this.#shell.register();
  }

  /** Wants no more jobs; those that run may finish. Resolves when no more will come. */
  deregister(): Promise<void> {
    return this.#shell.deregister();
  }

  /**
   * Leaves: no more jobs; those that run may finish for at most `drainSeconds`, then their signals
   * fire and the broker gives them to others. With `{ now: true }` nothing is waited for. May be
   * called again.
   */
  close(options: { now?: boolean } = {}): Promise<void> {
    return this.#shell.close(options.now ?? false);
  }

  /** The same as `close()`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
