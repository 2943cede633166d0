/**
 * Runs jobs in threads, so that a handler which computes keeps no heartbeat and no other job waiting.
 * Jobs wait here until a thread is free to begin one; a thread that ends fails its jobs and is replaced.
 *
 * @module
 */
import type { Io, TimerId } from "../protocol/io/io.ts";
import { PooledThread, type ThreadJob } from "./pooled_thread.ts";
import type { JobData, Run, RunEvents, Runner } from "./run.ts";

/** A job that a free thread hasn't begun after this is offered to another one. */
const PATIENCE_MS = 50;
/** Ids of jobs fit in 32 bits with a sign; 0 is none. */
const MOST_ID = 0x7fff_ffff;

/** What a pool is made of. */
export interface ThreadPoolOptions {
  readonly io: Io;
  /** The URL of the module that exports the handlers. */
  readonly module: string;
  readonly threads: number;
  /** Told what went wrong outside of any job. */
  readonly onFault: (event: string, message: string) => void;
}

/** A pool of threads. */
export class ThreadPool implements Runner {
  readonly ready: Promise<void>;
  readonly #options: ThreadPoolOptions;
  /** Undefined where a thread could not load its module. */
  readonly #threads: (PooledThread | undefined)[] = [];
  /** Jobs that no thread has begun, the oldest first. */
  readonly #waiting: ThreadJob[] = [];
  #lastId = 0;
  #timer: TimerId | undefined;
  #closed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    const loading: Promise<void>[] = [];
    for (let place = 0; place < options.threads; place++) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      loading.push(promise);
      this.#open(place, (error) => error === undefined ? resolve() : reject(error));
    }
    this.ready = Promise.all(loading).then(() => {});
    // Whoever doesn't wait for it must not die of it.
    this.ready.catch(() => {});
  }

  run(data: JobData, events: RunEvents): Run {
    const id = this.#lastId = this.#lastId % MOST_ID + 1;
    const arrived = this.#options.io.now();
    const job: ThreadJob = { id, data, events, arrived, credit: 0, thread: undefined };
    this.#waiting.push(job);
    this.#threads.forEach((thread, place) => {
      if (thread === undefined) this.#open(place, (error) => this.#reopened(error));
    });
    queueMicrotask(() => this.#handOut());
    return {
      cancel: (reason) => this.#cancel(job, reason),
      credit: (count) => {
        job.credit += count;
        job.thread?.say({ type: "credit", id, count });
      },
    };
  }

  /** Ends all threads, whatever they do. What becomes of their jobs isn't told. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#waiting.length = 0;
    if (this.#timer !== undefined) this.#options.io.clearTimer(this.#timer);
    for (const thread of this.#threads.splice(0)) thread?.terminate();
    return Promise.resolve();
  }

  #open(place: number, onLoaded: (error: Error | undefined) => void): void {
    let loaded = false;
    const thread = new PooledThread(this.#options.module, {
      loaded: (error) => {
        loaded = error === undefined;
        if (error !== undefined) this.#broken(place, thread);
        onLoaded(error);
      },
      free: () => this.#handOut(),
      fault: (message) => this.#options.onFault("fault in a thread", message),
      gone: (message) => {
        if (loaded) return this.#replace(place, thread, message);
        this.#broken(place, thread);
        onLoaded(new Error(message));
      },
    });
    this.#threads[place] = thread;
  }

  /** A thread ended: its jobs fail, and another one takes its place. */
  #replace(place: number, thread: PooledThread, message: string): void {
    const { onFault } = this.#options;
    const spared = thread.takeBack();
    if (spared !== undefined) this.#waiting.unshift(spared);
    if (!this.#closed) this.#open(place, (error) => this.#reopened(error));
    onFault("a thread ended and is replaced", message);
    for (const { events } of thread.jobs.values()) {
      events.failed("WORKER_FAILED", `The handler's thread ended: ${message}`);
    }
    thread.jobs.clear();
  }

  /** A thread has no handlers: it is of no use. */
  #broken(place: number, thread: PooledThread): void {
    thread.terminate();
    this.#threads[place] = undefined;
  }

  #reopened(error: Error | undefined): void {
    if (error === undefined) return;
    this.#options.onFault("a thread could not load its handlers", error.message);
    if (this.#threads.some((thread) => thread !== undefined)) return;
    for (const { events } of this.#waiting.splice(0)) {
      events.failed("WORKER_FAILED", `No thread could load its handlers: ${error.message}`);
    }
  }

  #cancel(job: ThreadJob, reason: DOMException): void {
    const { id, thread, events } = job;
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    const spared = at >= 0 || (thread?.offered === id && thread.takeBack() !== undefined);
    if (spared) return events.failed("CANCELLED", reason.message);
    thread?.say({ type: "cancel", id, name: reason.name, reason: reason.message });
  }

  /** Gives jobs that wait to threads that are free. */
  #handOut(): void {
    if (this.#closed) return;
    const now = this.#options.io.now();
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread();
      if (thread === undefined) break;
      const job = this.#waiting.shift()!;
      const { timeout } = job.data;
      const left = timeout - (now - job.arrived);
      if (timeout >= 0 && left <= 0 && now > job.arrived) {
        job.events.failed("EXPIRED", "The job didn't start in time");
      } else thread.give(job, timeout < 0 ? job.data : { ...job.data, timeout: left }, now);
    }
    this.#arm();
  }

  /** The free thread with the fewest jobs. */
  #freeThread(): PooledThread | undefined {
    let best: PooledThread | undefined;
    for (const thread of this.#threads) {
      if (!thread?.free) continue;
      if (best === undefined || thread.jobs.size < best.jobs.size) best = thread;
    }
    return best;
  }

  /** Looks after a while whether the jobs that were handed out are begun. */
  #arm(): void {
    if (this.#timer !== undefined || this.#closed) return;
    if (!this.#threads.some((thread) => thread !== undefined && thread.offered !== 0)) return;
    this.#timer = this.#options.io.setTimer(() => {
      this.#timer = undefined;
      this.#takeBack();
      this.#handOut();
    }, PATIENCE_MS);
  }

  /** A handler began to compute just when its thread was given a job: another thread may have it. */
  #takeBack(): void {
    const now = this.#options.io.now();
    for (const thread of this.#threads) {
      if (thread === undefined || now - thread.offeredAt < PATIENCE_MS) continue;
      const job = thread.takeBack();
      if (job !== undefined) this.#waiting.unshift(job);
    }
  }
}
