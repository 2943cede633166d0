/**
 * How a job ends: with a result, without one, as a dead letter, back in the backlog, or dropped
 * because nobody waits. Every end goes through here, so that no job is lost without a trace.
 * Nothing is handed out here; whoever calls offers freed slots afterwards.
 *
 * @module
 */
import { ERROR_SENTENCES, type ErrorCode } from "../../protocol/dialogue/error_code.ts";
import { encodeFrames } from "../../protocol/dialogue/frames.ts";
import { octets } from "../../protocol/dialogue/words.ts";
import type { DropReason } from "./counters.ts";
import type { DeadLetter } from "./dead_letters.ts";
import {
  ABANDONED,
  CHUNKED,
  DATED,
  DEAD,
  EXEC_JOB,
  NO_ROW,
  OPAQUE,
  RUNNING,
  STREAM_JOB,
  WAITING,
} from "./jobs.ts";
import { ANSWERED, EXECUTED, FAILED, STREAMED } from "./request_memory.ts";
import type { State } from "./state.ts";

/** Ends of an attempt that an operator may want to look at whoever was told. */
const GRAVE: ReadonlySet<string> = new Set(["WORKER_LOST"]);
/** Ends that leave nothing to look at. */
const HARMLESS: ReadonlySet<string> = new Set(["CANCELLED", "SHUTDOWN"]);

/** The ends of jobs. */
export class Outcomes {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** A job has its answer, and its client was told if there is one. */
  complete(row: number, reply?: Uint8Array): void {
    const { jobs, counters } = this.#state;
    const kind = jobs.kind[row]!;
    counters.completed++;
    if (kind !== OPAQUE) {
      const code = kind === EXEC_JOB ? EXECUTED : kind === STREAM_JOB ? STREAMED : ANSWERED;
      this.#finishRequest(row, code, reply);
    }
    if (this.#state.journal.level >= 1) this.#state.journal.job("completed", row);
    this.release(row);
  }

  /** A job ends without a result; its client is told if it can be, an operator if it can't. */
  fail(row: number, code: ErrorCode, sentence: string = ERROR_SENTENCES[code]): void {
    this.failWith(row, code, octets(code), octets(sentence));
  }

  /** The same with a code and a sentence of a worker. */
  failWith(row: number, name: string, code: Uint8Array, sentence: Uint8Array): void {
    const { jobs, counters, toClients, journal } = this.#state;
    const kind = jobs.kind[row]!;
    const abandoned = (jobs.flags[row]! & ABANDONED) !== 0;
    const client = this.#state.clientOf(row);
    if (journal.level >= 1) journal.job(`failed ${name}`, row);
    counters.failed++;
    counters.error(name);
    if (name === "EXPIRED") counters.expired++;
    if (kind !== OPAQUE && !abandoned) {
      if (client !== undefined) toClients.error(client, row, code, sentence);
      this.#finishRequest(row, FAILED, encodeFrames([code, sentence]));
    }
    const told = kind !== OPAQUE && kind !== EXEC_JOB;
    const keep = !abandoned && !HARMLESS.has(name) && (GRAVE.has(name) || !told);
    if (keep) this.#bury(row, name);
    else if (kind === OPAQUE && name === "SHUTDOWN") this.drop(row, "shutdown");
    else this.release(row);
  }

  /** A job vanishes, counted and told of. */
  drop(row: number, reason: DropReason): void {
    const { jobs, counters, journal } = this.#state;
    counters.drop(reason);
    journal.dropped(reason, "a job");
    if (jobs.kind[row] !== OPAQUE) this.forgetRequest(row);
    this.release(row);
  }

  /**
   * The worker of a job is lost, or took too long: the job goes back to the head of its backlog,
   * unless it was tried often enough, has begun to stream, or nobody waits for it.
   */
  requeue(row: number): void {
    const { jobs, services, settings, counters, journal } = this.#state;
    const kind = jobs.kind[row]!;
    const flags = jobs.flags[row]!;
    if ((flags & ABANDONED) !== 0) return this.release(row);
    if (jobs.client[row] === NO_ROW && kind !== EXEC_JOB) return this.drop(row, "nobody waits");
    if ((flags & CHUNKED) !== 0 || jobs.attempts[row]! >= settings.maxAttempts) {
      return this.fail(row, "WORKER_LOST");
    }
    this.leaveList(row);
    if ((flags & DATED) !== 0) {
      const { timeoutAt } = this.#state.dates.get(row)!;
      if (timeoutAt <= this.#state.now) return this.fail(row, "EXPIRED");
      if (timeoutAt < Infinity) this.#state.deadlines.set(this.#state.dates.get(row)!, timeoutAt);
    }
    jobs.state[row] = WAITING;
    jobs.worker[row] = NO_ROW;
    jobs.generation[row] = jobs.generation[row]! + 1;
    jobs.unshift(services.at(jobs.service[row]!).backlog, row);
    this.#state.waiting++;
    this.#state.waitingBytes += jobs.bytes[row]!;
    counters.requeued++;
    if (journal.level >= 1) journal.job("requeued", row);
  }

  /** Nobody wants the outcome any more, but a worker has the job: what comes of it is dropped. */
  abandon(row: number): void {
    const { jobs } = this.#state;
    jobs.flags[row] = jobs.flags[row]! | ABANDONED;
    this.#detach(row);
  }

  /** A client cancelled its job: it is told so, and what a worker still says is dropped. */
  cancel(row: number, sentence: string = ERROR_SENTENCES.CANCELLED): void {
    const { jobs, counters, toClients } = this.#state;
    counters.cancelled++;
    if (jobs.state[row] !== RUNNING) return this.fail(row, "CANCELLED", sentence);
    const client = this.#state.clientOf(row);
    const [code, text] = [octets("CANCELLED"), octets(sentence)];
    if (client !== undefined) toClients.error(client, row, code, text);
    this.#finishRequest(row, FAILED, encodeFrames([code, text]));
    this.abandon(row);
  }

  /** A dead letter goes back to the end of its backlog as if it were new. */
  revive(letter: DeadLetter): void {
    const { jobs, services, dead } = this.#state;
    const { row } = letter;
    dead.remove(letter, jobs.bytes[row]!);
    jobs.attempts[row] = 0;
    jobs.flags[row] = jobs.flags[row]! & ~CHUNKED;
    jobs.state[row] = WAITING;
    jobs.push(services.at(jobs.service[row]!).backlog, row);
    this.#state.waiting++;
    this.#state.waitingBytes += jobs.bytes[row]!;
  }

  /** A dead letter is thrown away. */
  discard(letter: DeadLetter): void {
    this.#state.dead.remove(letter, this.#state.jobs.bytes[letter.row]!);
    this.#detach(letter.row);
    this.#free(letter.row);
  }

  /** Takes a row out of the list that it stands in, whatever it is. */
  leaveList(row: number): void {
    const { jobs, services, workers, deadlines } = this.#state;
    if (jobs.state[row] === WAITING) {
      jobs.unlink(services.at(jobs.service[row]!).backlog, row);
      this.#state.waiting--;
      this.#state.waitingBytes -= jobs.bytes[row]!;
    } else if (jobs.state[row] === RUNNING) {
      jobs.unlink(workers[jobs.worker[row]!]!.running, row);
      this.#state.running--;
      if (this.#state.runs.size > 0) {
        const date = this.#state.runs.get(row);
        if (date !== undefined) {
          deadlines.clear(date);
          this.#state.runs.delete(row);
        }
      }
    }
    jobs.state[row] = 0;
  }

  /** The row is done with, wherever it stood. */
  release(row: number): void {
    this.leaveList(row);
    this.#detach(row);
    this.#free(row);
  }

  #free(row: number): void {
    const { jobs, services } = this.#state;
    this.#undate(row);
    if (jobs.kind[row] === STREAM_JOB) this.#state.streams.close(row);
    services.at(jobs.service[row]!).users--;
    jobs.free(row);
  }

  #undate(row: number): void {
    const { jobs, dates, deadlines } = this.#state;
    if ((jobs.flags[row]! & DATED) === 0) return;
    deadlines.clear(dates.get(row)!);
    dates.delete(row);
    jobs.flags[row] = jobs.flags[row]! & ~DATED;
  }

  #detach(row: number): void {
    const { jobs } = this.#state;
    const client = this.#state.clientOf(row);
    if (client === undefined) return;
    if (jobs.kind[row] === STREAM_JOB) client.streams--;
    jobs.detach(client.jobs, row);
  }

  /** Keeps a job for an operator. An opaque client may still get the result of a retry. */
  #bury(row: number, code: string): void {
    const { jobs, dead, counters, journal } = this.#state;
    this.leaveList(row);
    this.#undate(row);
    if (jobs.kind[row] !== OPAQUE) this.#detach(row);
    jobs.state[row] = DEAD;
    jobs.worker[row] = NO_ROW;
    jobs.generation[row] = jobs.generation[row]! + 1;
    journal.dead(row, code);
    dead.add(row, jobs.bytes[row]!, code, this.#state.now);
    for (let old = dead.surplus(); old !== undefined; old = dead.surplus()) {
      counters.drop("dead letters full");
      journal.dropped("dead letters full", `dead letter ${old.id}`);
      this.discard(old);
    }
  }

  #finishRequest(row: number, code: number, reply?: Uint8Array): void {
    const { jobs, requests, now } = this.#state;
    const record = jobs.record(row);
    const at = jobs.at[row]! + jobs.envelopeBytes[row]!;
    // A dead letter that was tried again: its request ended long ago.
    if (requests.find(record, at) !== row + 1) return;
    requests.finish(record, at, now, code, reply);
  }

  /** A request is as if it had never been. */
  forgetRequest(row: number): void {
    const { jobs, requests } = this.#state;
    const at = jobs.at[row]! + jobs.envelopeBytes[row]!;
    const record = jobs.record(row);
    if (requests.find(record, at) === row + 1) requests.forget(record, at);
  }
}
