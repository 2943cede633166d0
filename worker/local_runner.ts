/**
 * Runs jobs in this thread: calls the handler, turns what it gives into frames, and feeds a stream
 * only as far as its client gave credit.
 *
 * @module
 */
import { payloadFrames } from "../protocol/dialogue/payload.ts";
import type { Payload } from "../protocol/dialogue/payload.ts";
import type { Io, TimerId } from "../protocol/io/io.ts";
import { type Handler, handlerOf, type Handlers } from "./handlers.ts";
import { Job } from "./job.ts";
import type { JobData, Run, RunEvents, Runner } from "./run.ts";

/** Octets of an error's message that are passed on. */
const MESSAGE_CHARS = 1000;
/** What a code may look like: the words of the protocol's own. */
const CODE_CHARS = 64;

/** Runs jobs here. */
export class LocalRunner implements Runner {
  readonly #io: Io;
  readonly #handlers: Handlers;
  readonly #fallback: Handler | undefined;

  constructor(io: Io, handlers: Handlers, fallback: Handler | undefined) {
    this.#io = io;
    this.#handlers = handlers;
    this.#fallback = fallback;
  }

  run(data: JobData, events: RunEvents): Run {
    return new LocalRun(this.#io, this.#handlers, this.#fallback, data, events);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

/** One job that runs here. */
class LocalRun implements Run {
  readonly #io: Io;
  readonly #events: RunEvents;
  readonly #abort = new AbortController();
  readonly #kind: string;
  #credit = 0;
  #wake: (() => void) | undefined;
  #timer: TimerId | undefined;

  constructor(
    io: Io,
    handlers: Handlers,
    fallback: Handler | undefined,
    data: JobData,
    events: RunEvents,
  ) {
    this.#io = io;
    this.#events = events;
    this.#kind = data.kind;
    const until = data.timeout < 0 ? Infinity : io.now() + data.timeout;
    if (data.timeout >= 0) {
      const over = () => this.cancel(new DOMException("The client's time is up", "TimeoutError"));
      this.#timer = io.setTimer(over, data.timeout);
    }
    const own = handlerOf(handlers, data.command);
    const handler = own ?? fallback;
    if (handler === undefined) {
      this.#fail("NO_COMMAND", `No handler takes ${JSON.stringify(data.command)}`);
      return;
    }
    const job = new Job(
      wholeIfOpaque(data, own !== undefined),
      this.#abort.signal,
      () => until - io.now(),
    );
    this.#start(handler, job);
  }

  cancel(reason: Error): void {
    this.#abort.abort(reason);
    this.#wake?.();
  }

  credit(count: number): void {
    this.#credit += count;
    this.#wake?.();
  }

  async #start(handler: Handler, job: Job): Promise<void> {
    try {
      const given = await handler(job);
      if (isStream(given)) await this.#stream(given);
      else this.#finish(() => this.#events.done(payloadFrames(given as Payload)));
    } catch (error) {
      this.#fail(codeOf(error, this.#abort.signal), messageOf(error));
    }
  }

  /** Chunks as they come, never more than the client gave credit for. */
  async #stream(source: AsyncIterable<Payload>): Promise<void> {
    if (this.#kind !== "STREAM") return this.#collect(source);
    for await (const chunk of source) {
      const frames = payloadFrames(chunk);
      while (this.#credit === 0 && !this.#abort.signal.aborted) {
        await new Promise<void>((resolve) => this.#wake = resolve);
      }
      this.#abort.signal.throwIfAborted();
      this.#credit--;
      this.#events.chunk(frames);
    }
    this.#finish(() => this.#events.ended());
  }

  /** A client that didn't ask for a stream gets all chunks as the frames of one answer. */
  async #collect(source: AsyncIterable<Payload>): Promise<void> {
    const frames: Uint8Array[] = [];
    for await (const chunk of source) {
      this.#abort.signal.throwIfAborted();
      frames.push(...payloadFrames(chunk));
    }
    this.#finish(() => this.#events.done(frames));
  }

  #fail(code: string, message: string): void {
    this.#finish(() => this.#events.failed(code, message.slice(0, MESSAGE_CHARS)));
  }

  #finish(tell: () => void): void {
    if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
    this.#timer = undefined;
    tell();
  }
}

/** The default handler of an opaque job gets its whole body, the first frame included. */
function wholeIfOpaque(data: JobData, named: boolean): JobData {
  if (data.kind !== "opaque" || named) return data;
  return { ...data, command: "", frames: data.whole ?? data.frames };
}

function isStream(value: unknown): value is AsyncIterable<Payload> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function codeOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted && error === signal.reason) return "CANCELLED";
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  const legal = typeof code === "string" && code.length > 0 && code.length <= CODE_CHARS &&
    isWordy(code);
  return legal ? code as string : "WORKER_FAILED";
}

/** Capital letters, digits and underscores: nothing that a terminal or a log could trip over. */
function isWordy(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (!(c >= 65 && c <= 90) && !(c >= 48 && c <= 57) && c !== 95) return false;
  }
  return true;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
