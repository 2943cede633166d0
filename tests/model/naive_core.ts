/**
 * The naive model's heart: the table that turns as the seed tells it, the backlog, and the ways in
 * which a job ends. Written from the protocol's text, with lists that are searched from end to end.
 *
 * @module
 */
import { ERROR_SENTENCES } from "../../protocol/dialogue/error_code.ts";
import {
  type Finished,
  type Frame,
  headerFrame,
  type ModelSettings,
  type NaiveClient,
  NaiveDues,
  type NaiveJob,
  type NaiveLetter,
  type NaiveWorker,
  take,
} from "./naive_records.ts";

/** What a native message starts with. */
export const SIG = "\0ROTA\x01";

/** Something that a broker does besides sending: to whom. */
export type Deed = "paused" | "resumed" | "closed" | "refused";

/** The model's heart. */
export class NaiveCore {
  readonly settings: ModelSettings;
  now = 0;
  readonly dues: NaiveDues = new NaiveDues();
  /** The worker table of each service, from the top to the bottom. */
  readonly tables: Map<string, NaiveWorker[]> = new Map([["default", []]]);
  readonly backlogs: Map<string, NaiveJob[]> = new Map([["default", []]]);
  readonly requests: Map<string, NaiveJob> = new Map();
  readonly finished: Finished[] = [];
  readonly letters: NaiveLetter[] = [];
  readonly counts: Map<string, number> = new Map();
  readonly held: NaiveClient[] = [];
  /** What was sent, by peer, in order, and what was done to peers. */
  sent: Map<string, Frame[][]> = new Map();
  deeds: string[] = [];
  #letter = 0;

  constructor(settings: ModelSettings) {
    this.settings = settings;
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  do(deed: Deed, peer: string): void {
    this.deeds.push(`${deed} ${peer}`);
  }

  send(peer: string, frames: Frame[]): void {
    const list = this.sent.get(peer);
    if (list === undefined) this.sent.set(peer, [frames]);
    else list.push(frames);
  }

  tell(worker: NaiveWorker, ...frames: Frame[]): void {
    this.send(worker.connection.peer, [...worker.envelope, ...frames]);
  }

  answer(job: NaiveJob, ...frames: string[]): void {
    const { client } = job;
    if (client === undefined) throw new Error("nobody to answer");
    this.reply(client, [...job.envelope, ...frames]);
  }

  /** To a client, or kept for it. Who doesn't read its answers isn't read either. */
  reply(client: NaiveClient, message: string[]): void {
    if (client.away) return void client.held.push(message);
    this.send(client.peer, message);
    if (client.full) this.pause(client, "output");
  }

  pause(client: NaiveClient, reason: "backlog" | "output"): void {
    if (client.pausedBy.size === 0) this.do("paused", client.peer);
    client.pausedBy.add(reason);
  }

  resume(client: NaiveClient, reason: "backlog" | "output"): void {
    if (client.pausedBy.delete(reason) && client.pausedBy.size === 0) {
      this.do("resumed", client.peer);
    }
  }

  get waiting(): number {
    return [...this.backlogs.values()].reduce((sum, backlog) => sum + backlog.length, 0);
  }

  get isFull(): boolean {
    return this.waiting >= this.settings.backlogJobs;
  }

  table(service: string): NaiveWorker[] {
    return getList(this.tables, service);
  }

  backlog(service: string): NaiveJob[] {
    return getList(this.backlogs, service);
  }

  /** A new job: what waits goes first. */
  enter(job: NaiveJob): void {
    const backlog = this.backlog(job.service);
    if (backlog.length === 0 && this.#pass(job)) return;
    job.state = "waiting";
    backlog.push(job);
  }

  /** As many of those that wait as possible. */
  offer(service: string): void {
    const backlog = this.backlog(service);
    while (backlog.length > 0 && this.#isOpen(service)) this.#pass(backlog.shift()!);
  }

  /** For one worker's services: what came first goes first. */
  offerAll(worker: NaiveWorker): void {
    for (;;) {
      const open = worker.services.filter((service) =>
        this.backlog(service).length > 0 && this.#isOpen(service)
      );
      if (open.length === 0) return;
      const since = (service: string) => this.backlog(service)[0]!.since;
      const first = open.reduce((best, one) => since(one) < since(best) ? one : best);
      this.#pass(this.backlog(first).shift()!);
    }
  }

  isEligible(worker: NaiveWorker): boolean {
    return worker.state === "in" && worker.free > 0 && !worker.blocked &&
      worker.running.length < 2 * worker.capacity;
  }

  #isOpen(service: string): boolean {
    return this.table(service).some((worker) => this.isEligible(worker));
  }

  /** One job to the first who can take it, from the top on; false if nobody can. */
  #pass(job: NaiveJob): boolean {
    const table = this.table(job.service);
    const worker = table.find((one) => this.isEligible(one));
    if (worker === undefined) return false;
    if (job.reserved && worker.dialect === "READY") {
      this.fail(job, "RESERVED");
      return true;
    }
    if (this.dues.at("job", job) <= this.now) {
      this.fail(job, "EXPIRED");
      return true;
    }
    // Pop the first one; put it at the bottom; go on until it was the one with a free slot.
    do table.push(table.shift()!); while (table.at(-1) !== worker);
    this.#assign(job, worker);
    return true;
  }

  #assign(job: NaiveJob, worker: NaiveWorker): void {
    this.dues.clear("job", job);
    this.dues.clear("forgotten", worker);
    worker.free--;
    worker.running.push(job);
    job.state = "running";
    job.worker = worker;
    job.attempts++;
    job.attempt = { job, id: undefined };
    this.count("dispatched");
    this.#hand(job, worker);
    worker.blocked = worker.connection.full;
    if (worker.dialect !== "REGISTER") this.leaveTables(worker);
    const { runLimit } = this.settings;
    if (runLimit > 0) this.dues.set("run", job, this.now + runLimit);
  }

  #hand(job: NaiveJob, worker: NaiveWorker): void {
    const id = worker.dialect === "READY" ? [] : [job.attempt!, ""];
    const [command = "", ...payload] = job.body;
    if (job.kind === "opaque" || !worker.native) return this.tell(worker, ...id, ...job.body);
    const left = String(Math.max(1, job.timeoutAt - this.now));
    const headers = job.headers.map(([name, value]) =>
      [name, name === "timeout" && job.dated ? left : value] as const
    );
    const frames = [SIG, job.kind, String(job.attempts), command, headerFrame(headers)];
    this.tell(worker, ...id, ...frames, ...payload);
    if (job.kind === "STREAM" && job.credit > 0) {
      this.tell(worker, ...id, SIG, "CREDIT", String(job.credit));
    }
  }

  leaveTables(worker: NaiveWorker): void {
    for (const table of this.tables.values()) take(table, worker);
  }

  joinTables(worker: NaiveWorker): void {
    for (const service of worker.services) this.table(service).push(worker);
  }

  /** The job stands nowhere any more. */
  #leave(job: NaiveJob): void {
    take(this.backlog(job.service), job);
    if (job.worker !== undefined) take(job.worker.running, job);
    job.worker = undefined;
    this.dues.clear("run", job);
  }

  /** The job is done with. */
  release(job: NaiveJob): void {
    this.#leave(job);
    this.dues.clear("job", job);
    if (job.client !== undefined) take(job.client.jobs, job);
    job.client = undefined;
    job.state = "over";
  }

  complete(job: NaiveJob, answer?: readonly string[]): void {
    this.count("completed");
    this.#finish(job, answer, job.kind === "EXEC");
    this.release(job);
  }

  fail(job: NaiveJob, name: keyof typeof ERROR_SENTENCES, words?: readonly [string, string]): void {
    if (job.abandoned) return this.release(job);
    const [code, sentence] = words ?? [name, ERROR_SENTENCES[name]];
    this.count("failed");
    this.count(`error ${name}`);
    if (name === "EXPIRED") this.count("expired");
    const tells = job.client !== undefined && job.kind !== "opaque" && job.kind !== "EXEC";
    if (tells) this.answer(job, SIG, "ERROR", job.request, code, sentence);
    this.#finish(job, ["ERROR", code, sentence], false);
    if (tells && name !== "WORKER_LOST") return this.release(job);
    this.#bury(job, code);
  }

  #bury(job: NaiveJob, code: string): void {
    this.#leave(job);
    this.dues.clear("job", job);
    job.dated = false;
    if (job.kind !== "opaque" && job.client !== undefined) {
      take(job.client.jobs, job);
      job.client = undefined;
    }
    job.state = "dead";
    this.letters.push({ id: ++this.#letter, code, job });
    if (this.letters.length <= this.settings.deadLetters) return;
    this.count("dropped dead letters full");
    this.release(this.letters.shift()!.job);
  }

  /** A client's own doing: it is told so. */
  cancel(job: NaiveJob, code: "CANCELLED" | "DUPLICATE"): void {
    const { worker } = job;
    if (worker?.native) this.tell(worker, job.attempt!, "", SIG, "CANCEL");
    this.count("cancelled");
    this.count(`error ${code}`);
    const sentence = ERROR_SENTENCES[code];
    this.answer(job, SIG, "ERROR", job.request, code, sentence);
    this.#finish(job, ["ERROR", code, sentence], false);
    if (worker === undefined) this.release(job);
    else this.abandon(job);
  }

  abandon(job: NaiveJob): void {
    job.abandoned = true;
    if (job.client !== undefined) take(job.client.jobs, job);
    job.client = undefined;
  }

  /** Workers are lost, or took too long: their jobs, oldest first, go back to the head. */
  requeue(jobs: readonly NaiveJob[]): void {
    const again = jobs.filter((job) => {
      if (job.abandoned) this.release(job);
      else if (job.chunked || job.attempts >= this.settings.maxAttempts) {
        this.fail(job, "WORKER_LOST");
      } else if (job.dated && job.timeoutAt <= this.now) this.fail(job, "EXPIRED");
      else return true;
      return false;
    });
    for (const job of again.toReversed()) {
      this.#leave(job);
      job.state = "waiting";
      if (job.dated && job.timeoutAt < Infinity) this.dues.set("job", job, job.timeoutAt);
      job.untold = 0;
      this.backlog(job.service).unshift(job);
      this.count("requeued");
    }
  }

  retry(letter: NaiveLetter): void {
    const { job } = letter;
    take(this.letters, letter);
    this.count("retried");
    job.attempts = 0;
    job.chunked = false;
    job.credit = 1e9;
    job.state = "waiting";
    this.backlog(job.service).push(job);
    this.offer(job.service);
  }

  #finish(job: NaiveJob, answer: readonly string[] | undefined, executed: boolean): void {
    if (this.requests.get(job.request) !== job) return;
    this.requests.delete(job.request);
    const [, ...frames] = answer ?? [];
    const size = frames.reduce((sum, frame) => sum + frame.length + 2, 0);
    const kept = size <= this.settings.finishedReplyBytes ? answer : undefined;
    this.finished.push({ request: job.request, at: this.now, answer: kept, executed });
    if (this.finished.length > this.settings.finishedRequests) this.finished.shift();
  }
}

function getList<T>(lists: Map<string, T[]>, name: string): T[] {
  const known = lists.get(name);
  if (known !== undefined) return known;
  const made: T[] = [];
  lists.set(name, made);
  return made;
}
