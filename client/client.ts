/**
 * The face of a client: calls, sends and streams.
 *
 * @module
 */
import type { Payload } from "../protocol/dialogue/payload.ts";
import type { CommandMap, InputOf, OutputOf } from "./commands.ts";
import { CancelledError, errorOf } from "./errors.ts";
import type { CallOptions, ClientOptions, SendOptions, StreamOptions } from "./options.ts";
import { type Result, resultOf } from "./result.ts";
import { type Asked, ClientShell, onAbort } from "./shell.ts";
import { ResultStream } from "./stream.ts";

const WINDOW = 16;

/**
 * A client of one broker or several. Many calls may be under way at once; what a lost broker hadn't
 * answered is asked again, with the same request id.
 *
 * @example
 * ```ts
 * import { Broker } from "../broker/mod.ts";
 * import { Worker as JobWorker } from "../worker/mod.ts";
 * import { Client } from "./mod.ts";
 *
 * await using broker = await Broker.start({
 *   frontend: "tcp://127.0.0.1:*",
 *   backend: "tcp://127.0.0.1:*",
 * });
 * await using worker = await JobWorker.start({
 *   broker: broker.backend,
 *   handlers: { hello: (job) => `hello ${job.text()}` },
 * });
 * await using client = new Client({ broker: broker.frontend });
 * const result = await client.call("hello", "you");
 * if (result.text() !== "hello you") throw new Error(result.text());
 * if (worker.status.completed !== 1) throw new Error("who was that?");
 * ```
 */
export class Client<C extends CommandMap = CommandMap> implements AsyncDisposable {
  readonly #shell: ClientShell;

  /** Makes a client and connects it in the background. */
  constructor(options: ClientOptions = {}) {
    this.#shell = new ClientShell(options);
  }

  /** Whether a broker is there. */
  get connected(): boolean {
    return this.#shell.connected;
  }

  /** Calls that wait for their answers. */
  get pending(): number {
    return this.#shell.pending;
  }

  /** Resolves when a broker is there; rejects if none is within `timeout` ms. */
  ready(options: { timeout?: number } = {}): Promise<void> {
    return this.#shell.ready(options.timeout ?? Infinity);
  }

  /** Has a command run and resolves with its result; rejects with a `CallError`. */
  call<K extends keyof C & string>(
    command: K,
    payload?: InputOf<C[K]>,
    options: CallOptions = {},
  ): Promise<Result<OutputOf<C[K]>>> {
    const asked = this.#asked("TRACKEXEC", command, payload as Payload, false);
    return this.#await<OutputOf<C[K]>>(asked, options);
  }

  /**
   * Has a command run and waits for no result. Resolves once it is sent, or with `accepted` once the
   * broker has it.
   */
  async send<K extends keyof C & string>(
    command: K,
    payload?: InputOf<C[K]>,
    options: SendOptions = {},
  ): Promise<void> {
    const accept = options.accepted ?? false;
    await this.#await(this.#asked("EXEC", command, payload as Payload, accept), options);
  }

  /** Has a command run whose result comes in chunks. */
  stream<K extends keyof C & string>(
    command: K,
    payload?: InputOf<C[K]>,
    options: StreamOptions = {},
  ): ResultStream<OutputOf<C[K]>> {
    const window = options.window ?? WINDOW;
    if (!Number.isInteger(window) || window < 1) {
      throw new RangeError("Cannot stream: window is a whole number from 1 on");
    }
    const shell = this.#shell;
    const asked = { ...this.#asked("STREAM", command, payload as Payload, false), credit: window };
    const stream: ResultStream<OutputOf<C[K]>> = new ResultStream({
      more: (count) => shell.give(call, count),
      cancel: () => {
        quiet();
        shell.cancel(call);
      },
    }, window);
    const call = shell.make(asked, options, {
      chunk: (message, first) => stream.push(resultOf(message, first)),
      done: (message, first) => {
        quiet();
        if (message !== undefined) stream.push(resultOf(message, first));
        stream.finish();
      },
      failed: (code, sentence) => {
        quiet();
        stream.finish(errorOf(code, sentence));
      },
    });
    const quiet = onAbort(options.signal, () => {
      shell.cancel(call);
      stream.finish(new CancelledError("The call was cancelled"));
    });
    return stream;
  }

  /** Closes; calls that wait are rejected. */
  close(): Promise<void> {
    return this.#shell.close();
  }

  /** The same as `close()`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #asked(kind: Asked["kind"], command: string, payload: Payload, accept: boolean): Asked {
    return { kind, command, payload, accept, credit: 0 };
  }

  #await<T>(asked: Asked, options: CallOptions): Promise<Result<T>> {
    return new Promise((resolve, reject) => {
      let quiet = () => {};
      const call = this.#shell.make(asked, options, {
        chunk: () => {},
        done: (message, first) => {
          quiet();
          resolve(resultOf<T>(message, first));
        },
        failed: (code, sentence) => {
          quiet();
          reject(errorOf(code, sentence));
        },
      });
      quiet = onAbort(options.signal, (reason) => {
        this.#shell.cancel(call);
        reject(reason);
      });
    });
  }
}
