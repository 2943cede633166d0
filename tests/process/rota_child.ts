/**
 * A Rota worker in a process of its own: see rota_worker.ts.
 *
 * @module
 */
import { TextLineStream } from "../interop/text_lines.ts";

/** No process lives longer: a fault is a failure and never a hang. */
const PATIENCE_MS = 120_000;

/** The worker. */
export class RotaChild implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;
  readonly #patience: number;

  private constructor(args: readonly string[]) {
    const program = decodeURIComponent(new URL("rota_worker.ts", import.meta.url).pathname);
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-prompt", "--allow-net", "--allow-read", "--allow-run", program]
        .concat(args),
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#lines = this.#child.stdout.pipeThrough(new TextLineStream()).getReader();
    this.#patience = Number(setTimeout(() => this.signal("SIGKILL"), PATIENCE_MS));
  }

  /** Starts it; it is registered when this resolves. */
  static async start(broker: string, threads: number, address: string): Promise<RotaChild> {
    const child = new RotaChild([broker, String(threads), address]);
    await child.registered();
    return child;
  }

  /** Waits until it has registered once more. */
  async registered(): Promise<void> {
    const { done } = await this.#lines.read();
    if (done) throw new Error("the worker's process has ended");
  }

  /** Sends it a signal. */
  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Ends it at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#patience);
    try {
      this.signal("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await this.#child.status;
    await this.#child.stdin.close().catch(() => {});
    await this.#lines.cancel();
  }
}
