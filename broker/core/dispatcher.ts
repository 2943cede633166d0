/**
 * Hands jobs to workers: the oldest job of a service to the worker whose turn it is. Runs on every
 * event that can free a slot. After it nothing waits that an eligible worker could take.
 *
 * @module
 */
import { DATED, NO_ROW, RESERVED_BODY, RUNNING, STREAM_JOB, WAITING } from "./jobs.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Service } from "./services.ts";
import type { State } from "./state.ts";
import { seatOf, type Worker, type WorkerSeat, type WorkerState } from "./worker.ts";

/** Hands out jobs. */
export class Dispatcher {
  readonly #state: State;
  readonly #outcomes: Outcomes;

  constructor(state: State, outcomes: Outcomes) {
    this.#state = state;
    this.#outcomes = outcomes;
  }

  /** A new job: to a worker if one is free and nothing waits, else to the end of the backlog. */
  take(row: number, service: Service): void {
    if (service.backlog.length === 0) {
      const seat = service.ring.first();
      if (seat !== undefined) return this.#give(row, seat);
    }
    const { jobs } = this.#state;
    jobs.state[row] = WAITING;
    jobs.push(service.backlog, row);
    this.#state.waiting++;
    this.#state.waitingBytes += jobs.bytes[row]!;
    if (service.ring.open) return this.offer(service);
    const { journal } = this.#state;
    if (service.workers === 0 && service.backlog.length === 1) journal.unserved(service);
    if (journal.level >= 4) journal.because("no slot is free: the job waits", row);
  }

  /** What waits for a service goes to its workers as far as they are free. */
  offer(service: Service): void {
    const { backlog, ring } = service;
    while (backlog.length > 0) {
      const seat = ring.first();
      if (seat === undefined) return;
      const row = backlog.first;
      this.#outcomes.leaveList(row);
      this.#give(row, seat);
    }
  }

  /** The same for all services that a worker serves: what came first goes first. */
  offerAll(worker: Worker): void {
    const { seats } = worker;
    if (seats.length === 1) return this.offer(seats[0]!.service);
    for (;;) {
      const service = this.#oldest(seats);
      if (service === undefined) return;
      const row = service.backlog.first;
      this.#outcomes.leaveList(row);
      this.#give(row, service.ring.first()!);
    }
  }

  /** Tells the rings whether a worker may be given a job. */
  refresh(worker: Worker): void {
    const eligible = worker.eligible;
    for (const seat of worker.seats) {
      if (seat.eligible !== eligible) seat.service.ring.setEligible(seat, eligible);
    }
  }

  /** Puts a worker at the bottom of the tables of its services. */
  seat(worker: Worker): void {
    const eligible = worker.eligible;
    for (const seat of worker.seats) {
      seat.eligible = eligible;
      seat.service.ring.add(seat);
    }
  }

  /** A worker is in from now on; its services know of it, busy or not. */
  join(worker: Worker): void {
    if (worker.state === "in") return;
    worker.state = "in";
    for (const seat of worker.seats) seat.service.workers++;
  }

  /** A worker is in no longer, and out of all tables. */
  leave(worker: Worker, state: Exclude<WorkerState, "in">): void {
    if (worker.state === "in") {
      for (const seat of worker.seats) seat.service.workers--;
    }
    worker.state = state;
    this.unseat(worker);
  }

  /** A worker that is in serves these from now on, and keeps its place where it already did. */
  reseat(worker: Worker, services: readonly Service[]): void {
    const old = worker.seats;
    worker.seats = services.map((service) =>
      old.find((seat) => seat.service === service) ?? seatOf(worker, service)
    );
    for (const seat of worker.seats) {
      if (old.includes(seat)) continue;
      seat.service.users++;
      seat.service.workers++;
      seat.service.ring.add(seat);
    }
    for (const seat of old) {
      if (worker.seats.includes(seat)) continue;
      seat.service.ring.remove(seat);
      seat.service.workers--;
      seat.service.users--;
    }
    this.refresh(worker);
  }

  /** Takes a worker out of all tables, for as long as it is busy. */
  unseat(worker: Worker): void {
    for (const seat of worker.seats) seat.service.ring.remove(seat);
  }

  /** The service whose first job came first, among those with a job that can be handed out. */
  #oldest(seats: readonly WorkerSeat[]): Service | undefined {
    const { since } = this.#state.jobs;
    let oldest: Service | undefined;
    for (const { service } of seats) {
      if (service.backlog.length === 0 || !service.ring.open) continue;
      const isOlder = oldest === undefined ||
        ((since[service.backlog.first]! - since[oldest.backlog.first]!) | 0) < 0;
      if (isOlder) oldest = service;
    }
    return oldest;
  }

  /** Streams got credit while their worker didn't read: it is told now. */
  tellCredit(worker: Worker): void {
    const { jobs, streams, toWorkers } = this.#state;
    if (!worker.native || streams.size === 0) return;
    for (let row = worker.running.first; row !== NO_ROW; row = jobs.next[row]!) {
      const credit = jobs.kind[row] === STREAM_JOB ? streams.release(row) : 0;
      if (credit > 0) toWorkers.credit(worker, row, credit);
    }
  }

  /** The row stands in no list; it goes to that worker, or ends because it can't. */
  #give(row: number, seat: WorkerSeat): void {
    const { jobs, counters, journal, deadlines } = this.#state;
    const { worker } = seat;
    const flags = jobs.flags[row]!;
    if (flags !== 0) {
      if ((flags & RESERVED_BODY) !== 0 && worker.dialect === "READY") {
        // The worker would take the body for a word of its dialogue. It keeps its turn.
        return this.#outcomes.fail(row, "RESERVED");
      }
      if ((flags & DATED) !== 0 && !this.#start(row)) return;
    }
    jobs.state[row] = RUNNING;
    jobs.worker[row] = worker.index;
    jobs.attempts[row] = jobs.attempts[row]! + 1;
    jobs.generation[row] = jobs.generation[row]! + 1;
    jobs.push(worker.running, row);
    this.#state.running++;
    worker.free--;
    counters.dispatched++;
    if (worker.forgotten.place >= 0) deadlines.clear(worker.forgotten);
    seat.service.ring.pass(seat);
    this.#state.toWorkers.job(worker, row);
    worker.blocked = worker.connection.outlet.full;
    // Who has one slot leaves the table while busy, and comes back at the bottom.
    if (worker.oneSlot) this.unseat(worker);
    else this.refresh(worker);
    if (this.#state.settings.runLimit > 0) this.#limit(row);
    if (journal.level < 1) return;
    journal.job("dispatched", row);
    if (journal.level >= 4) journal.because("this worker had the turn", row);
  }

  /** A job with a date starts: false if it is too late for that. */
  #start(row: number): boolean {
    const { dates, deadlines, now } = this.#state;
    const date = dates.get(row)!;
    if (date.place >= 0 && date.due <= now) {
      this.#outcomes.fail(row, "EXPIRED");
      return false;
    }
    deadlines.clear(date);
    return true;
  }

  #limit(row: number): void {
    const { runs, deadlines, now, settings } = this.#state;
    const date = { what: "run", row, due: 0, place: -1 } as const;
    const due = { ...date };
    runs.set(row, due);
    deadlines.set(due, now + settings.runLimit);
  }
}
