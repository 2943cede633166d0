/**
 * The face of a client: calls, sends and streams.
 *
 * @module
 */
import type { Payload } from "../protocol/dialogue/payload.ts";
import type { CallArgs, CommandMap, CommandName, NamedArgs, OutputOf } from "./commands.ts";
import { errorOf } from "./errors.ts";
import {
  type CallOptions,
  checkTime,
  checkWindow,
  type ClientOptions,
  type SendOptions,
  type StreamOptions,
} from "./options.ts";
import { type Result, resultOf } from "./result.ts";
import { type Asked, ClientShell, type Made } from "./shell.ts";
import { ResultStream } from "./stream.ts";

/**
 * A client of one broker or several. Many calls may be under way at once; what a lost broker hadn't
 * answered is asked again, with the same request id. So where a broker is lost a job may run twice.
 *
 * `new Client<typeof handlers>()` checks names, payloads and results against the worker's handlers;
 * so does `client.call<typeof handlers>("name", …)` for one call, whose result then may be that of any
 * of the commands unless its name is given too: `client.call<typeof handlers, "name">("name", …)`.
 *
 * Payloads: octets and text travel as they are, an array of octets is several frames, anything else
 * is JSON. Octets are not copied: leave them alone until the call has ended.
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
export class Client<C extends object = CommandMap> implements AsyncDisposable {
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

  /** Jobs that the broker refused after their `send()` had resolved; `onRefused` is told of each. */
  get refused(): number {
    return this.#shell.refusals;
  }

  /**
   * Resolves when a broker is there; rejects with a `ConnectionLostError` if none is within `timeout`
   * ms, or with the signal's reason. Nobody needs to wait for this: calls wait by themselves.
   */
  async ready(options: { timeout?: number; signal?: AbortSignal } = {}): Promise<void> {
    const timeout = checkTime("timeout", options.timeout, Infinity);
    await this.#shell.ready(timeout, options.signal);
  }

  /** Has a command run and resolves with its result; rejects with a `CallError`. */
  call<K extends CommandName<C>>(
    command: K,
    ...rest: CallArgs<C[K], CallOptions>
  ): Promise<Result<OutputOf<C[K]>>>;
  /** The same, checked against the commands that are given with the call. */
  call<M extends object, K extends CommandName<M> = CommandName<M>>(
    ...args: NamedArgs<M, K, CallOptions>
  ): Promise<Result<OutputOf<M[K]>>>;
  call(command: string, payload?: Payload, options: CallOptions = {}): Promise<Result> {
    return this.#await({ kind: "TRACKEXEC", command, payload, accept: false }, options);
  }

  /**
   * Has a command run and waits for no result. Resolves once it is on its way: what is lost with the
   * connection then is lost, and what the broker refuses is told to `onRefused` alone. With
   * `accepted` it resolves once the broker has the job, and rejects with a `CallError` if not. While
   * much waits to go out, it waits for room.
   */
  send<K extends CommandName<C>>(
    command: K,
    ...rest: CallArgs<C[K], SendOptions>
  ): Promise<void>;
  /** The same, checked against the commands that are given with the call. */
  send<M extends object, K extends CommandName<M> = CommandName<M>>(
    ...args: NamedArgs<M, K, SendOptions>
  ): Promise<void>;
  async send(command: string, payload?: Payload, options: SendOptions = {}): Promise<void> {
    await this.#await(
      { kind: "EXEC", command, payload, accept: options.accepted ?? false },
      options,
    );
  }

  /**
   * Has a command run whose result comes in chunks, as fast as they are read. Throws for bad
   * arguments; whatever else goes wrong is told by the stream.
   */
  stream<K extends CommandName<C>>(
    command: K,
    ...rest: CallArgs<C[K], StreamOptions>
  ): ResultStream<OutputOf<C[K]>>;
  /** The same, checked against the commands that are given with the call. */
  stream<M extends object, K extends CommandName<M> = CommandName<M>>(
    ...args: NamedArgs<M, K, StreamOptions>
  ): ResultStream<OutputOf<M[K]>>;
  stream(command: string, payload?: Payload, options: StreamOptions = {}): ResultStream {
    const shell = this.#shell;
    const window = checkWindow(options);
    const asked: Asked = { kind: "STREAM", command, payload, accept: false };
    const request = shell.request(asked, options);
    const stream = new ResultStream({
      more: (count) => made?.give(count),
      cancel: () => made?.cancel(),
    }, window);
    const events = {
      chunk: (...chunk: Parameters<typeof resultOf>) => stream.push(resultOf(...chunk)),
      done: (...answer: Parameters<typeof resultOf>) => {
        if (answer[0] !== undefined) stream.push(resultOf(...answer));
        stream.finish();
      },
      failed: (code: string, sentence: string) =>
        stream.finish({ reason: errorOf(code, sentence) }),
    };
    const aborted = (reason: unknown) => stream.finish({ reason });
    const made: Made | undefined = shell.make(request, events, window, options.signal, aborted);
    return stream;
  }

  /** Closes; calls that wait are rejected, and their jobs cancelled. */
  close(): Promise<void> {
    return this.#shell.close();
  }

  /** The same as `close()`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #await(asked: Asked, options: CallOptions): Promise<Result> {
    return new Promise((resolve, reject) => {
      const request = this.#shell.request(asked, options);
      const events = {
        chunk: () => {},
        done: (...answer: Parameters<typeof resultOf>) => resolve(resultOf(...answer)),
        failed: (code: string, sentence: string) => reject(errorOf(code, sentence)),
      };
      this.#shell.make(request, events, 0, options.signal, reject);
    });
  }
}
