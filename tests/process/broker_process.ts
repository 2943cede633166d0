/**
 * `deno task broker` as a child process, at free ports unless told otherwise.
 *
 * @module
 */
import { spawn, type StartOptions, TaskProcess } from "./task_process.ts";

/** A broker in a process of its own. */
export class BrokerProcess extends TaskProcess {
  frontend = "";
  backend = "";

  /** Starts a process with these arguments, whatever becomes of it. */
  static async spawn(args: readonly string[], options: StartOptions = {}): Promise<BrokerProcess> {
    return new BrokerProcess(...await spawn("broker", args, options));
  }

  /** Starts a broker and waits until it serves. */
  static async start(args: readonly string[], options: StartOptions = {}): Promise<BrokerProcess> {
    const free = ["--frontend", "tcp://127.0.0.1:*", "--backend", "tcp://127.0.0.1:*"];
    const broker = await BrokerProcess.spawn([...free, ...args], options);
    const line = await broker.stdout.next();
    const match = /^rota broker ready frontend=(\S+) backend=(\S+)$/.exec(line ?? "");
    if (match === null) {
      throw new Error(`not ready: ${line}\n${(await broker.stderr.rest()).join("\n")}`);
    }
    [, broker.frontend, broker.backend] = match as unknown as [string, string, string];
    return broker;
  }
}
