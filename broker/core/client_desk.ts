/**
 * Where clients are served: they come and go, hand in jobs, cancel them, and give credit to their
 * streams. Messages arrive here parsed; answers go out through the sinks.
 *
 * @module
 */
import type { ErrorCode } from "../../protocol/dialogue/error_code.ts";
import type { JobHeaders } from "../../protocol/dialogue/headers.ts";
import { keyOf } from "../../protocol/dialogue/words.ts";
import { copy } from "../../protocol/zmtp/output_batch.ts";
import { BY_BACKLOG, BY_OUTPUT, BY_SHUTDOWN, Client } from "./client.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { HeldOutput } from "./held_output.ts";
import {
  CHUNKED,
  DATED,
  DEAD,
  EXEC_JOB,
  NO_ROW,
  OPAQUE,
  RUNNING,
  STREAM_JOB,
  TIMED,
  WAITING,
} from "./jobs.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Outlet } from "./outlet.ts";
import { REQUEST_ID_BYTES } from "./requests.ts";
import type { Service } from "./services.ts";
import type { JobDate, State } from "./state.ts";

/** A range of a buffer: octets as they came off the wire. */
export interface Octets {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** A native job as it arrived. */
export interface NativeJob {
  readonly kind: number;
  /** Where its id lies in `bytes`. */
  readonly idAt: number;
  readonly headers: JobHeaders;
  readonly flags: number;
}

/** The desk of the clients. */
export class ClientDesk {
  readonly #state: State;
  readonly #outcomes: Outcomes;
  readonly #dispatcher: Dispatcher;
  /** Clients with an identity of their own. */
  readonly #named: Map<string, Client> = new Map();
  /** Clients that aren't read because the backlog is full, in the order in which that happened. */
  readonly #held: Set<Client> = new Set();

  constructor(state: State, outcomes: Outcomes, dispatcher: Dispatcher) {
    this.#state = state;
    this.#outcomes = outcomes;
    this.#dispatcher = dispatcher;
  }

  /** A client connected. Undefined if its identity is that of a client which is there. */
  connected(outlet: Outlet, identity: Uint8Array, now: number): Client | undefined {
    const state = this.#state;
    state.now = now;
    const known = identity.length > 0 ? this.#named.get(keyOf(identity)) : undefined;
    if (known !== undefined) return known.away ? this.#welcomeBack(known, outlet) : undefined;
    const index = state.clientIndex();
    const client = state.clients[index] = new Client(index, outlet, identity);
    if (identity.length > 0) this.#named.set(keyOf(identity), client);
    if (state.draining) client.pause(BY_SHUTDOWN);
    if (state.journal.level >= 1) state.journal.client("connected", client);
    return client;
  }

  /** A client's connection is gone. One that may come back is waited for. */
  disconnected(client: Client, now: number): void {
    const state = this.#state;
    state.now = now;
    this.#held.delete(client);
    if (state.journal.level >= 1) state.journal.client("disconnected", client);
    const mayReturn = client.native || client.identity.length > 0;
    if (!mayReturn || client.jobs.length === 0) {
      this.#leave(client);
      return this.unblock();
    }
    client.away = true;
    client.pausedFor = 0;
    client.outlet = new HeldOutput(state.holdings);
    state.deadlines.set(client, now + state.settings.clientGrace);
  }

  /** A client that was waited for didn't come back in time. */
  missed(client: Client): void {
    if (client.away) this.#leave(client);
  }

  /** Output of a client went below its mark again. */
  roomy(client: Client): void {
    client.resume(BY_OUTPUT);
  }

  /**
   * A job with a body that is passed on as it is. If there is no room for it, it is kept all the
   * same, and its client isn't read until there is: TCP pushes back.
   */
  submit(
    client: Client,
    bytes: Uint8Array,
    envelope: number,
    body: number,
    end: number,
    flags: number,
    now: number,
  ): void {
    const state = this.#state;
    const { jobs, services, journal } = state;
    state.now = now;
    const service = services.main;
    const full = state.isFull;
    const sated = state.isSated;
    const row = jobs.make(body - envelope, end - body);
    copy(bytes, envelope, end, jobs.record(row), jobs.at[row]!);
    jobs.describe(row, OPAQUE, flags, service.index);
    jobs.since[row] = now;
    service.users++;
    jobs.attach(client.jobs, row, client.index);
    state.counters.accepted++;
    if (journal.level >= 1) journal.job("accepted", row);
    this.#dispatcher.take(row, service);
    if (sated || (full && jobs.state[row] === WAITING)) this.#holdBack(client);
    if (state.draining) client.pause(BY_SHUTDOWN);
  }

  /** A native job. Gives the code to refuse it with, or undefined if it is taken. */
  submitNative(
    client: Client,
    envelope: Octets,
    rest: Octets,
    job: NativeJob,
    now: number,
  ): ErrorCode | undefined {
    const state = this.#state;
    state.now = now;
    client.native = true;
    if (state.draining) return "SHUTDOWN";
    const { headers } = job;
    const service = headers.service === undefined
      ? state.services.main
      : state.services.named(headers.service);
    if (service === undefined) return "BUSY";
    const direct = service.backlog.length === 0 && service.ring.open;
    if (state.isSated || (!direct && state.isFull)) return "BUSY";
    if (job.kind === STREAM_JOB && client.streams >= state.settings.streamsOfClient) return "BUSY";
    const row = this.#make(client, envelope, rest, job, service);
    if (headers.accept) state.toClients.accepted(client, row);
    this.#date(row, headers, now);
    this.#dispatcher.take(row, service);
    return undefined;
  }

  /** A request came again while its job is here: the answer goes the way of the repeat. */
  moveTo(client: Client, row: number, envelope: Uint8Array, accept: boolean, now: number): void {
    const state = this.#state;
    const { jobs } = state;
    state.now = now;
    client.native = true;
    const old = state.clientOf(row);
    const stream = jobs.kind[row] === STREAM_JOB;
    if (old !== undefined) {
      jobs.detach(old.jobs, row);
      if (stream) old.streams--;
    }
    const bytes = jobs.bytes[row]!;
    jobs.readdress(row, envelope);
    if (jobs.state[row] === WAITING) state.waitingBytes += jobs.bytes[row]! - bytes;
    jobs.attach(client.jobs, row, client.index);
    if (stream) client.streams++;
    if (stream && (jobs.flags[row]! & CHUNKED) !== 0) {
      // Chunks went to the old connection: whoever asks again would miss them and not know.
      this.#stop(row, "DUPLICATE");
    } else {
      state.streams.repeat(row);
      if (accept) state.toClients.accepted(client, row);
    }
    // One with an identity may still come back for what is held for it.
    if (old?.away && old.jobs.length === 0 && old.identity.length === 0) this.#leave(old);
    this.unblock();
  }

  /** A client wants a job no more. False if it isn't one of its own. */
  cancel(client: Client, row: number, now: number): boolean {
    this.#state.now = now;
    if (this.#state.jobs.client[row] !== client.index) return false;
    this.#stop(row, "CANCELLED");
    this.unblock();
    return true;
  }

  /** More chunks of a stream may come. False if that makes no sense. */
  credit(client: Client, row: number, count: number, now: number): boolean {
    const { jobs, workers, streams, toWorkers } = this.#state;
    this.#state.now = now;
    if (jobs.client[row] !== client.index || jobs.kind[row] !== STREAM_JOB) return false;
    const more = streams.add(row, count);
    if (more < 0) return false;
    const worker = jobs.state[row] === RUNNING ? workers[jobs.worker[row]!] : undefined;
    if (!worker?.native || more === 0) return true;
    // A worker that doesn't read is told once, when it does: credit must not pile up before it.
    if (worker.connection.outlet.full) streams.hold(row, more);
    else toWorkers.credit(worker, row, more);
    return true;
  }

  /** There may be room in the backlog again: whoever was held back is read on. */
  unblock(): void {
    if (this.#held.size === 0) return;
    for (const client of this.#held) {
      if (this.#state.isFull || this.#state.isSated) return;
      this.#held.delete(client);
      client.resume(BY_BACKLOG);
    }
  }

  /** The broker shuts down: clients that couldn't be told so are no longer read. */
  drain(): void {
    for (const client of this.#state.clients) {
      if (client !== undefined && !client.native) client.pause(BY_SHUTDOWN);
    }
  }

  /** Ends a job whose client is told that code; a native worker is told to stop. */
  #stop(row: number, code: ErrorCode): void {
    const { jobs, workers, toWorkers } = this.#state;
    const worker = jobs.state[row] === RUNNING ? workers[jobs.worker[row]!] : undefined;
    if (worker?.native) toWorkers.cancel(worker, row);
    this.#outcomes.cancel(row, code);
  }

  #holdBack(client: Client): void {
    client.pause(BY_BACKLOG);
    this.#held.add(client);
    const { journal } = this.#state;
    if (journal.level >= 4) journal.because("the backlog is full: a client is no longer read");
  }

  #make(
    client: Client,
    envelope: Octets,
    rest: Octets,
    job: NativeJob,
    service: Service,
  ): number {
    const state = this.#state;
    const { jobs } = state;
    const envelopeBytes = envelope.end - envelope.start;
    const row = jobs.make(envelopeBytes, REQUEST_ID_BYTES + rest.end - rest.start);
    const record = jobs.record(row);
    let at = jobs.at[row]!;
    copy(envelope.bytes, envelope.start, envelope.end, record, at);
    at += envelopeBytes;
    copy(rest.bytes, job.idAt, job.idAt + REQUEST_ID_BYTES, record, at);
    copy(rest.bytes, rest.start, rest.end, record, at + REQUEST_ID_BYTES);
    jobs.describe(row, job.kind, job.flags, service.index);
    jobs.since[row] = state.now;
    service.users++;
    jobs.attach(client.jobs, row, client.index);
    state.requests.begin(rest.bytes, job.idAt, row);
    state.counters.accepted++;
    if (job.kind === STREAM_JOB) {
      state.streams.open(row);
      client.streams++;
    }
    if (state.journal.level >= 1) state.journal.job("accepted", row);
    return row;
  }

  #date(row: number, { ttl, timeout }: JobHeaders, now: number): void {
    if (ttl < 0 && timeout < 0) return;
    const { jobs, dates, deadlines } = this.#state;
    const timeoutAt = timeout < 0 ? Infinity : now + timeout;
    const date: JobDate = { what: "job", row, timeoutAt, due: 0, place: -1 };
    jobs.flags[row] = jobs.flags[row]! | DATED | (timeout < 0 ? 0 : TIMED);
    dates.set(row, date);
    // A limit of nothing still lets a job start at once.
    deadlines.set(date, Math.max(ttl < 0 ? timeoutAt : Math.min(timeoutAt, now + ttl), now + 1));
  }

  #welcomeBack(client: Client, outlet: Outlet): Client {
    const held = client.outlet;
    this.#state.deadlines.clear(client);
    client.away = false;
    client.pausedFor = 0;
    client.outlet = outlet;
    if (held instanceof HeldOutput) {
      held.moveTo(outlet);
      if (this.#countLost(held.lost)) this.#stopStreams(client);
    }
    if (this.#state.draining && !client.native) client.pause(BY_SHUTDOWN);
    if (this.#state.journal.level >= 1) this.#state.journal.client("returned", client);
    return client;
  }

  /** Counts what was held for a client, or found no room there, and reaches nobody. */
  #countLost(lost: number): boolean {
    const { counters, journal } = this.#state;
    for (let i = 0; i < lost; i++) counters.drop("nobody waits");
    if (lost > 0) journal.dropped("nobody waits", "what was held for a client that is away");
    return lost > 0;
  }

  /** Ends the streams of a client that may have missed a chunk: a gap would not be seen. */
  #stopStreams(client: Client): void {
    const { jobs } = this.#state;
    for (let row = client.jobs.first; row !== NO_ROW;) {
      const next = jobs.nextOfClient[row]!;
      if ((jobs.flags[row]! & CHUNKED) !== 0) this.#stop(row, "DUPLICATE");
      row = next;
    }
  }

  /** A client is gone for good: what waits for it is dropped, what runs is not waited for. */
  #leave(client: Client): void {
    const { jobs, workers, toWorkers } = this.#state;
    for (let row = client.jobs.first; row !== NO_ROW; row = client.jobs.first) {
      const state = jobs.state[row]!;
      if (jobs.kind[row] === EXEC_JOB || state === DEAD) jobs.detach(client.jobs, row);
      else if (state === WAITING) this.#outcomes.drop(row, "client gone");
      else {
        const worker = workers[jobs.worker[row]!]!;
        if (jobs.kind[row] !== OPAQUE && worker.native) toWorkers.cancel(worker, row);
        this.#outcomes.orphan(row);
      }
    }
    if (client.outlet instanceof HeldOutput) {
      this.#countLost(client.outlet.lost + client.outlet.messages);
      client.outlet.drop();
    }
    if (client.identity.length > 0) this.#named.delete(keyOf(client.identity));
    this.#state.forgetClient(client);
  }
}
