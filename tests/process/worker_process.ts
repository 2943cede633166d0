/**
 * `deno task worker` as a child process.
 *
 * @module
 */
import type { BrokerProcess } from "./broker_process.ts";
import { spawn, type StartOptions, TaskProcess } from "./task_process.ts";

/** A worker in a process of its own. */
export class WorkerProcess extends TaskProcess {
  address = "";

  /** Starts a process with these arguments, whatever becomes of it. */
  static async spawn(args: readonly string[], options: StartOptions = {}): Promise<WorkerProcess> {
    return new WorkerProcess(...await spawn("worker", args, options));
  }

  /** Starts a worker of that broker and waits until it is ready. */
  static async start(
    { backend }: BrokerProcess,
    args: readonly string[] = [],
    options: StartOptions = {},
  ): Promise<WorkerProcess> {
    const worker = await WorkerProcess.spawn(["--broker", backend, ...args], options);
    await worker.ready();
    return worker;
  }

  /** Waits until it says that it is ready. */
  async ready(): Promise<string> {
    const line = await this.stdout.next();
    const match = /^rota worker ready address=(\S+) broker=\S+ slots=\d+$/.exec(line ?? "");
    if (match === null) {
      throw new Error(`not ready: ${line}\n${(await this.stderr.rest()).join("\n")}`);
    }
    this.address = match[1]!;
    return line!;
  }
}
