/**
 * The handle of a child process that plays sockets by command (peer.mjs or peer.py).
 *
 * One JSON line out for a command, one JSON line back with the same id. It knows no sockets and no cells.
 *
 * @module
 */

import { TextLineStream } from "./text_lines.ts";
import type { Command, Value } from "./actor.mjs";

/** An error that the child reported, with the code that its socket gave. */
export class PeerError extends Error {
  override name = "PeerError";
  /** As in ZeroMQ: EAGAIN, EHOSTUNREACH and so on; null when there was none. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

interface Answer {
  readonly id: number;
  readonly value?: Value;
  readonly error?: { readonly message: string; readonly code: string | null };
}

/** A running child process. Dispose it: it is ended by its own pid and awaited. */
export class Peer implements AsyncDisposable {
  #child: Deno.ChildProcess;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  #pending = new Map<number, PromiseWithResolvers<Value>>();
  #reading: Promise<void>;
  #lastId = 0;

  private constructor(command: string, args: string[]) {
    this.#child = new Deno.Command(command, {
      args,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** Starts a child and waits until it says that it is ready. */
  static async start(command: string, args: string[]): Promise<Peer> {
    const peer = new Peer(command, args);
    const ready = Promise.withResolvers<Value>();
    peer.#pending.set(0, ready);
    await ready.promise;
    return peer;
  }

  /** Has the child do one command; rejects with its error. */
  async request<T = Value>(command: Command): Promise<T> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Value>();
    this.#pending.set(id, answer);
    const line = new TextEncoder().encode(`${JSON.stringify({ id, ...command })}\n`);
    await this.#writer.write(line).catch((error) => answer.reject(error));
    return await answer.promise as T;
  }

  /** Sends the child a signal. */
  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  async #read(): Promise<void> {
    for await (const line of this.#child.stdout.pipeThrough(new TextLineStream())) {
      const { id, value, error } = JSON.parse(line) as Answer;
      const waiting = this.#pending.get(id);
      this.#pending.delete(id);
      if (error) waiting?.reject(new PeerError(error.message, error.code));
      else waiting?.resolve(value ?? null);
    }
    for (const { reject } of this.#pending.values()) {
      reject(new PeerError("The peer process ended", null));
    }
    this.#pending.clear();
  }

  /** Ends the child at once, without a goodbye to its own peers. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It had ended by itself.
    }
    await this.#child.status;
    await this.#writer.close().catch(() => {});
    await this.#reading;
  }
}
