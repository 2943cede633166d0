/**
 * The broker's decisions: events and the time go in, calls of the sinks come out. It knows no socket,
 * no clock, no timer and no chance; the same events at the same times give the same decisions.
 *
 * Events come in through the desks (`clients`, `workers`, `answers`); this file holds them together
 * and keeps what falls due.
 *
 * @module
 */
import { Answers } from "./answers.ts";
import { ClientDesk } from "./client_desk.ts";
import { Dispatcher } from "./dispatcher.ts";
import { Losses } from "./losses.ts";
import { Outcomes } from "./outcomes.ts";
import type { CoreSettings } from "./settings.ts";
import { type CoreDue, type Outside, State } from "./state.ts";
import type { Worker } from "./worker.ts";
import { WorkerDesk } from "./worker_desk.ts";

/** After a late tick, how long what has arrived may take to be read. */
const SECOND_LOOK = 1000;

/** The core of a broker. */
export class Core {
  /** All that it knows, to look at. */
  readonly state: State;
  /** Where clients are served. */
  readonly clients: ClientDesk;
  /** Where workers are served. */
  readonly workers: WorkerDesk;
  /** Where answers go. */
  readonly answers: Answers;
  readonly #outcomes: Outcomes;
  readonly #dispatcher: Dispatcher;
  readonly #losses: Losses;

  constructor(settings: CoreSettings, outside: Outside) {
    this.state = new State(settings, outside);
    this.#outcomes = new Outcomes(this.state);
    this.#dispatcher = new Dispatcher(this.state, this.#outcomes);
    this.clients = new ClientDesk(this.state, this.#outcomes, this.#dispatcher);
    this.#losses = new Losses(this.state, this.#outcomes, this.#dispatcher);
    this.workers = new WorkerDesk(this.state, this.#outcomes, this.#dispatcher, this.#losses);
    this.answers = new Answers(this.state, this.#outcomes, this.#dispatcher, this.workers);
  }

  /** When something falls due first; Infinity if nothing does. */
  get nextDue(): number {
    return this.state.deadlines.first()?.due ?? Infinity;
  }

  /** Whether no job waits and none runs. */
  get idle(): boolean {
    return this.state.waiting === 0 && this.state.running === 0;
  }

  /** Does what is due. `late` if the process stood still: then nobody is taken for dead. */
  tick(now: number, late: boolean): void {
    const { deadlines } = this.state;
    this.state.now = now;
    for (let due = deadlines.pop(now); due !== undefined; due = deadlines.pop(now)) {
      this.#due(due, late);
    }
    this.clients.unblock();
  }

  /** The periodic look at all backlogs: a net for what no event has moved. */
  checkQueues(now: number): void {
    const { services, requests, settings } = this.state;
    this.state.now = now;
    for (const service of services) this.#dispatcher.offer(service);
    requests.expire(now - settings.finishedTime);
    this.clients.unblock();
  }

  /** Tries a dead letter again; false if there is none of that id. */
  retry(id: number, now: number): boolean {
    const letter = this.state.dead.get(id);
    if (letter === undefined) return false;
    const { jobs, services } = this.state;
    this.state.now = now;
    const service = services.at(jobs.service[letter.row]!);
    this.#outcomes.revive(letter);
    this.#dispatcher.offer(service);
    return true;
  }

  /** Throws a dead letter away; false if there is none of that id. */
  drop(id: number, now: number): boolean {
    const letter = this.state.dead.get(id);
    if (letter === undefined) return false;
    this.state.now = now;
    this.#outcomes.discard(letter);
    return true;
  }

  /** Tells a worker to leave. */
  exit(worker: Worker, now: number): void {
    this.state.now = now;
    this.workers.exit(worker);
  }

  /** No new jobs from now on; what is here goes on. */
  drain(now: number): void {
    this.state.now = now;
    this.state.draining = true;
    this.clients.drain();
  }

  /** The time to drain is over: whoever can be told is, the rest is counted. */
  giveUp(now: number): void {
    const { services, workers } = this.state;
    this.state.now = now;
    for (const service of services) {
      while (service.backlog.length > 0) this.#outcomes.fail(service.backlog.first, "SHUTDOWN");
    }
    for (const worker of workers) {
      if (worker === undefined) continue;
      // Who has one slot is busy until its answer came, though nobody waits for that.
      if (worker.oneSlot) worker.owed += worker.running.length;
      while (worker.running.length > 0) this.#outcomes.fail(worker.running.first, "SHUTDOWN");
    }
  }

  #due(due: CoreDue, late: boolean): void {
    if (due.what === "worker") return this.#losses.expire(due, late);
    if (due.what !== "job" && (late || this.#isUnread(due))) {
      // What they wait for may have arrived and not been read: there is another look soon.
      return this.state.deadlines.set(due, this.state.now + SECOND_LOOK);
    }
    if (due.what === "client") this.clients.missed(due);
    else if (due.what === "forgotten") this.#losses.forget(due.worker);
    else if (due.what === "run") this.#losses.overrun(due.row);
    else this.#outcomes.fail(due.row, "EXPIRED");
  }

  /** Whether we don't read the worker whose answer is due. */
  #isUnread(due: CoreDue): boolean {
    const { workers, jobs } = this.state;
    if (due.what === "forgotten") return due.worker.connection.outlet.paused;
    return due.what === "run" && workers[jobs.worker[due.row]!]!.connection.outlet.paused;
  }
}
