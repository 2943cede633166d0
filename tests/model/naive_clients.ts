/**
 * The naive model's clients: what they may say, and what becomes of them when they leave.
 *
 * @module
 */
import { ERROR_SENTENCES, type ErrorCode } from "../../protocol/dialogue/error_code.ts";
import { type NaiveCore, SIG } from "./naive_core.ts";
import { headerFrame, type Kind, type NaiveClient, type NaiveJob, take } from "./naive_records.ts";

/** A native job as a test asks for it. */
export interface Request {
  readonly kind: Exclude<Kind, "opaque">;
  readonly id: string;
  readonly command: string;
  readonly payload: readonly string[];
  readonly service?: string | undefined;
  readonly ttl?: number | undefined;
  readonly timeout?: number | undefined;
  readonly accept?: boolean | undefined;
}

/** The headers of a request, in the order in which they are written. */
export function headersOf(request: Request): [string, string][] {
  const headers: [string, string][] = [["trace", "x"]];
  if (request.service !== undefined) headers.push(["service", request.service]);
  if (request.ttl !== undefined) headers.push(["ttl", String(request.ttl)]);
  if (request.timeout !== undefined) headers.push(["timeout", String(request.timeout)]);
  if (request.accept) headers.push(["accept", ""]);
  return headers;
}

/** The message of a request. */
export function framesOf(envelope: readonly string[], request: Request): string[] {
  const { kind, id, command, payload } = request;
  return [...envelope, SIG, kind, id, command, headerFrame(headersOf(request)), ...payload];
}

/** The clients. */
export class NaiveClients {
  readonly all: NaiveClient[] = [];
  readonly #core: NaiveCore;

  constructor(core: NaiveCore) {
    this.#core = core;
  }

  connect(peer: string, identity: string): NaiveClient | undefined {
    const known = this.all.find((one) => identity !== "" && one.identity === identity);
    if (known === undefined) {
      const client: NaiveClient = {
        ...{ away: false, native: false, full: false, pausedBy: new Set() },
        ...{ identity, peer, jobs: [], held: [] },
      };
      this.all.push(client);
      return client;
    }
    if (!known.away) {
      this.#core.do("refused", peer);
      return undefined;
    }
    this.#core.dues.clear("grace", known);
    known.away = false;
    known.peer = peer;
    for (const message of known.held) this.#core.send(peer, message);
    known.held = [];
    return known;
  }

  leave(client: NaiveClient): void {
    take(this.#core.held, client);
    client.pausedBy.clear();
    client.full = false;
    const mayReturn = client.native || client.identity !== "";
    if (!mayReturn || client.jobs.length === 0) return this.forget(client);
    client.away = true;
    this.#core.dues.set("grace", client, this.#core.now + this.#core.settings.clientGrace);
  }

  /** It is gone for good. */
  forget(client: NaiveClient): void {
    const core = this.#core;
    for (const job of [...client.jobs].reverse()) {
      if (job.kind === "EXEC" || job.state === "dead") {
        take(client.jobs, job);
        job.client = undefined;
        continue;
      }
      core.count("dropped client gone");
      if (core.requests.get(job.request) === job) core.requests.delete(job.request);
      if (job.state === "waiting") {
        core.release(job);
        continue;
      }
      const worker = job.worker!;
      if (job.kind !== "opaque" && worker.native) {
        core.tell(worker, job.attempt!, "", SIG, "CANCEL");
      }
      core.abandon(job);
    }
    for (const _ of client.held) core.count("dropped nobody waits");
    core.dues.clear("grace", client);
    take(this.all, client);
  }

  submit(client: NaiveClient, envelope: readonly string[], body: readonly string[]): void {
    const core = this.#core;
    const full = core.isFull;
    const reserved = body.length === 1 && (body[0] === "EXIT" || body[0] === "PONG");
    const job: NaiveJob = { ...NO_JOB, since: core.now, body, reserved, client, envelope };
    client.jobs.push(job);
    core.count("accepted");
    core.enter(job);
    if (!full || job.state !== "waiting") return;
    core.held.push(client);
    core.pause(client, "backlog");
  }

  setFull(client: NaiveClient, full: boolean): void {
    client.full = full;
    if (!full) this.#core.resume(client, "output");
  }

  request(client: NaiveClient, envelope: readonly string[], asked: Request): void {
    const core = this.#core;
    client.native = true;
    const live = core.requests.get(asked.id);
    if (live !== undefined) return this.#move(client, envelope, live, asked.accept ?? false);
    const done = core.finished.find(({ request }) => request === asked.id);
    if (done !== undefined) {
      if (done.executed) {
        if (asked.accept) core.reply(client, [...envelope, SIG, "ACCEPTED", asked.id]);
        return;
      }
      if (done.answer === undefined) return this.#refuse(client, envelope, asked.id, "DUPLICATE");
      const [word = "", ...frames] = done.answer;
      return core.reply(client, [...envelope, SIG, word, asked.id, ...frames]);
    }
    if (!this.#hasRoom(client, asked)) return this.#refuse(client, envelope, asked.id, "BUSY");
    this.#begin(client, envelope, asked);
  }

  cancel(client: NaiveClient, id: string): void {
    client.native = true;
    const job = this.#core.requests.get(id);
    if (job?.client === client) this.#core.cancel(job, "CANCELLED");
    else this.#core.count("dropped unknown request");
  }

  credit(client: NaiveClient, id: string, count: number): void {
    client.native = true;
    const job = this.#core.requests.get(id);
    if (job?.client !== client || job.kind !== "STREAM") {
      return this.#core.count("dropped bad credit");
    }
    // The first behind a repeat is the whole of it.
    const more = Math.max(0, count - job.repeated);
    job.repeated = 0;
    job.credit += more;
    const { worker } = job;
    if (!worker?.native || more === 0) return;
    if (worker.connection.full) job.untold += more;
    else this.#core.tell(worker, job.attempt!, "", SIG, "CREDIT", String(more));
  }

  #hasRoom(client: NaiveClient, { kind, service = "default" }: Request): boolean {
    const core = this.#core;
    const direct = core.backlog(service).length === 0 &&
      core.table(service).some((worker) => core.isEligible(worker));
    if (!direct && core.isFull) return false;
    const streams = client.jobs.filter((job) => job.kind === "STREAM").length;
    return kind !== "STREAM" || streams < core.settings.streamsOfClient;
  }

  #begin(client: NaiveClient, envelope: readonly string[], asked: Request): void {
    const core = this.#core;
    const { kind, id, command, payload, service = "default", ttl, timeout, accept } = asked;
    const reserved = payload.length === 0 && (command === "EXIT" || command === "PONG");
    const job: NaiveJob = {
      ...NO_JOB,
      ...{ kind, service, reserved, client, envelope },
      since: core.now,
      body: [command, ...payload],
      request: id,
      headers: headersOf(asked),
      timeoutAt: timeout === undefined ? Infinity : core.now + timeout,
      dated: ttl !== undefined || timeout !== undefined,
    };
    client.jobs.push(job);
    core.requests.set(id, job);
    core.count("accepted");
    if (accept) core.answer(job, SIG, "ACCEPTED", id);
    if (job.dated) {
      const startBy = Math.min(core.now + (ttl ?? Infinity), job.timeoutAt);
      core.dues.set("job", job, Math.max(startBy, core.now + 1));
    }
    core.enter(job);
  }

  /** The same request, from somewhere else. */
  #move(
    client: NaiveClient,
    envelope: readonly string[],
    job: NaiveJob,
    accept: boolean,
  ): void {
    const old = job.client;
    if (old !== undefined) take(old.jobs, job);
    job.client = client;
    job.envelope = envelope;
    client.jobs.push(job);
    job.repeated = job.credit;
    if (job.chunked) this.#core.cancel(job, "DUPLICATE");
    else if (accept) this.#core.answer(job, SIG, "ACCEPTED", job.request);
    if (old?.away && old.jobs.length === 0 && old.identity === "") this.forget(old);
  }

  #refuse(
    client: NaiveClient,
    envelope: readonly string[],
    id: string,
    code: ErrorCode,
  ): void {
    this.#core.count("rejected");
    this.#core.count(`error ${code}`);
    this.#core.reply(client, [...envelope, SIG, "ERROR", id, code, ERROR_SENTENCES[code]]);
  }
}

const NO_JOB = {
  kind: "opaque",
  service: "default",
  request: "",
  headers: [],
  timeoutAt: Infinity,
  state: "waiting",
  worker: undefined,
  attempt: undefined,
  attempts: 0,
  credit: 0,
  repeated: 0,
  untold: 0,
  chunked: false,
  abandoned: false,
  dated: false,
} as const;
