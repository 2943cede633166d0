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
  OPAQUE,
  RUNNING,
  STREAM_JOB,
  TIMED,
  TRACK_JOB,
  WAITING,
} from "./jobs.ts";
import { ANSWERED, EXECUTED, FAILED, STREAMED } from "./request_memory.ts";
import type { State } from "./state.ts";

const decoder = new TextDecoder();

/**
 * The ends of jobs. Each is counted once: every job that was accepted, or tried again, is completed,
 * failed, cancelled or dropped because its client is gone; or it waits; or it runs and is wanted.
 */
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
      const isWhole = reply !== undefined || kind === TRACK_JOB;
      const code = kind === EXEC_JOB ? EXECUTED : isWhole ? ANSWERED : STREAMED;
      this.#finishRequest(row, code, reply);
    }
    if (this.#state.journal.level >= 1) this.#state.journal.job("completed", row);
    this.release(row);
  }

  /** A job ends without a result; its client is told if it can be, an operator if it can't. */
  fail(row: number, code: ErrorCode, sentence: string = ERROR_SENTENCES[code]): void {
    this.failWith(row, code, octets(code), octets(sentence));
  }

  /** The same with a code and a sentence of a worker; it is counted by the name that we give it. */
  failWith(row: number, name: ErrorCode, code: Uint8Array, sentence: Uint8Array): void {
    const { jobs, counters, toClients, journal } = this.#state;
    // One that nobody wants has ended before; only its worker didn't know.
    if ((jobs.flags[row]! & ABANDONED) !== 0) return this.release(row);
    const kind = jobs.kind[row]!;
    const client = this.#state.clientOf(row);
    const isEnd = name === "SHUTDOWN";
    // Who sent an EXEC expects no answer; but what is left at the end is told to all who can be.
    const tells = client !== undefined && kind !== OPAQUE && (kind !== EXEC_JOB || isEnd);
    if (journal.level >= 1) journal.job("failed", row, name);
    counters.failed++;
    counters.error(name);
    if (name === "EXPIRED") counters.expired++;
    if (tells) toClients.error(client, row, code, sentence);
    if (kind !== OPAQUE) this.#finishRequest(row, FAILED, encodeFrames([code, sentence]));
    if (isEnd && !tells) this.drop(row, "shutdown");
    else if (!isEnd && (!tells || name === "WORKER_LOST")) this.#bury(row, name, code);
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
   * The workers of jobs are lost, or took too long. The jobs, oldest first, go back to the heads of
   * their backlogs in that order, unless one was tried often enough, has begun to stream, is too
   * old, or was given up by its client.
   */
  requeue(rows: readonly number[]): void {
    const again = rows.filter((row) => this.#mayRunAgain(row));
    for (const row of again.reverse()) this.#putBack(row);
  }

  /** Ends a job that must not run again. */
  #mayRunAgain(row: number): boolean {
    const { jobs, settings, dates, now } = this.#state;
    const flags = jobs.flags[row]!;
    const isLost = (flags & CHUNKED) !== 0 || jobs.attempts[row]! >= settings.maxAttempts;
    const isOld = (flags & DATED) !== 0 && dates.get(row)!.timeoutAt <= now;
    if ((flags & ABANDONED) !== 0) this.release(row);
    else if (isLost) this.fail(row, "WORKER_LOST");
    else if (isOld) this.fail(row, "EXPIRED");
    else return true;
    return false;
  }

  /** A job waits again, before all others. */
  #putBack(row: number): void {
    const { jobs, services, dates, deadlines, counters, journal } = this.#state;
    this.leaveList(row);
    const date = dates.get(row);
    // It did start in time; what counts now is how long its client waits.
    if (date !== undefined && date.timeoutAt < Infinity) deadlines.set(date, date.timeoutAt);
    // All its credit goes to the next worker with the job.
    if (jobs.kind[row] === STREAM_JOB) this.#state.streams.release(row);
    jobs.state[row] = WAITING;
    jobs.generation[row] = jobs.generation[row]! + 1;
    jobs.unshift(services.at(jobs.service[row]!).backlog, row);
    this.#state.waiting++;
    this.#state.waitingBytes += jobs.bytes[row]!;
    counters.requeued++;
    if (journal.level >= 1) journal.job("requeued", row);
  }

  /** The client of a running job is gone: the worker may finish, but nobody waits for it. */
  orphan(row: number): void {
    const { jobs, counters, journal } = this.#state;
    counters.drop("client gone");
    journal.dropped("client gone", "a job that runs");
    if (jobs.kind[row] !== OPAQUE) this.forgetRequest(row);
    this.#abandon(row);
  }

  /** A job ends by its client's doing: it is told so, and what a worker still says is dropped. */
  cancel(row: number, name: ErrorCode): void {
    const { jobs, counters, toClients, journal } = this.#state;
    const client = this.#state.clientOf(row);
    const code = octets(name);
    const sentence = octets(ERROR_SENTENCES[name]);
    counters.cancelled++;
    counters.error(name);
    if (journal.level >= 1) journal.job("cancelled", row);
    if (client !== undefined) toClients.error(client, row, code, sentence);
    this.#finishRequest(row, FAILED, encodeFrames([code, sentence]));
    if (jobs.state[row] === RUNNING) this.#abandon(row);
    else this.release(row);
  }

  /** A dead letter goes back to the end of its backlog as if it were new. */
  revive(letter: DeadLetter): void {
    const { jobs, services, dead, counters, streams } = this.#state;
    const { row } = letter;
    counters.retried++;
    dead.remove(letter, jobs.bytes[row]!);
    jobs.attempts[row] = 0;
    jobs.flags[row] = jobs.flags[row]! & ~CHUNKED;
    // Nobody reads its chunks any more, so nobody slows it down.
    if (jobs.kind[row] === STREAM_JOB) streams.fill(row);
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
    jobs.flags[row] = jobs.flags[row]! & ~(DATED | TIMED);
  }

  #detach(row: number): void {
    const { jobs } = this.#state;
    const client = this.#state.clientOf(row);
    if (client === undefined) return;
    if (jobs.kind[row] === STREAM_JOB) client.streams--;
    jobs.detach(client.jobs, row);
  }

  /** Keeps a job for an operator. An opaque client may still get the result of a retry. */
  #bury(row: number, name: ErrorCode, code: Uint8Array): void {
    const { jobs, dead, counters, journal } = this.#state;
    this.leaveList(row);
    this.#undate(row);
    if (jobs.kind[row] !== OPAQUE) this.#detach(row);
    jobs.state[row] = DEAD;
    jobs.generation[row] = jobs.generation[row]! + 1;
    const letter = dead.add(row, jobs.bytes[row]!, decoder.decode(code), this.#state.now);
    journal.dead(row, name, letter.id);
    for (let old = dead.surplus(); old !== undefined; old = dead.surplus()) {
      counters.drop("dead letters full");
      journal.dropped("dead letters full", `dead letter ${old.id}`);
      this.discard(old);
    }
  }

  /** Nobody wants the outcome any more, but a worker has the job: what comes of it is dropped. */
  #abandon(row: number): void {
    const { jobs } = this.#state;
    jobs.flags[row] = jobs.flags[row]! | ABANDONED;
    this.#detach(row);
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
