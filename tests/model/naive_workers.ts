/**
 * The naive model's workers: what they say, read in the order that the protocol lays down, and what
 * follows from it.
 *
 * @module
 */
import { type NaiveCore, SIG } from "./naive_core.ts";
import { type NaiveConnection, type NaiveJob, type NaiveWorker, take } from "./naive_records.ts";

/** The workers. */
export class NaiveWorkers {
  readonly connections: NaiveConnection[] = [];
  readonly #core: NaiveCore;

  constructor(core: NaiveCore) {
    this.#core = core;
  }

  get all(): NaiveWorker[] {
    return this.connections.flatMap((connection) => connection.workers);
  }

  connect(peer: string, type: string, identity: string): void {
    const old = this.connections.find((one) => identity !== "" && one.identity === identity);
    if (old !== undefined) this.#close(old);
    const { now } = this.#core;
    const open = { open: true, full: false, unread: false, seen: now };
    const connection: NaiveConnection = { peer, type, identity, workers: [], ...open };
    this.connections.push(connection);
    if (type === "REP") this.#admit(this.#make(connection, [], "REP"), ["default"]);
  }

  leave(connection: NaiveConnection): void {
    if (!connection.open) return;
    connection.open = false;
    take(this.connections, connection);
    const workers = [...connection.workers];
    for (const worker of workers) if (worker.state === "in") this.#core.count("workersLost");
    this.#lose(workers, "gone");
    for (const worker of workers) this.#forget(worker);
  }

  /** A worker says something. */
  speak(connection: NaiveConnection, frames: readonly string[]): void {
    connection.seen = this.#core.now;
    if (connection.type === "REP") return this.#reply(connection.workers[0]!, frames);
    const body = frames.indexOf("") + 1;
    if (body === 0) return this.#core.count("dropped no envelope");
    if (body === frames.length) return this.#core.count("dropped no body");
    this.#read(connection, frames.slice(0, body), frames.slice(body));
  }

  /** In this order: (a) its job, (b) READY and PING, (c) a result, (d) commands, (e) nothing. */
  #read(connection: NaiveConnection, envelope: readonly string[], words: readonly string[]): void {
    const worker = this.#find(connection, envelope);
    if (worker !== undefined) {
      worker.lastSeen = this.#core.now;
      const job = jobOf(worker, words);
      if (job !== undefined) return this.#answer(worker, job, words.slice(2));
    }
    const [word = "", ...rest] = words;
    if (rest.length === 0 && word === "READY") return this.#ready(connection, worker, envelope);
    if (rest.length === 0 && word === "PING") return this.#ping(connection, worker, envelope);
    if (worker?.dialect === "READY" && isBusy(worker)) return this.#result(worker, words);
    if (word.length === 9 && word[0] === "\0") {
      if (worker === undefined) this.#core.count("dropped forged result");
      else this.#stale(worker);
      return;
    }
    this.#command(connection, worker, envelope, word, rest);
  }

  #find(connection: NaiveConnection, envelope: readonly string[]): NaiveWorker | undefined {
    if (connection.type === "REQ") {
      const [worker] = connection.workers;
      if (worker !== undefined) worker.envelope = envelope;
      return worker;
    }
    return connection.workers.find((worker) => worker.envelope.join() === envelope.join());
  }

  #reply(worker: NaiveWorker, frames: readonly string[]): void {
    worker.lastSeen = this.#core.now;
    const job = jobOf(worker, frames);
    if (job !== undefined) this.#answer(worker, job, frames.slice(2));
    else this.#stale(worker);
  }

  #ready(
    connection: NaiveConnection,
    worker: NaiveWorker | undefined,
    envelope: readonly string[],
  ): void {
    if (worker === undefined) return this.#newcomer(connection, envelope);
    if (worker.dialect === "REQ") {
      if (isBusy(worker)) {
        this.#core.requeue([...worker.running]);
        worker.owed = 0;
        this.#vacate(worker);
        return this.#core.offerAll(worker);
      }
    } else this.#pong(worker);
    if (worker.state === "in" || (worker.dialect !== "REGISTER" && isBusy(worker))) return;
    const holder = worker.dialect === "REGISTER" && this.#holderOf(worker.address, worker);
    if (holder && this.#isAlive(holder)) return;
    if (holder) this.#close(holder.connection);
    this.#admit(worker, worker.services);
  }

  #ping(
    connection: NaiveConnection,
    worker: NaiveWorker | undefined,
    envelope: readonly string[],
  ): void {
    if (worker === undefined && connection.type === "REQ") {
      if (!connection.full) this.#core.send(connection.peer, [...envelope, "PONG"]);
    } else if (worker === undefined) this.#newcomer(connection, envelope);
    else this.#pinged(worker);
  }

  #pinged(worker: NaiveWorker): void {
    this.#pong(worker);
    worker.pings = true;
    if (worker.state === "expired") this.#admit(worker, worker.services);
    if (worker.dialect === "REQ") this.#served(worker);
  }

  /** A REQ had its one message: no job may come before it asks again. */
  #served(worker: NaiveWorker): void {
    if (isBusy(worker) || worker.state !== "in") return;
    worker.state = "out";
    this.#core.leaveTables(worker);
  }

  #pong(worker: NaiveWorker): void {
    if (!worker.connection.full) this.#core.tell(worker, "PONG");
  }

  #newcomer(connection: NaiveConnection, envelope: readonly string[]): void {
    if (!this.#hasRoom(connection)) return this.#core.count("dropped too many workers");
    const dialect = connection.type === "REQ" ? "REQ" : "READY";
    const worker = this.#make(connection, envelope, dialect);
    if (dialect === "READY") this.#pong(worker);
    this.#admit(worker, ["default"]);
  }

  /** Whoever left or expired, and has nothing in flight, makes room. */
  #hasRoom(connection: NaiveConnection): boolean {
    if (connection.workers.length < this.#core.settings.workersOfConnection) return true;
    const gone = connection.workers.find((worker) => worker.state !== "in" && !isBusy(worker));
    if (gone !== undefined) this.#forget(gone);
    return gone !== undefined;
  }

  #make(
    connection: NaiveConnection,
    envelope: readonly string[],
    dialect: NaiveWorker["dialect"],
  ): NaiveWorker {
    const lastSeen = this.#core.now;
    const worker = { ...BLANK, connection, envelope, dialect, lastSeen, running: [], services: [] };
    connection.workers.push(worker);
    return worker;
  }

  /** At the bottom of the tables. */
  #admit(worker: NaiveWorker, services: readonly string[]): void {
    const core = this.#core;
    if (worker.state !== "in") core.count("workersJoined");
    core.leaveTables(worker);
    worker.state = "in";
    worker.services = services;
    worker.blocked = worker.connection.full;
    if (worker.dialect === "REGISTER" || !isBusy(worker)) core.joinTables(worker);
    core.dues.set("worker", worker, core.now + core.settings.workerExpire);
    core.offerAll(worker);
  }

  #command(
    connection: NaiveConnection,
    worker: NaiveWorker | undefined,
    envelope: readonly string[],
    word: string,
    rest: readonly string[],
  ): void {
    const address = rest.at(-1) ?? "";
    const own = worker?.dialect === "REGISTER" && worker.address === address ? worker : undefined;
    const refuse = (reason: string) => {
      if (!connection.full) {
        this.#core.send(connection.peer, [...envelope, "REFUSED", reason, address]);
      }
      if (worker?.dialect === "REQ") this.#served(worker);
    };
    if (word === "REGISTER" && rest.length >= 2) {
      const refusal = this.#register(connection, worker, envelope, rest);
      if (refusal !== undefined) refuse(refusal);
    } else if (word === "PING" && rest.length === 1) {
      if (own !== undefined) this.#pinged(own);
      else refuse("unknown");
    } else if (word === "DEREGISTER" && rest.length === 1) {
      if (own === undefined) return this.#core.count("dropped unknown worker");
      own.state = "out";
      this.#core.leaveTables(own);
    } else if (word === "INCREMENT" && (rest.length === 1 || rest.length === 2)) {
      const count = rest.length === 1 ? 1 : Number(rest[0]);
      if (!(count >= 1)) return this.#core.count("dropped not understood");
      if (own === undefined) return this.#core.count("dropped unknown worker");
      const tooMany = Math.max(0, own.free + count - own.capacity);
      own.free += count - tooMany;
      own.unsettled = Math.max(0, own.unsettled - tooMany);
      this.#checkForgotten(own);
      this.#core.offerAll(own);
    } else this.#core.count("dropped not understood");
  }

  #register(
    connection: NaiveConnection,
    known: NaiveWorker | undefined,
    envelope: readonly string[],
    words: readonly string[],
  ): string | undefined {
    const [slots = "", ...options] = words;
    const address = options.pop()!;
    if (!(Number(slots) >= 1)) return "slots";
    if (connection.type === "REQ") return "socket-type";
    if (known?.dialect === "REGISTER" && known.address !== address) return "second-address";
    const holder = this.#holderOf(address, known);
    if (holder !== undefined && this.#isAlive(holder)) return "address-in-use";
    if (known === undefined && !this.#hasRoom(connection)) return "too-many-workers";
    if (holder !== undefined) this.#close(holder.connection);
    const worker = known ?? this.#make(connection, envelope, "REGISTER");
    const stays = worker.state === "in" && worker.dialect === "REGISTER" && known !== undefined;
    worker.dialect = "REGISTER";
    worker.address = address;
    worker.lastSeen = this.#core.now;
    if (worker.running.length > 0) worker.unsettled += worker.capacity - worker.free;
    worker.capacity = worker.free = Number(slots);
    worker.pingsWorking = options.includes("heartbeat=working");
    worker.native = options.includes("rota=1");
    this.#checkForgotten(worker);
    if (!connection.full) this.#core.tell(worker, "REGISTERED", slots, "expire=3", address);
    const named = options.filter((option) => option.startsWith("service="));
    const services = named.length > 0 ? named.map((option) => option.slice(8)) : ["default"];
    if (stays) this.#reseat(worker, [...new Set(services)]);
    else this.#admit(worker, [...new Set(services)]);
    return undefined;
  }

  /** It keeps its place where it stays, and joins the others at the bottom. */
  #reseat(worker: NaiveWorker, services: readonly string[]): void {
    for (const service of worker.services) {
      if (!services.includes(service)) take(this.#core.table(service), worker);
    }
    for (const service of services) {
      if (!worker.services.includes(service)) this.#core.table(service).push(worker);
    }
    worker.services = services;
    this.#core.offerAll(worker);
  }

  #holderOf(address: string, by: NaiveWorker | undefined): NaiveWorker | undefined {
    return this.all.find((worker) =>
      worker !== by && worker.dialect === "REGISTER" && worker.address === address &&
      worker.state !== "out"
    );
  }

  #isAlive({ connection, lastSeen }: NaiveWorker): boolean {
    const seen = Math.max(lastSeen, connection.seen);
    return connection.unread || this.#core.now - seen < this.#core.settings.workerExpire;
  }

  #close(connection: NaiveConnection): void {
    this.leave(connection);
    this.#core.do("closed", connection.peer);
  }

  /** An operator's EXIT. */
  exit(worker: NaiveWorker): void {
    worker.state = "out";
    this.#core.leaveTables(worker);
    if (worker.dialect === "READY" || worker.dialect === "REGISTER") {
      return this.#core.tell(worker, "EXIT");
    }
    if (isBusy(worker)) worker.leaving = true;
    else this.#close(worker.connection);
  }

  /** The answer to one job. */
  #answer(worker: NaiveWorker, job: NaiveJob, frames: readonly string[]): void {
    const isNative = worker.native && frames[0] === SIG;
    const word = isNative ? frames[1] ?? "" : "";
    if (job.abandoned) {
      if (word === "PARTIAL") return;
      this.#core.count("dropped nobody waits");
      this.#core.release(job);
    } else if (!isNative || word === "RESPONSE") {
      this.#respond(job, frames.slice(isNative ? 2 : 0));
    } else if (!this.#native(worker, job, word, frames.slice(2))) return;
    this.#freed(worker);
  }

  #respond(job: NaiveJob, frames: readonly string[]): void {
    const core = this.#core;
    if (job.kind === "EXEC") return core.complete(job);
    if (job.client === undefined) {
      core.count("dropped nobody waits");
      return core.complete(job);
    }
    if (job.kind === "opaque") core.answer(job, ...(frames.length > 0 ? frames : [""]));
    else core.answer(job, SIG, "RESPONSE", job.request, ...frames);
    core.complete(job, ["RESPONSE", ...frames]);
  }

  /** What only a native worker says; whether the job is over with it. */
  #native(
    worker: NaiveWorker,
    job: NaiveJob,
    word: string,
    rest: readonly string[],
  ): boolean {
    const core = this.#core;
    const [code = "", sentence = ""] = rest;
    if (word === "ERROR" && rest.length === 2 && code !== "") {
      const name = code === "NO_COMMAND" ? code : "WORKER_FAILED";
      core.fail(job, name, [code, sentence]);
      return true;
    }
    if (job.kind === "STREAM" && word === "PARTIAL" && job.client === undefined) return false;
    if (job.kind === "STREAM" && word === "PARTIAL" && job.credit > 0) {
      job.credit--;
      job.chunked = true;
      core.count("chunks");
      core.answer(job, SIG, "PARTIAL", job.request, ...rest);
      return false;
    }
    if (job.kind === "STREAM" && word === "END") {
      if (job.client === undefined) core.count("dropped nobody waits");
      else core.answer(job, SIG, "END", job.request);
      core.complete(job);
      return true;
    }
    core.count("dropped not understood");
    core.tell(worker, job.attempt!, "", SIG, "CANCEL");
    core.fail(job, "WORKER_FAILED", ["WORKER_FAILED", "The worker's answer wasn't legal"]);
    return true;
  }

  #result(worker: NaiveWorker, frames: readonly string[]): void {
    if (worker.owed === 0) return this.#answer(worker, worker.running[0]!, frames);
    this.#stale(worker);
  }

  /** A result of an attempt that isn't here: it may be one that took too long. */
  #stale(worker: NaiveWorker): void {
    this.#core.count("dropped stale result");
    if (worker.dialect === "REGISTER" || worker.owed === 0) return;
    worker.owed--;
    this.#freed(worker);
  }

  #freed(worker: NaiveWorker): void {
    if (worker.dialect !== "REGISTER") this.#vacate(worker);
    this.#core.offerAll(worker);
  }

  #vacate(worker: NaiveWorker): void {
    worker.free = 1;
    if (worker.leaving) this.#close(worker.connection);
    if (worker.state !== "in") return;
    this.#core.leaveTables(worker);
    this.#core.joinTables(worker);
  }

  roomy(connection: NaiveConnection): void {
    for (const worker of connection.workers) {
      worker.blocked = false;
      for (const job of worker.running) {
        if (job.untold === 0 || !worker.native) continue;
        this.#core.tell(worker, job.attempt!, "", SIG, "CREDIT", String(job.untold));
        job.untold = 0;
      }
      this.#core.offerAll(worker);
    }
  }

  /** The time has come to look whether it is silent. */
  look(worker: NaiveWorker, late: boolean): void {
    const { dues, now, settings } = this.#core;
    if (worker.state !== "in") return;
    const { unread } = worker.connection;
    const pinging = worker.dialect === "READY" || (worker.dialect === "REGISTER" && worker.pings);
    const should = worker.pingsWorking || (pinging && !isBusy(worker));
    const excused = late || unread || worker.wasUnread || !should;
    worker.wasUnread = unread;
    if (excused) return dues.set("worker", worker, now + settings.workerExpire);
    if (now - worker.lastSeen < settings.workerExpire) {
      return dues.set("worker", worker, worker.lastSeen + settings.workerExpire);
    }
    this.#core.count("workersExpired");
    this.#lose([worker], "expired");
  }

  /** All slots were free for long, and answers are due. */
  forgetJobs(worker: NaiveWorker): void {
    if (!hasForgotten(worker)) return;
    for (const job of [...worker.running]) {
      if (job.kind === "EXEC" && !job.abandoned) this.#core.complete(job);
      else this.#core.fail(job, "NO_RESULT");
    }
    this.#core.offerAll(worker);
  }

  /** An attempt took too long. */
  overrun(job: NaiveJob): void {
    const worker = job.worker!;
    if (worker.dialect !== "REGISTER") worker.owed++;
    this.#stop(worker, job);
    this.#core.requeue([job]);
    this.#core.offer(job.service);
    this.#core.offerAll(worker);
  }

  /** Whoever may still be there is told that an attempt counts as lost. */
  #stop(worker: NaiveWorker, job: NaiveJob): void {
    if (worker.native && !job.abandoned) {
      this.#core.tell(worker, job.attempt!, "", SIG, "CANCEL");
    }
  }

  #lose(workers: readonly NaiveWorker[], state: "expired" | "gone"): void {
    for (const worker of workers) {
      worker.state = state;
      this.#core.leaveTables(worker);
    }
    const jobs = workers.flatMap((worker) => worker.running);
    if (workers.length > 1) jobs.sort((a, b) => a.since - b.since);
    if (state === "expired") { for (const job of jobs) this.#stop(job.worker!, job); }
    this.#core.requeue(jobs);
    for (const worker of workers) {
      if (worker.dialect === "REGISTER") continue;
      worker.free = 1;
      worker.owed = 0;
    }
    for (const service of new Set(jobs.map((job) => job.service))) this.#core.offer(service);
  }

  #checkForgotten(worker: NaiveWorker): void {
    const { dues, now, settings } = this.#core;
    if (worker.running.length === 0) worker.unsettled = 0;
    if (!hasForgotten(worker)) return;
    if (dues.at("forgotten", worker) < Infinity) return;
    dues.set("forgotten", worker, now + settings.forgottenAfter);
  }

  #forget(worker: NaiveWorker): void {
    take(worker.connection.workers, worker);
    this.#core.dues.clear("worker", worker);
    this.#core.dues.clear("forgotten", worker);
  }
}

function isBusy(worker: NaiveWorker): boolean {
  return worker.running.length + worker.owed > 0;
}

/** Whether all its slots are free, those of earlier registrations too, and answers are due. */
function hasForgotten({ running, free, capacity, unsettled }: NaiveWorker): boolean {
  return running.length > 0 && free === capacity && unsettled === 0;
}

/** The job at this very worker that the frames answer. */
function jobOf(worker: NaiveWorker, [id, empty]: readonly string[]): NaiveJob | undefined {
  if (empty !== "") return undefined;
  return worker.running.find((job) => job.attempt!.id === id);
}

const BLANK = {
  state: "out",
  address: "",
  capacity: 1,
  free: 1,
  owed: 0,
  unsettled: 0,
  pings: false,
  pingsWorking: false,
  native: false,
  blocked: false,
  wasUnread: false,
  leaving: false,
} as const;
