/**
 * The naive model as a whole: clients, workers, operator and time. It does what the protocol's text
 * says and nothing cleverer; the broker must do the same.
 *
 * @module
 */
import { NaiveClients } from "./naive_clients.ts";
import { NaiveCore } from "./naive_core.ts";
import type { ModelSettings, NaiveClient, NaiveJob, NaiveWorker } from "./naive_records.ts";
import { NaiveWorkers } from "./naive_workers.ts";

const QUEUE_CHECK = 1000;
const SECOND_LOOK = 1000;
const LATE = 500;

/** The model. */
export class NaiveBroker {
  readonly core: NaiveCore;
  readonly clients: NaiveClients;
  readonly workers: NaiveWorkers;
  #queueAt = QUEUE_CHECK;
  #stillAt = -Infinity;

  constructor(settings: ModelSettings) {
    this.core = new NaiveCore(settings);
    this.clients = new NaiveClients(this.core);
    this.workers = new NaiveWorkers(this.core);
  }

  /** Whoever was held back is read on while there is room. After every event. */
  unblock(): void {
    const { core } = this;
    while (core.held.length > 0 && !core.isFull) {
      core.resume(core.held.shift()!, "backlog");
    }
  }

  /** Time passes. */
  advance(to: number): void {
    const { core } = this;
    for (;;) {
      const due = Math.min(core.dues.next, this.#queueAt);
      if (due > to) break;
      core.now = Math.max(core.now, due);
      if (this.#queueAt <= core.dues.next) this.#checkQueues();
      else this.#tick(core.now - this.#stillAt < LATE);
    }
    core.now = to;
  }

  /** The process stands still, and then finds out. */
  standStill(ms: number): void {
    const { core } = this;
    core.now += ms;
    if (core.now - Math.min(core.dues.next, this.#queueAt) > LATE) this.#stillAt = core.now;
    while (core.dues.next <= core.now) this.#tick(this.#stillAt === core.now);
    if (this.#queueAt <= core.now) this.#checkQueues();
  }

  retry(id: number): void {
    const letter = this.core.letters.find((one) => one.id === id);
    if (letter !== undefined) this.core.retry(letter);
  }

  drop(id: number): void {
    const { letters } = this.core;
    const index = letters.findIndex((one) => one.id === id);
    if (index >= 0) this.core.release(letters.splice(index, 1)[0]!.job);
  }

  #tick(late: boolean): void {
    const { dues, now } = this.core;
    for (let due = dues.pop(now); due !== undefined; due = dues.pop(now)) {
      this.#due(due.what, due.key, late);
    }
    this.unblock();
  }

  #due(what: string, key: unknown, late: boolean): void {
    const { core, workers } = this;
    if (what === "worker") return workers.look(key as NaiveWorker, late);
    if (what === "job") return core.fail(key as NaiveJob, "EXPIRED");
    const worker = what === "run" ? (key as NaiveJob).worker : key as NaiveWorker;
    const unread = what !== "grace" && worker!.connection.unread;
    if (late || unread) return core.dues.set(what, key, core.now + SECOND_LOOK);
    if (what === "grace") this.clients.forget(key as NaiveClient);
    else if (what === "run") workers.overrun(key as NaiveJob);
    else workers.forgetJobs(key as NaiveWorker);
  }

  #checkQueues(): void {
    const { core } = this;
    this.#queueAt = core.now + QUEUE_CHECK;
    for (const service of core.tables.keys()) core.offer(service);
    const before = core.now - core.settings.finishedTime;
    while (core.finished.length > 0 && core.finished[0]!.at < before) core.finished.shift();
    this.unblock();
  }
}
