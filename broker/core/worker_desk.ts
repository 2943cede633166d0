/**
 * Where workers are served: they come by READY, REGISTER or their socket type, ping, free slots, and
 * leave. Messages arrive here parsed. What they answer is the business of `answers.ts`.
 *
 * @module
 */
import { keyOf } from "../../protocol/dialogue/words.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Losses } from "./losses.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Outlet } from "./outlet.ts";
import type { Service } from "./services.ts";
import type { State } from "./state.ts";
import { type Dialect, seatOf, Worker, WorkerConnection } from "./worker.ts";

/** Why a REGISTER, or the PING of a stranger, is refused. Stable words. */
export type Refusal =
  | "unknown"
  | "slots"
  | "option"
  | "service"
  | "address"
  | "address-in-use"
  | "second-address"
  | "too-many-workers"
  | "too-many-services"
  | "socket-type";

/** What a REGISTER asks for. */
export interface Registration {
  readonly slots: number;
  readonly services: readonly Uint8Array[];
  readonly pingsWorking: boolean;
  readonly native: boolean;
  readonly address: Uint8Array;
}

/** The desk of the workers. */
export class WorkerDesk {
  readonly #state: State;
  readonly #outcomes: Outcomes;
  readonly #dispatcher: Dispatcher;
  readonly #losses: Losses;
  /** Connections with an identity of their own. */
  readonly #named: Map<string, WorkerConnection> = new Map();
  /** Workers by the address that they registered. */
  readonly #addresses: Map<string, Worker> = new Map();

  constructor(state: State, outcomes: Outcomes, dispatcher: Dispatcher, losses: Losses) {
    this.#state = state;
    this.#outcomes = outcomes;
    this.#dispatcher = dispatcher;
    this.#losses = losses;
  }

  /**
   * A worker connected. An identity that is known is the same worker come back: its old connection
   * is closed and what ran there is handed out again. A REP works from the first moment.
   */
  connected(outlet: Outlet, type: string, identity: Uint8Array, now: number): WorkerConnection {
    this.#state.now = now;
    const connection = new WorkerConnection(outlet, type, identity);
    if (identity.length > 0) {
      const key = keyOf(identity);
      const old = this.#named.get(key);
      if (old !== undefined) {
        this.disconnected(old, now);
        old.outlet.close();
      }
      this.#named.set(key, connection);
    }
    if (type === "REP") this.#admit(this.#make(connection, NO_ENVELOPE, "", "REP"), MAIN);
    return connection;
  }

  /** A connection is gone, and its workers with it; others take their jobs. */
  disconnected(connection: WorkerConnection, now: number): void {
    this.parted(connection, now);
    this.handOut(now);
  }

  /**
   * The same, but its jobs wait for `handOut()`: where many connections break at once, none of them
   * may be given what another one had.
   */
  parted(connection: WorkerConnection, now: number): void {
    if (!connection.open) return;
    connection.open = false;
    const { counters, journal } = this.#state;
    this.#state.now = now;
    const key = keyOf(connection.identity);
    if (this.#named.get(key) === connection) this.#named.delete(key);
    const workers = [...connection.workers.values()];
    for (const worker of workers) {
      if (worker.state === "in") counters.workersLost++;
      if (journal.level >= 1) journal.worker("disconnected", worker);
    }
    this.#losses.lose(workers, "gone");
    for (const worker of workers) this.#forget(worker);
  }

  /** Whoever is free takes the jobs of those who have parted. */
  handOut(now: number): void {
    this.#state.now = now;
    this.#losses.handOut();
  }

  /** The worker behind an envelope, if it is known. */
  find(
    connection: WorkerConnection,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): Worker | undefined {
    const latest = connection.latest;
    if (latest !== undefined && isEnvelope(latest.envelope, bytes, start, end)) return latest;
    // A REQ may change its envelope with every message, and always stands alone.
    const alone = connection.type === "REQ" || connection.type === "REP";
    const found = connection.workers.get(alone ? "" : keyOf(bytes, start, end));
    if (found === undefined) return undefined;
    if (alone) found.envelope = bytes.slice(start, end);
    return connection.latest = found;
  }

  /** Any message of a worker is a sign of life. */
  heard(worker: Worker, now: number): void {
    this.#state.now = now;
    worker.lastSeen = now;
  }

  /** READY or PING from a stranger: one more worker with one slot, unless there are too many. */
  newcomer(
    connection: WorkerConnection,
    bytes: Uint8Array,
    start: number,
    end: number,
    now: number,
  ): boolean {
    this.#state.now = now;
    if (!this.#hasRoom(connection)) return false;
    const request = connection.type === "REQ";
    const key = request ? "" : keyOf(bytes, start, end);
    const dialect = request ? "REQ" : "READY";
    const worker = this.#make(connection, bytes.slice(start, end), key, dialect);
    // The answer goes out before a job that this may bring. A REQ gets its job as the answer.
    if (!request) this.#state.toWorkers.pong(worker);
    this.#admit(worker, MAIN);
    return true;
  }

  /**
   * READY from a worker that is known. Whoever is in the table is only refreshed; whoever is out of it
   * comes back with what it had, unless its one slot is taken.
   */
  ready(worker: Worker): void {
    const busy = worker.oneSlot && worker.running.length + worker.owed > 0;
    if (busy && worker.dialect === "REQ") {
      // It asks for its next message without having answered: the job was given up.
      if (worker.running.length > 0) this.#outcomes.requeue([worker.running.first]);
      worker.owed = 0;
      this.vacate(worker);
      return this.#dispatcher.offerAll(worker);
    }
    if (busy) {
      const { journal } = this.#state;
      if (journal.level >= 4) journal.because("READY of a busy worker: it stays busy");
    } else if (worker.state !== "in" && this.#ownsAddress(worker)) {
      this.#admit(worker, undefined);
    }
  }

  /** PING: a worker that expired comes back with what it had. */
  pinged(worker: Worker): void {
    worker.pings = true;
    if (worker.state === "expired") this.#admit(worker, undefined);
  }

  /** A REQ was given the one message that it asked for, and it is no job: none may come unasked. */
  served(worker: Worker): void {
    if (worker.free > 0 && worker.state === "in") this.#dispatcher.leave(worker, "out");
  }

  /** REGISTER. Gives why it is refused, if it is. */
  register(
    connection: WorkerConnection,
    known: Worker | undefined,
    envelope: Uint8Array,
    asked: Registration,
    now: number,
  ): Refusal | undefined {
    const state = this.#state;
    state.now = now;
    const refusal = this.#refusal(connection, known, asked);
    if (refusal !== undefined) return refusal;
    const services = this.#servicesOf(asked);
    if (services === undefined) return "too-many-services";
    this.#takeAddress(asked.address, known);
    const isNew = known?.dialect !== "REGISTER";
    const worker = known ?? this.#make(connection, envelope, keyOf(envelope), "REGISTER");
    worker.lastSeen = now;
    worker.dialect = "REGISTER";
    worker.address = asked.address;
    this.#addresses.set(keyOf(asked.address), worker);
    // What is in flight stays so: that its slots are overwritten doesn't mean that it was forgotten.
    if (worker.running.length > 0) worker.unsettled += worker.capacity - worker.free;
    worker.capacity = worker.free = asked.slots;
    worker.pingsWorking = asked.pingsWorking;
    worker.native = asked.native;
    this.#checkForgotten(worker);
    state.toWorkers.registered(worker);
    // The same worker again keeps its place in all tables that it stays in.
    if (worker.state === "in" && !isNew) {
      this.#dispatcher.reseat(worker, services);
      this.#dispatcher.offerAll(worker);
    } else {
      this.#admit(worker, services);
    }
    return undefined;
  }

  /** INCREMENT: slots are free again, never more than there are. */
  increment(worker: Worker, count: number): void {
    const free = worker.free + count;
    worker.free = Math.min(free, worker.capacity);
    worker.unsettled = Math.max(0, worker.unsettled - (free - worker.free));
    this.#checkForgotten(worker);
    this.#dispatcher.refresh(worker);
    this.#dispatcher.offerAll(worker);
  }

  /** DEREGISTER: no new jobs; what runs may finish. */
  deregister(worker: Worker): void {
    if (worker.state === "gone") return;
    this.#dispatcher.leave(worker, "out");
    if (this.#state.journal.level >= 1) this.#state.journal.worker("deregistered", worker);
  }

  /**
   * EXIT: the worker is out before it is told, and what it has in flight may finish. REQ and REP
   * have no word for it: their connection is closed when they are done.
   */
  exit(worker: Worker): void {
    this.deregister(worker);
    if (worker.dialect !== "REQ" && worker.dialect !== "REP") this.#state.toWorkers.exit(worker);
    else if (worker.free > 0) worker.connection.outlet.close();
    else worker.leaving = true;
  }

  /** The one slot of a worker is free: it comes back at the bottom of the table. */
  vacate(worker: Worker): void {
    worker.free = 1;
    if (worker.leaving) worker.connection.outlet.close();
    if (worker.state !== "in") return;
    this.#dispatcher.unseat(worker);
    this.#dispatcher.seat(worker);
  }

  /** Output of a connection went below its mark again. */
  roomy(connection: WorkerConnection, now: number): void {
    this.#state.now = now;
    for (const worker of connection.workers.values()) {
      worker.blocked = false;
      this.#dispatcher.tellCredit(worker);
      this.#dispatcher.refresh(worker);
      this.#dispatcher.offerAll(worker);
    }
  }

  /** Whether an address belongs to a worker that is alive. Who has left holds none. */
  #isTaken(address: Uint8Array, by: Worker | undefined): boolean {
    const holder = this.#addresses.get(keyOf(address));
    if (holder === undefined || holder === by || holder.state === "out") return false;
    const { outlet } = holder.connection;
    if (!outlet.canBePinged || outlet.paused) return true;
    const seen = Math.max(holder.lastSeen, outlet.lastSeen);
    return this.#state.now - seen < this.#state.settings.workerExpire;
  }

  /** Whether the address that a worker left with is still its own: another one may have it now. */
  #ownsAddress(worker: Worker): boolean {
    if (worker.dialect !== "REGISTER") return true;
    if (this.#isTaken(worker.address, worker)) return false;
    this.#takeAddress(worker.address, worker);
    this.#addresses.set(keyOf(worker.address), worker);
    return true;
  }

  /** An address that isn't taken gets a new holder. The old one, silent for long, is dropped. */
  #takeAddress(address: Uint8Array, by: Worker | undefined): void {
    const holder = this.#addresses.get(keyOf(address));
    if (holder === undefined || holder === by || holder.state === "out") return;
    const { connection } = holder;
    this.disconnected(connection, this.#state.now);
    connection.outlet.close();
  }

  #refusal(
    connection: WorkerConnection,
    known: Worker | undefined,
    { slots, address }: Registration,
  ): Refusal | undefined {
    const { settings } = this.#state;
    if (connection.type === "REQ" || connection.type === "REP") return "socket-type";
    if (slots > settings.slots) return "slots";
    if (known?.dialect === "REGISTER" && keyOf(known.address) !== keyOf(address)) {
      return "second-address";
    }
    if (this.#isTaken(address, known)) return "address-in-use";
    if (known === undefined && !this.#hasRoom(connection)) return "too-many-workers";
    return undefined;
  }

  /** Whether one more worker may come by a connection. One that has left makes room for it. */
  #hasRoom(connection: WorkerConnection): boolean {
    if (connection.workers.size < this.#state.settings.workersOfConnection) return true;
    for (const worker of connection.workers.values()) {
      if (worker.state === "in" || worker.running.length + worker.owed > 0) continue;
      this.#forget(worker);
      return true;
    }
    return false;
  }

  #servicesOf({ services }: Registration): Service[] | undefined {
    const all = this.#state.services;
    return services.length === 0 ? [all.main] : all.allNamed(services);
  }

  #make(
    connection: WorkerConnection,
    envelope: Uint8Array,
    key: string,
    dialect: Dialect,
  ): Worker {
    const index = this.#state.workerIndex();
    const worker = new Worker(index, connection, envelope, key, dialect);
    worker.state = "out";
    worker.lastSeen = this.#state.now;
    this.#state.workers[index] = worker;
    connection.workers.set(key, worker);
    connection.latest = worker;
    return worker;
  }

  /** Puts a worker into the tables: of these services, or of those that it had. */
  #admit(worker: Worker, services: readonly Service[] | typeof MAIN | undefined): void {
    const { counters, journal, deadlines, settings, now } = this.#state;
    const event = worker.state === "in" ? "registered" : "joined";
    if (worker.state !== "in") counters.workersJoined++;
    this.#dispatcher.leave(worker, "out");
    if (services !== undefined) {
      const list = services === MAIN ? [this.#state.services.main] : services as Service[];
      for (const service of list) service.users++;
      for (const seat of worker.seats) seat.service.users--;
      worker.seats = list.map((service) => seatOf(worker, service));
    }
    this.#dispatcher.join(worker);
    worker.blocked = worker.connection.outlet.full;
    if (!worker.oneSlot || worker.free > 0) this.#dispatcher.seat(worker);
    deadlines.set(worker, now + settings.workerExpire);
    if (journal.level >= 1) journal.worker(event, worker);
    this.#dispatcher.offerAll(worker);
  }

  #checkForgotten(worker: Worker): void {
    const { deadlines, settings, now } = this.#state;
    if (worker.running.length === 0) worker.unsettled = 0;
    if (!worker.forgets || worker.forgotten.place >= 0) return;
    deadlines.set(worker.forgotten, now + settings.forgottenAfter);
  }

  #forget(worker: Worker): void {
    const { connection, address, envelopeKey, seats } = worker;
    const key = keyOf(address);
    if (this.#addresses.get(key) === worker) this.#addresses.delete(key);
    for (const seat of seats) seat.service.users--;
    connection.workers.delete(envelopeKey);
    if (connection.latest === worker) connection.latest = undefined;
    this.#state.forgetWorker(worker);
  }
}

const NO_ENVELOPE = new Uint8Array(0);
/** The default service alone. */
const MAIN = "main";

function isEnvelope(envelope: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (envelope.length !== end - start) return false;
  for (let i = 0; i < envelope.length; i++) {
    if (envelope[i] !== bytes[start + i]) return false;
  }
  return true;
}
