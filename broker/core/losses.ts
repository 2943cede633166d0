/**
 * Workers that are lost: by silence, with their connection, or by taking too long. Their jobs go back
 * to where they came from, and whoever is free takes them.
 *
 * @module
 */
import type { Dispatcher } from "./dispatcher.ts";
import { ABANDONED, EXEC_JOB, NO_ROW } from "./jobs.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Service } from "./services.ts";
import type { State } from "./state.ts";
import type { Worker } from "./worker.ts";

/** What follows from silence. */
export class Losses {
  readonly #state: State;
  readonly #outcomes: Outcomes;
  readonly #dispatcher: Dispatcher;
  /** Services whose jobs have come back. */
  readonly #touched: Set<Service> = new Set();

  constructor(state: State, outcomes: Outcomes, dispatcher: Dispatcher) {
    this.#state = state;
    this.#outcomes = outcomes;
    this.#dispatcher = dispatcher;
  }

  /** The time has come to look whether a worker is silent. `late` if the look itself is. */
  expire(worker: Worker, late: boolean): void {
    const { now, settings, deadlines, counters, journal } = this.#state;
    if (worker.state !== "in") return;
    const { paused } = worker.connection.outlet;
    // Who wasn't read has a whole period more: what it said may be on its way.
    const excused = late || paused || worker.unread || !worker.mayExpire;
    worker.unread = paused;
    const silent = now - worker.lastSeen >= settings.workerExpire;
    if (excused || !silent) {
      const from = excused ? now : worker.lastSeen;
      if (late && journal.level >= 4) journal.because("the tick was late: nobody expires by it");
      return deadlines.set(worker, from + settings.workerExpire);
    }
    counters.workersExpired++;
    if (journal.level >= 1) journal.worker("expired", worker);
    this.lose([worker], "expired");
    this.handOut();
  }

  /** All slots of a worker were free for a while, and answers are due: they won't come. */
  forget(worker: Worker): void {
    const { jobs } = this.#state;
    if (!worker.forgets) return;
    for (let row = worker.running.first; row !== NO_ROW; row = worker.running.first) {
      const isExec = jobs.kind[row] === EXEC_JOB && (jobs.flags[row]! & ABANDONED) === 0;
      if (isExec) this.#outcomes.complete(row);
      else this.#outcomes.fail(row, "NO_RESULT");
    }
    this.#dispatcher.refresh(worker);
    this.#dispatcher.offerAll(worker);
  }

  /** An attempt took too long: it counts as lost. A READY worker owes its answer still. */
  overrun(row: number): void {
    const { jobs, workers, services } = this.#state;
    const worker = workers[jobs.worker[row]!]!;
    const service = services.at(jobs.service[row]!);
    if (worker.oneSlot) worker.owed++;
    this.#stop(worker, row);
    this.#outcomes.requeue([row]);
    this.#dispatcher.refresh(worker);
    this.#dispatcher.offer(service);
    // One answer less is due: that may be room for another service of this worker.
    this.#dispatcher.offerAll(worker);
  }

  /**
   * A native worker that may still be there is told that an attempt counts as lost: a stream would
   * wait for credit that never comes, and its slot with it.
   */
  #stop(worker: Worker, row: number): void {
    const { jobs, toWorkers } = this.#state;
    const isTold = (jobs.flags[row]! & ABANDONED) !== 0;
    if (worker.native && !isTold) toWorkers.cancel(worker, row);
  }

  /** Jobs of workers as they were handed out; those of several workers, as they came. */
  #inOldOrder(workers: readonly Worker[]): number[] {
    const { jobs } = this.#state;
    const rows: number[] = [];
    for (const { running } of workers) {
      for (let row = running.first; row !== NO_ROW; row = jobs.next[row]!) rows.push(row);
    }
    if (workers.length === 1) return rows;
    // The column holds 32 bits of the clock: a difference is right though they run over.
    return rows.sort((a, b) => (jobs.since[a]! - jobs.since[b]!) | 0);
  }

  /**
   * Workers are lost: their jobs go back to the head of the backlog, in their old order. They are
   * handed out again by `handOut()`, when all who were lost at the same time are known.
   */
  lose(workers: readonly Worker[], state: "expired" | "gone"): void {
    const { jobs, services } = this.#state;
    // First they all leave the tables, so that none is given what another one had.
    for (const worker of workers) this.#dispatcher.leave(worker, state);
    const rows = this.#inOldOrder(workers);
    for (const row of rows) {
      this.#touched.add(services.at(jobs.service[row]!));
      if (state === "expired") this.#stop(this.#state.workers[jobs.worker[row]!]!, row);
    }
    this.#outcomes.requeue(rows);
    for (const worker of workers) {
      if (!worker.oneSlot) continue;
      worker.free = 1;
      worker.owed = 0;
    }
  }

  /** Whoever is free takes what the lost have left. */
  handOut(): void {
    for (const service of this.#touched) this.#dispatcher.offer(service);
    this.#touched.clear();
  }
}
