/**
 * Runs jobs in threads, so that a handler which computes keeps no heartbeat waiting. A job goes to
 * the thread with the fewest; a thread that breaks fails its jobs and is replaced.
 *
 * @module
 */
import type { JobData, Run, RunEvents, Runner } from "./run.ts";
import type { FromThread, ToThread } from "./thread_messages.ts";

interface Thread {
  readonly worker: globalThis.Worker;
  readonly jobs: Map<number, RunEvents>;
  /** Messages that wait until the module is loaded. */
  waiting: ToThread[] | undefined;
}

/** A pool of threads. */
export class ThreadPool implements Runner {
  readonly #module: string;
  readonly #threads: Thread[] = [];
  #lastId = 0;
  #closed = false;

  constructor(module: string, count: number) {
    this.#module = module;
    for (let i = 0; i < count; i++) this.#threads.push(this.#open());
  }

  run(data: JobData, events: RunEvents): Run {
    const id = ++this.#lastId;
    let thread = this.#threads[0]!;
    for (const other of this.#threads) if (other.jobs.size < thread.jobs.size) thread = other;
    thread.jobs.set(id, events);
    say(thread, { type: "job", id, data });
    return {
      cancel: (reason) => say(thread, { type: "cancel", id, reason: reason.message }),
      credit: (count) => say(thread, { type: "credit", id, count }),
    };
  }

  /** Ends all threads, whatever they do. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { worker } of this.#threads.splice(0)) worker.terminate();
    return Promise.resolve();
  }

  #open(): Thread {
    const worker = new globalThis.Worker(new URL("./thread.ts", import.meta.url), {
      type: "module",
      name: "rota worker thread",
    });
    const thread: Thread = { worker, jobs: new Map(), waiting: [] };
    worker.onmessage = (event: MessageEvent<FromThread>) => this.#hear(thread, event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#replace(thread, event.message);
    };
    worker.postMessage({ type: "load", module: this.#module } satisfies ToThread);
    return thread;
  }

  #hear(thread: Thread, message: FromThread): void {
    if (message.type === "loaded") {
      const waiting = thread.waiting ?? [];
      thread.waiting = undefined;
      for (const late of waiting) thread.worker.postMessage(late);
      return;
    }
    if (message.type === "broken") return this.#fail(thread, message.message);
    const events = thread.jobs.get(message.id);
    if (events === undefined) return;
    if (message.type === "chunk") return events.chunk(message.frames);
    thread.jobs.delete(message.id);
    if (message.type === "done") events.done(message.frames);
    else if (message.type === "ended") events.ended();
    else events.failed(message.code, message.message);
  }

  /** A thread that broke is of no use any more; another one takes its place. */
  #replace(thread: Thread, message: string): void {
    const at = this.#threads.indexOf(thread);
    thread.worker.terminate();
    if (at >= 0 && !this.#closed) this.#threads[at] = this.#open();
    this.#fail(thread, message);
  }

  #fail(thread: Thread, message: string): void {
    const jobs = [...thread.jobs.values()];
    thread.jobs.clear();
    if (thread.waiting !== undefined) thread.waiting = [];
    for (const events of jobs) events.failed("WORKER_FAILED", `A thread broke: ${message}`);
  }
}

function say(thread: Thread, message: ToThread): void {
  if (thread.waiting !== undefined) thread.waiting.push(message);
  else thread.worker.postMessage(message);
}
