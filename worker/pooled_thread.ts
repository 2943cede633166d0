/**
 * One thread as its pool sees it: which jobs it has, whether it can take one more, and which job it
 * was offered and has not begun.
 *
 * @module
 */
import type { JobData, RunEvents } from "./run.ts";
import { claim, type FromThread, type Offer, type ToThread } from "./thread_messages.ts";

/** A job that runs in a thread, or is to. */
export interface ThreadJob {
  readonly id: number;
  readonly data: JobData;
  readonly events: RunEvents;
  readonly arrived: number;
  /** All credit that it was given. */
  credit: number;
  /** Undefined while it waits for one. */
  thread: PooledThread | undefined;
}

/** Who is told what becomes of a thread. */
export interface ThreadEvents {
  /** Its module is loaded, or isn't. */
  loaded(error: Error | undefined): void;
  /** It can take one more job. */
  free(): void;
  /** Something went wrong outside of any job. */
  fault(message: string): void;
  /** It is gone, with all of its jobs. */
  gone(message: string): void;
}

/** One thread. */
export class PooledThread {
  /** Whether its loop turns, so that a job would be begun at once. */
  free = false;
  /** Jobs that it was given, by id. */
  readonly jobs: Map<number, ThreadJob> = new Map();
  /** When it was offered a job last. */
  offeredAt = -Infinity;
  readonly #worker: globalThis.Worker;
  readonly #offer: Offer = new Int32Array(new SharedArrayBuffer(4));
  readonly #events: ThreadEvents;
  #ended = false;

  constructor(module: string, events: ThreadEvents) {
    this.#events = events;
    const worker = this.#worker = new globalThis.Worker(new URL("./thread.ts", import.meta.url), {
      type: "module",
      name: "rota worker thread",
    });
    worker.onmessage = (event: MessageEvent<FromThread>) => this.#hear(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(event.message);
    };
    this.say({ type: "load", module, offer: this.#offer });
  }

  /** The id of the job that it was offered and has not begun; 0 if there is none. */
  get offered(): number {
    return Atomics.load(this.#offer, 0);
  }

  /** Says something to it. */
  say(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Offers it a job. It must be free, and isn't any more until it says so. */
  give(job: ThreadJob, data: JobData, now: number): void {
    const { id, credit } = job;
    this.free = false;
    this.offeredAt = now;
    job.thread = this;
    this.jobs.set(id, job);
    Atomics.store(this.#offer, 0, id);
    this.say({ type: "job", id, data });
    if (credit > 0) this.say({ type: "credit", id, count: credit });
  }

  /** Takes the offered job back, if it has not been begun. */
  takeBack(): ThreadJob | undefined {
    const id = this.offered;
    if (id === 0 || !claim(this.#offer, id)) return undefined;
    const job = this.jobs.get(id)!;
    this.jobs.delete(id);
    job.thread = undefined;
    return job;
  }

  /** Ends it, whatever it does. */
  terminate(): void {
    this.#ended = true;
    this.#worker.terminate();
  }

  #hear(message: FromThread): void {
    if (this.#ended) return;
    switch (message.type) {
      case "loaded":
        return this.#events.loaded(undefined);
      case "broken":
        return this.#events.loaded(new Error(message.message));
      case "free":
        this.free = true;
        return this.#events.free();
      case "fault":
        return this.#events.fault(message.message);
      case "ends":
        return this.#end(message.message);
      case "chunk":
        return this.jobs.get(message.id)?.events.chunk(message.frames);
    }
    const job = this.jobs.get(message.id);
    this.jobs.delete(message.id);
    if (message.type === "done") job?.events.done(message.frames);
    else if (message.type === "ended") job?.events.ended();
    else job?.events.failed(message.code, message.message);
  }

  #end(message: string): void {
    if (this.#ended) return;
    this.terminate();
    this.#events.gone(message);
  }
}
