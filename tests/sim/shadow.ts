/**
 * A shadow of the broker's jobs, kept by plain rules from what the broker was seen to decide: each
 * service a queue, each job a record. What the broker decides next must follow from it: the oldest
 * job goes first, a job is at one worker at a time, has one answer, and ends once.
 *
 * @module
 */
import type { Findings } from "./findings.ts";

/** Where a job stands. */
export type Standing = "waiting" | "running" | "dead" | "ended";

/** A worker as far as jobs are concerned. */
export interface ShadowWorker {
  /** Its process. */
  readonly host: string;
  readonly oneSlot: boolean;
  readonly capacity: number;
  readonly services: readonly string[];
}

/** One job. */
export interface ShadowJob {
  readonly row: number;
  readonly token: number;
  readonly service: string;
  /** The client's own id for it; empty if it is opaque. */
  readonly request: string;
  /** When it came, in whole milliseconds. */
  readonly since: number;
  standing: Standing;
  attempts: number;
  /** Who has it, and since when. */
  worker: object | undefined;
  host: string;
  handedOut: number;
  /** Its place in the order of handing out. */
  turn: number;
  /** Answers that were written for its client. */
  told: number;
  /** Its end was announced: it may leave. */
  announced: boolean;
  /** Its client gave it up or is gone: what comes of it is dropped. */
  abandoned: boolean;
}

/** The shadow. */
export class Shadow {
  readonly #findings: Findings;
  readonly #maxAttempts: number;
  readonly #jobs: Map<number, ShadowJob> = new Map();
  readonly #queues: Map<string, ShadowJob[]> = new Map();
  readonly #atWorker: Map<object, Set<ShadowJob>> = new Map();
  /** Jobs of lost workers that have come back: they go to the head together, in their old order. */
  #returned: ShadowJob[] = [];
  /** Workers that are lost together, in the order in which that was told. */
  #lost: object[] = [];
  #turns = 0;

  constructor(findings: Findings, maxAttempts: number) {
    this.#findings = findings;
    this.#maxAttempts = maxAttempts;
  }

  /** The job in that row. */
  job(row: number): ShadowJob | undefined {
    return this.#jobs.get(row);
  }

  /** All jobs that haven't ended. */
  get jobs(): IterableIterator<ShadowJob> {
    return this.#jobs.values();
  }

  /** Jobs at a worker. */
  at(worker: object): readonly ShadowJob[] {
    return [...this.#atWorker.get(worker) ?? []];
  }

  /** A queue, oldest first. */
  queue(service: string): readonly ShadowJob[] {
    this.#settle();
    return this.#queue(service);
  }

  /** A new job, in a row that is free. */
  accept(
    row: number,
    what: Pick<ShadowJob, "token" | "service" | "request" | "since">,
  ): void {
    const job: ShadowJob = {
      row,
      ...what,
      standing: "waiting",
      attempts: 0,
      worker: undefined,
      host: "",
      handedOut: 0,
      turn: 0,
      told: 0,
      announced: false,
      abandoned: false,
    };
    this.#jobs.set(row, job);
    this.#settle();
    this.#queue(job.service).push(job);
  }

  /** A job is handed to a worker. */
  handOut(row: number, id: object, worker: ShadowWorker, now: number): void {
    this.#settle();
    const job = this.#jobs.get(row);
    if (job === undefined) {
      return this.#findings.report("no job out of nowhere", `row ${row} at ${worker.host}`);
    }
    const queue = this.#queue(job.service);
    const busy = this.#at(id);
    const { findings, most } = { findings: this.#findings, most: 2 * worker.capacity };
    findings.expect(
      "a job is at one worker at a time",
      job.standing === "waiting",
      () => `job ${job.token} is ${job.standing} at ${job.host} and goes to ${worker.host}`,
    );
    findings.expect(
      "first in, first out in each service",
      queue[0] === job,
      () => `job ${job.token} goes before ${queue.map((it) => it.token).slice(0, 5)}`,
    );
    findings.expect(
      "a job goes to a worker of its service",
      worker.services.includes(job.service),
      () => `job ${job.token} for ${job.service} goes to ${worker.host}: ${worker.services}`,
    );
    findings.expect(
      "attempts are bounded",
      job.attempts < this.#maxAttempts,
      () => `attempt ${job.attempts + 1} of job ${job.token}`,
    );
    findings.expect(
      "unanswered jobs are bounded",
      worker.oneSlot ? busy.size === 0 : busy.size < most,
      () => `${worker.host} of ${worker.capacity} has ${[...busy].map((it) => it.token)}`,
    );
    remove(queue, job);
    busy.add(job);
    job.standing = "running";
    job.attempts++;
    job.worker = id;
    job.host = worker.host;
    job.handedOut = now;
    job.turn = ++this.#turns;
  }

  /** A worker is lost; with `more` it belongs to those that were told of just before. */
  lose(worker: object, more: boolean): void {
    if (!more || this.#returned.length > 0) this.#settle();
    this.#lost.push(worker);
  }

  /** A job comes back from its worker. */
  comeBack(row: number): void {
    const job = this.#jobs.get(row);
    this.#findings.expect(
      "only what runs comes back",
      job?.standing === "running",
      () => `row ${row}, ${job?.standing}`,
    );
    if (job === undefined) return;
    // Not with its worker: an attempt took too long, or was given up.
    const alone = !this.#lost.includes(job.worker!);
    if (alone) this.#settle();
    this.#leaveWorker(job);
    job.standing = "waiting";
    this.#returned.push(job);
    if (alone) this.#settle();
  }

  /** Something that answers a job is written for its client. */
  tell(job: ShadowJob): void {
    job.told++;
    this.#findings.expect(
      "one answer for each job",
      job.told === 1 && job.standing !== "ended",
      () => `answer ${job.told} for job ${job.token}, ${job.standing}`,
    );
  }

  /** A job ended, or is kept for an operator. */
  end(job: ShadowJob, standing: "ended" | "dead" = "ended"): void {
    this.#settle();
    if (job.standing === "waiting") remove(this.#queue(job.service), job);
    else if (job.standing === "running") this.#leaveWorker(job);
    job.standing = standing;
    if (standing === "ended" && this.#jobs.get(job.row) === job) this.#jobs.delete(job.row);
  }

  /** An operator tries a dead letter again: as if it were new. */
  revive(job: ShadowJob): void {
    this.#settle();
    job.standing = "waiting";
    job.attempts = 0;
    // What comes of it is another answer, to whoever still waits.
    job.told = 0;
    job.announced = false;
    this.#queue(job.service).push(job);
  }

  /** Puts what came back at the heads of the queues. */
  #settle(): void {
    const [returned, lost] = [this.#returned, this.#lost];
    this.#returned = [];
    this.#lost = [];
    if (returned.length === 0) return;
    const place = (job: ShadowJob) => lost.indexOf(job.worker!);
    // As one worker had them; of several, as they came.
    returned.sort((a, b) =>
      (lost.length > 1 && (a.since - b.since || place(a) - place(b))) || a.turn - b.turn
    );
    for (const job of returned.reverse()) this.#queue(job.service).unshift(job);
  }

  #leaveWorker(job: ShadowJob): void {
    const jobs = this.#atWorker.get(job.worker!);
    jobs?.delete(job);
    if (jobs?.size === 0) this.#atWorker.delete(job.worker!);
  }

  #at(worker: object): Set<ShadowJob> {
    let jobs = this.#atWorker.get(worker);
    if (jobs === undefined) {
      jobs = new Set();
      this.#atWorker.set(worker, jobs);
    }
    return jobs;
  }

  #queue(service: string): ShadowJob[] {
    let queue = this.#queues.get(service);
    if (queue === undefined) {
      queue = [];
      this.#queues.set(service, queue);
    }
    return queue;
  }
}

function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}
