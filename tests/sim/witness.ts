/**
 * Watches what one broker decides, through the sinks that its core speaks to, and keeps its shadow
 * by it. Whatever doesn't fit is found at the moment of the decision; what should have been decided
 * and wasn't, when the event is over.
 *
 * @module
 */
import type { BrokerInside } from "../../broker/inspect.ts";
import type { Client } from "../../broker/core/client.ts";
import type { ClientSink, Journal, WorkerSink } from "../../broker/core/decision.ts";
import { ABANDONED, FREE, OPAQUE } from "../../broker/core/jobs.ts";
import type { Service } from "../../broker/core/services.ts";
import type { State } from "../../broker/core/state.ts";
import type { Worker } from "../../broker/core/worker.ts";
import { keyOf } from "../../protocol/dialogue/words.ts";
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";
import type { Hosts } from "./hosts.ts";
import { Shadow, type ShadowJob } from "./shadow.ts";
import type { Stage } from "./stage.ts";
import { type Mark, markIn } from "./tokens.ts";

const REQUEST_ID_BYTES = 16;
const decoder = new TextDecoder();

/** Watches one broker. */
export class Witness {
  readonly shadow: Shadow;
  readonly #stage: Stage;
  readonly #hosts: Hosts;
  readonly #state: State;
  /** Request ids that are known, and the time of their end. */
  readonly #requests: Map<string, number> = new Map();
  /** Jobs that ended without a result in this event and weren't accounted for yet. */
  readonly #unsettled: Set<ShadowJob> = new Set();
  #failed: ShadowJob | undefined;
  /** The connection whose workers are being lost. */
  #parting: object | undefined;
  /** Jobs that may vanish in this event: their client is gone, or the broker ends. */
  #vanishing = 0;
  /** Whether jobs may be gone that the shadow still has. */
  #isStale = false;
  /** When the broker went on after it had stood still. */
  #wokeAt = -Infinity;

  constructor(stage: Stage, hosts: Hosts, { core }: BrokerInside) {
    this.#stage = stage;
    this.#hosts = hosts;
    const state = this.#state = core.state;
    this.shadow = new Shadow(stage.findings, state.settings.maxAttempts);
    Object.assign(state, {
      journal: this.#journal(),
      toClients: this.#toClients(state.toClients),
      toWorkers: this.#toWorkers(state.toWorkers),
    });
  }

  /** The broker goes on after it had stood still for so long. */
  woke(now: number, stoodStill: number): void {
    if (stoodStill > LATE_MS) this.#wokeAt = now;
  }

  /** An operator is going to try a dead letter again. */
  retrying(row: number): void {
    const job = this.shadow.job(row);
    if (job !== undefined) this.shadow.revive(job);
  }

  /** The event is over: everything that happened is accounted for. */
  settle(): void {
    const { findings } = this.#stage;
    for (const job of this.#unsettled) {
      findings.report("no job is lost silently", `job ${job.token} failed, and nobody was told`);
    }
    this.#unsettled.clear();
    this.#parting = undefined;
    this.#sweep();
    this.#vanishing = 0;
    for (const service of this.#state.services) this.#compareQueue(service);
  }

  /** The broker has ended in order: nothing may be left. */
  finish(): void {
    this.settle();
    const left = [...this.shadow.jobs].filter(({ standing, abandoned }) =>
      standing !== "dead" && !abandoned
    );
    this.#stage.findings.expect(
      "no job is lost silently",
      left.length === 0,
      () => `${left.length} jobs had no end when the broker ended: ${left[0]!.token}`,
    );
  }

  /** Jobs that are gone: each was announced, or dropped with a word. */
  #sweep(): void {
    const { jobs } = this.#state;
    this.#isStale = false;
    let last: ShadowJob | undefined;
    for (const job of this.shadow.jobs) {
      const abandoned = (jobs.flags[job.row]! & ABANDONED) !== 0;
      if (jobs.state[job.row] === FREE) {
        const isKnown = job.announced || job.abandoned || job.standing === "dead";
        if (!isKnown) {
          this.#vanishing--;
          last = job;
        }
        this.#leave(job);
      } else if (abandoned && !job.abandoned) {
        job.abandoned = true;
        // Not by a CANCEL: its client is gone, and its request forgotten.
        if (!job.announced) this.#requests.delete(job.request);
      }
    }
    this.#stage.findings.expect(
      "no job is lost silently",
      this.#vanishing >= 0,
      () => `job ${last?.token} is gone, and nothing was said of it`,
    );
  }

  #compareQueue({ name, backlog }: Service): void {
    const { jobs } = this.#state;
    const queue = this.shadow.queue(decoder.decode(name));
    let row = backlog.first;
    let same = backlog.length === queue.length;
    for (const job of queue) {
      same &&= job.row === row;
      row = same ? jobs.next[row]! : row;
    }
    this.#stage.findings.expect(
      "the backlog is in order",
      same,
      () => `${decoder.decode(name)}: expected ${queue.map((it) => it.token)}`,
    );
  }

  /** A job is gone. If that wasn't announced its request is forgotten with it. */
  #leave(job: ShadowJob): void {
    if (!job.announced) this.#requests.delete(job.request);
    this.shadow.end(job);
  }

  #journal(): Journal {
    const nothing = () => {};
    return {
      level: 1,
      dropped: (reason, detail) => {
        this.#note(`broker dropped ${detail}: ${reason}`);
        if (reason === "client gone" || reason === "shutdown") {
          this.#vanishing++;
          this.#isStale = true;
        }
        if (reason === "shutdown" && this.#failed !== undefined) {
          this.#unsettled.delete(this.#failed);
        }
      },
      dead: (row, code) => {
        const job = this.shadow.job(row);
        this.#note(`broker buried job ${job?.token}: ${code}`);
        if (job === undefined) return;
        this.#unsettled.delete(job);
        this.shadow.end(job, "dead");
      },
      worker: (event, worker) => this.#worker(event, worker),
      stranger: (event) => this.#note(`broker: worker ${event}`),
      client: (event, client) => this.#note(`broker: ${this.#nameOf(client)} ${event}`),
      unserved: nothing,
      job: (event, row, code) => this.#job(event, row, code),
      sized: nothing,
      because: nothing,
    };
  }

  #worker(event: string, worker: Worker): void {
    const now = this.#state.now;
    this.#note(`broker: ${this.#hosts.ofWorker(worker)} ${event}`);
    if (event === "expired" || event === "disconnected") {
      const { connection } = worker;
      this.shadow.lose(worker, event === "disconnected" && this.#parting === connection);
      this.#parting = connection;
    }
    if (event !== "expired") return;
    this.#stage.findings.expect(
      "a late tick expires nobody",
      now - this.#wokeAt >= LATE_MS,
      () => `${this.#hosts.ofWorker(worker)} expired ${now - this.#wokeAt} ms after a standstill`,
    );
  }

  #job(event: string, row: number, code: string | undefined): void {
    if (event === "accepted") return this.#accepted(row);
    if (event === "dispatched") return;
    const job = this.shadow.job(row);
    this.#note(`broker: job ${job?.token} ${event}${code === undefined ? "" : ` ${code}`}`);
    if (job === undefined) {
      return this.#stage.findings.report("no job out of nowhere", `row ${row} ${event}`);
    }
    if (event === "requeued") return this.shadow.comeBack(row);
    this.#stage.findings.expect(
      "a job ends once",
      !job.announced && (event !== "completed" || job.standing === "running"),
      () => `job ${job.token} ${event} while ${job.standing}`,
    );
    job.announced = true;
    if (job.request !== "") this.#requests.set(job.request, this.#state.now);
    if (event === "failed" && job.told === 0) {
      this.#unsettled.add(job);
      this.#failed = job;
    }
    if (event === "completed") this.shadow.end(job);
    else this.#isStale = true;
  }

  #accepted(row: number): void {
    const { jobs, services, settings, now } = this.#state;
    const { findings, books } = this.#stage;
    const token = this.#markOf(row)?.token ?? 0;
    this.#note(`broker: job ${token} accepted`);
    const submission = books.submission(token);
    const service = decoder.decode(services.at(jobs.service[row]!).name);
    findings.expect(
      "a job waits for the service that was asked for",
      submission === undefined || submission.service === service,
      () => `job ${token} for ${submission?.service} waits for ${service}`,
    );
    const request = jobs.kind[row] === OPAQUE ? "" : this.#requestKey(row);
    // Whoever stood in this row has left in this event.
    const old = this.shadow.job(row);
    if (old !== undefined) {
      if (!old.announced && !old.abandoned && old.standing !== "dead") this.#vanishing--;
      this.#leave(old);
    }
    this.shadow.accept(row, { token, service, request, since: jobs.since[row]! });
    if (request === "") return;
    const ended = this.#requests.get(request);
    findings.expect(
      "a repeated request is the same request",
      ended === undefined || now - ended >= settings.finishedTime,
      () => `job ${token} was asked for again and became another job`,
    );
    this.#requests.set(request, Infinity);
  }

  #requestKey(row: number): string {
    const { jobs } = this.#state;
    const at = jobs.at[row]! + jobs.envelopeBytes[row]!;
    return keyOf(jobs.record(row), at, at + REQUEST_ID_BYTES);
  }

  #markOf(row: number): Mark | undefined {
    const { jobs } = this.#state;
    const at = jobs.at[row]!;
    const skipped = jobs.envelopeBytes[row]! + (jobs.kind[row] === OPAQUE ? 0 : REQUEST_ID_BYTES);
    return markIn(jobs.record(row), at + skipped, at + jobs.bytes[row]!);
  }

  #toWorkers(real: WorkerSink): WorkerSink {
    return {
      job: (worker, row) => {
        const host = this.#hosts.ofWorker(worker);
        const services = worker.seats.map(({ service }) => decoder.decode(service.name));
        const { oneSlot, capacity } = worker;
        if (this.#isStale) this.#sweep();
        // What nobody wanted any more is off its hands without a word.
        for (const job of this.shadow.at(worker)) {
          const isOver = job.announced || job.abandoned;
          if (isOver && this.#state.jobs.state[job.row] === FREE) this.#leave(job);
        }
        const now = this.#state.now;
        this.shadow.handOut(row, worker, { host, oneSlot, capacity, services }, now);
        this.#note(`broker: job ${this.shadow.job(row)?.token} to ${host}`);
        real.job(worker, row);
      },
      cancel: (worker, row) => real.cancel(worker, row),
      credit: (worker, row, count) => real.credit(worker, row, count),
      registered: (worker) => real.registered(worker),
      pong: (worker) => real.pong(worker),
      exit: (worker) => real.exit(worker),
    };
  }

  #toClients(real: ClientSink): ClientSink {
    return {
      result: (client, row, message, first) => {
        this.#answer(client, row, message, first);
        real.result(client, row, message, first);
      },
      response: (client, row, message, first) => {
        this.#answer(client, row, message, first);
        real.response(client, row, message, first);
      },
      partial: (client, row, message, first) => {
        this.#fence(row, message, first);
        real.partial(client, row, message, first);
      },
      end: (client, row) => {
        this.#told(client, row);
        real.end(client, row);
      },
      error: (client, row, code, sentence) => {
        this.#told(client, row);
        real.error(client, row, code, sentence);
      },
      accepted: (client, row) => real.accepted(client, row),
    };
  }

  #answer(client: Client, row: number, message: MessageView, first: number): void {
    this.#told(client, row);
    this.#fence(row, message, first);
  }

  /** Something that ends a job goes to a client: to the one that asked, and once. */
  #told(client: Client, row: number): void {
    const job = this.shadow.job(row);
    if (job === undefined) {
      return this.#stage.findings.report("no answer out of nowhere", `row ${row}`);
    }
    this.#unsettled.delete(job);
    this.shadow.tell(job);
    const asked = this.#stage.books.submission(job.token)?.client;
    const host = this.#hosts.ofClient(client);
    this.#stage.findings.expect(
      "an answer goes to the client that asked",
      host === undefined || asked === undefined || host === asked,
      () => `the answer to job ${job.token} of ${asked} goes to ${host}`,
    );
  }

  /** An answer must come from the attempt that was handed out last. */
  #fence(row: number, message: MessageView, first: number): void {
    const job = this.shadow.job(row);
    if (job === undefined || first >= message.count) return;
    const from = message.starts[first]!;
    const mark = markIn(message.bytes, from, message.ends[message.count - 1]!);
    const run = mark === undefined ? undefined : this.#stage.books.run(mark.number);
    if (run === undefined) return;
    this.#stage.findings.expect(
      "an answer comes from the latest attempt",
      mark!.token === job.token && run.host === job.host && run.at >= job.handedOut,
      () => `job ${job.token} at ${job.host} is answered with run ${run.number} of ${run.host}`,
    );
  }

  #nameOf(client: Client): string {
    return this.#hosts.ofClient(client) ?? "a client that is away";
  }

  #note(text: string): void {
    this.#stage.trace.note(this.#state.now, text);
  }
}

/** A tick this late means that the process stood still; for so long nobody expires. */
const LATE_MS = 500;
