/**
 * The face that workers see: reads what they say, in the order that the protocol lays down. What is
 * written to them stands in `worker_messages.ts`. No socket is known here.
 *
 * @module
 */
import { readDecimal } from "../protocol/dialogue/decimal.ts";
import { bodyOf } from "../protocol/dialogue/envelope.ts";
import { isJobId, jobGeneration, jobRow } from "../protocol/dialogue/job_id.ts";
import {
  DEREGISTER,
  frameOf,
  INCREMENT,
  isWord,
  PING,
  READY,
  REGISTER,
} from "../protocol/dialogue/words.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import type { Core } from "./core/core.ts";
import type { DropReason } from "./core/counters.ts";
import { ENVELOPE_BYTES, NAME_BYTES } from "./core/settings.ts";
import type { Worker, WorkerConnection } from "./core/worker.ts";
import type { Refusal, Registration } from "./core/worker_desk.ts";
import type { WorkerMessages } from "./worker_messages.ts";

/** The most slots that the form of a REGISTER allows, and the most that an INCREMENT may free. */
const MOST_SLOTS = 65_535;

const decoder = new TextDecoder();

/** Reads for workers. */
export class Backend {
  readonly #messages: WorkerMessages;
  #core!: Core;

  constructor(messages: WorkerMessages) {
    this.#messages = messages;
  }

  /** Says whom to hand events to. Called once. */
  attach(core: Core): void {
    this.#core = core;
  }

  /** A worker said something. */
  onMessage(connection: WorkerConnection, message: MessageView, now: number): void {
    if (connection.type === "REP") this.#reply(connection, message, now);
    else this.#speak(connection, message, now);
    this.#core.clients.unblock();
  }

  /** A REP puts back the envelope that it was given: the job's id and a delimiter. */
  #reply(connection: WorkerConnection, message: MessageView, now: number): void {
    const worker = connection.workers.get("");
    if (worker === undefined) return;
    this.#core.workers.heard(worker, now);
    const row = this.#attempt(worker, message, 0);
    if (row >= 0) this.#core.answers.answered(worker, row, message, 2);
    else this.#core.answers.stale(worker);
  }

  #speak(connection: WorkerConnection, message: MessageView, now: number): void {
    const body = bodyOf(message);
    const { count, heads, ends, bytes, starts } = message;
    if (body === 0) {
      return this.#drop("no envelope", 'a worker starts with an empty frame: ["", READY]');
    }
    if (body === count) return this.#drop("no body", "an envelope with nothing behind it");
    const start = heads[0]!;
    const end = ends[body - 1]!;
    if (end - start > ENVELOPE_BYTES) {
      return this.#drop("long envelope", `${end - start} octets, over ${ENVELOPE_BYTES}`);
    }
    const worker = this.#core.workers.find(connection, bytes, start, end);
    if (worker !== undefined) {
      this.#core.workers.heard(worker, now);
      const row = this.#attempt(worker, message, body);
      if (row >= 0) return this.#core.answers.answered(worker, row, message, body + 2);
    }
    const alone = count === body + 1;
    if (alone && isWord(message, body, READY)) {
      return this.#ready(connection, worker, message, body, now);
    }
    if (alone && isWord(message, body, PING)) {
      return this.#ping(connection, worker, message, body, now);
    }
    if (worker?.dialect === "READY" && (worker.running.length > 0 || worker.owed > 0)) {
      return this.#core.answers.answeredOnly(worker, message, body);
    }
    if (isJobId(bytes, starts[body]!, ends[body]!)) {
      if (worker === undefined) return this.#drop("forged result", "from a stranger");
      return this.#core.answers.stale(worker);
    }
    this.#command(connection, worker, message, body, now);
  }

  /** The job that a message answers, if it is at this very worker; -1 if it is none. */
  #attempt(worker: Worker, message: MessageView, at: number): number {
    const { starts, ends, bytes, count } = message;
    const start = starts[at]!;
    if (at + 1 >= count || starts[at + 1] !== ends[at + 1]) return -1;
    if (!isJobId(bytes, start, ends[at]!)) return -1;
    const row = jobRow(bytes, start);
    const { jobs, epoch } = this.#core.state;
    const generation = (jobGeneration(bytes, start) - epoch) >>> 0;
    return jobs.isAttempt(row, generation, worker.index) ? row : -1;
  }

  #ready(
    connection: WorkerConnection,
    worker: Worker | undefined,
    message: MessageView,
    body: number,
    now: number,
  ): void {
    if (worker !== undefined) {
      // The answer goes out before a job that this may bring.
      if (worker.dialect !== "REQ") this.#messages.pong(worker);
      return this.#core.workers.ready(worker);
    }
    this.#admit(connection, message, body, now);
  }

  #ping(
    connection: WorkerConnection,
    worker: Worker | undefined,
    message: MessageView,
    body: number,
    now: number,
  ): void {
    if (worker !== undefined) {
      this.#pong(worker);
    } else if (connection.type === "REQ") {
      const { bytes, heads, ends } = message;
      this.#messages.pongTo(connection, bytes.subarray(heads[0]!, ends[body - 1]!));
    } else {
      this.#admit(connection, message, body, now);
    }
  }

  #pong(worker: Worker): void {
    const { journal } = this.#core.state;
    if (journal.level >= 2) journal.worker("pinged", worker);
    this.#messages.pong(worker);
    this.#core.workers.pinged(worker);
    if (worker.dialect === "REQ") this.#core.workers.served(worker);
  }

  /** A stranger becomes a worker with one slot. */
  #admit(
    connection: WorkerConnection,
    message: MessageView,
    body: number,
    now: number,
  ): void {
    const { bytes, heads, ends } = message;
    const end = ends[body - 1]!;
    const made = this.#core.workers.newcomer(connection, bytes, heads[0]!, end, now);
    if (!made) this.#drop("too many workers", "behind one connection");
  }

  #command(
    connection: WorkerConnection,
    worker: Worker | undefined,
    message: MessageView,
    body: number,
    now: number,
  ): void {
    const frames = message.count - body;
    const last = message.count - 1;
    if (frames >= 3 && isWord(message, body, REGISTER)) {
      return this.#register(connection, worker, message, body, now);
    }
    const own = worker?.dialect === "REGISTER" && isWord(message, last, worker.address);
    if (frames === 2 && isWord(message, body, PING)) {
      if (own) return this.#pong(worker);
      return this.#refuse(connection, worker, message, body, "unknown");
    }
    if (frames === 2 && isWord(message, body, DEREGISTER)) {
      return own ? this.#core.workers.deregister(worker) : this.#unknown("DEREGISTER");
    }
    if ((frames === 2 || frames === 3) && isWord(message, body, INCREMENT)) {
      const { bytes, starts, ends } = message;
      const count = frames === 2
        ? 1
        : readDecimal(bytes, starts[body + 1]!, ends[body + 1]!, MOST_SLOTS);
      if (count < 1) return this.#drop("not understood", "an INCREMENT with a bad count");
      return own ? this.#core.workers.increment(worker, count) : this.#unknown("INCREMENT");
    }
    this.#drop("not understood", "no word of the dialogue, and no result that is due");
  }

  #register(
    connection: WorkerConnection,
    worker: Worker | undefined,
    message: MessageView,
    body: number,
    now: number,
  ): void {
    const asked = readRegistration(message, body);
    if (typeof asked === "string") return this.#refuse(connection, worker, message, body, asked);
    const { bytes, heads, ends } = message;
    const envelope = bytes.slice(heads[0]!, ends[body - 1]!);
    const refusal = this.#core.workers.register(connection, worker, envelope, asked, now);
    if (refusal !== undefined) this.#refuse(connection, worker, message, body, refusal);
  }

  #refuse(
    connection: WorkerConnection,
    worker: Worker | undefined,
    message: MessageView,
    body: number,
    reason: Refusal,
  ): void {
    const { bytes, heads, ends, starts, count } = message;
    const { journal } = this.#core.state;
    const last = count - 1;
    if (journal.level >= 1) journal.stranger(`refused ${reason}`, connection);
    const address = bytes.slice(starts[last]!, Math.min(ends[last]!, starts[last]! + NAME_BYTES));
    const envelope = bytes.subarray(heads[0]!, ends[body - 1]!);
    this.#messages.refused(connection, envelope, reason, address);
    if (worker?.dialect === "REQ") this.#core.workers.served(worker);
  }

  #unknown(word: string): void {
    this.#drop("unknown worker", `${word} for an address that isn't the sender's`);
  }

  #drop(reason: DropReason, detail: string): void {
    this.#core.state.counters.drop(reason);
    this.#core.state.journal.dropped(reason, detail);
  }
}

/** What a REGISTER asks for, or why it can't be had. */
function readRegistration(message: MessageView, body: number): Registration | Refusal {
  const { bytes, starts, ends, count } = message;
  const last = count - 1;
  const slots = readDecimal(bytes, starts[body + 1]!, ends[body + 1]!, MOST_SLOTS);
  if (slots < 1) return "slots";
  const address = frameOf(message, last);
  if (address.length === 0 || address.length > NAME_BYTES) return "address";
  const services: Uint8Array[] = [];
  let pingsWorking = false;
  let native = false;
  for (let i = body + 2; i < last; i++) {
    const option = decoder.decode(frameOf(message, i).subarray(0, 32));
    if (option === "heartbeat=working") pingsWorking = true;
    else if (option === "rota=1") native = true;
    else if (option.startsWith("service=")) {
      const name = frameOf(message, i).slice("service=".length);
      if (name.length === 0 || name.length > NAME_BYTES) return "service";
      services.push(name);
    } else return "option";
  }
  return { slots, services, pingsWorking, native, address };
}
