/**
 * What workers answer: whose job it is, who gets it, and what that frees. A worker may only answer
 * jobs that are at that very worker; a late or forged id changes nothing.
 *
 * @module
 */
import { isWord, PARTIAL, RESPONSE, SIGNATURE } from "../../protocol/dialogue/words.ts";
import { END, ERROR, frameOf, octets } from "../../protocol/dialogue/words.ts";
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { ABANDONED, CHUNKED, EXEC_JOB, OPAQUE, STREAM_JOB } from "./jobs.ts";
import type { Outcomes } from "./outcomes.ts";
import { NAME_BYTES } from "./settings.ts";
import type { State } from "./state.ts";
import type { Worker } from "./worker.ts";
import type { WorkerDesk } from "./worker_desk.ts";

const NO_COMMAND = octets("NO_COMMAND");

/** Octets of a worker's sentence that are passed on. */
const SENTENCE_BYTES = 4096;

/** The answers of workers. */
export class Answers {
  readonly #state: State;
  readonly #outcomes: Outcomes;
  readonly #dispatcher: Dispatcher;
  readonly #desk: WorkerDesk;

  constructor(state: State, outcomes: Outcomes, dispatcher: Dispatcher, desk: WorkerDesk) {
    this.#state = state;
    this.#outcomes = outcomes;
    this.#dispatcher = dispatcher;
    this.#desk = desk;
  }

  /** The answer to one job: the frames of a message from `first` on. */
  answered(worker: Worker, row: number, message: MessageView, first: number): void {
    if ((this.#state.jobs.flags[row]! & ABANDONED) !== 0) {
      if (!this.#isLast(worker, message, first)) return;
      this.#nobody();
      this.#outcomes.release(row);
      return this.#freed(worker);
    }
    const { journal } = this.#state;
    if (journal.level >= 3) journal.sized("result", row, sizeFrom(message, first));
    const native = worker.native && first < message.count && isWord(message, first, SIGNATURE);
    const over = native
      ? this.#native(worker, row, message, first + 1)
      : this.#plain(row, message, first);
    if (over) this.#freed(worker);
  }

  /** The answer of a worker that has one job and names none. */
  answeredOnly(worker: Worker, message: MessageView, first: number): void {
    if (worker.owed > 0) {
      // It belongs to an attempt that was given up.
      worker.owed--;
      this.#state.counters.drop("stale result");
      this.#state.journal.dropped("stale result", "an attempt had taken too long");
      this.#desk.vacate(worker);
      return this.#dispatcher.offerAll(worker);
    }
    this.answered(worker, worker.running.first, message, first);
  }

  /** An id that names no job of this worker. */
  stale(worker: Worker): void {
    const { counters, journal } = this.#state;
    counters.drop("stale result");
    journal.dropped("stale result", "the job isn't at this worker");
    if (!worker.oneSlot || worker.owed === 0) return;
    worker.owed--;
    this.#desk.vacate(worker);
    this.#dispatcher.offerAll(worker);
  }

  /** A job is off a worker's hands. */
  #freed(worker: Worker): void {
    if (worker.oneSlot) this.#desk.vacate(worker);
    else this.#dispatcher.refresh(worker);
    this.#dispatcher.offerAll(worker);
  }

  /** Whether a worker says no more about its job after this. */
  #isLast(worker: Worker, message: MessageView, first: number): boolean {
    return !(worker.native && first + 1 < message.count && isWord(message, first, SIGNATURE) &&
      isWord(message, first + 1, PARTIAL));
  }

  /** The whole answer of a worker that knows nothing of the native dialogue. */
  #plain(row: number, message: MessageView, first: number): boolean {
    const { jobs, toClients } = this.#state;
    const client = this.#state.clientOf(row);
    const kind = jobs.kind[row]!;
    if (kind === EXEC_JOB) {
      this.#outcomes.complete(row);
    } else if (client === undefined) {
      this.#nobody();
      this.#outcomes.complete(row);
    } else if (kind === OPAQUE) {
      toClients.result(client, row, message, first);
      this.#outcomes.complete(row);
    } else {
      toClients.response(client, row, message, first);
      this.#outcomes.complete(row, this.#copy(message, first));
    }
    return true;
  }

  /** An answer in the native dialogue; says whether the job is over with it. */
  #native(worker: Worker, row: number, message: MessageView, word: number): boolean {
    if (word >= message.count) return this.#nonsense(worker, row);
    if (isWord(message, word, RESPONSE)) return this.#plain(row, message, word + 1);
    if (isWord(message, word, ERROR)) return this.#error(worker, row, message, word + 1);
    if (this.#state.jobs.kind[row] !== STREAM_JOB) return this.#nonsense(worker, row);
    if (isWord(message, word, PARTIAL)) return this.#partial(worker, row, message, word + 1);
    if (isWord(message, word, END)) return this.#end(row);
    return this.#nonsense(worker, row);
  }

  #error(worker: Worker, row: number, message: MessageView, at: number): boolean {
    if (message.count - at !== 2) return this.#nonsense(worker, row);
    const code = frameOf(message, at);
    const sentence = frameOf(message, at + 1).subarray(0, SENTENCE_BYTES);
    if (code.length === 0 || code.length > NAME_BYTES) return this.#nonsense(worker, row);
    // A worker's code is its own; it is counted by one of ours, so that it can't fill a table.
    const name = isWord(message, at, NO_COMMAND) ? "NO_COMMAND" : "WORKER_FAILED";
    this.#outcomes.failWith(row, name, code, sentence);
    return true;
  }

  #partial(worker: Worker, row: number, message: MessageView, first: number): boolean {
    const { jobs, streams, toClients, counters } = this.#state;
    const client = this.#state.clientOf(row);
    if (client === undefined) return false;
    if (!streams.take(row)) return this.#nonsense(worker, row);
    jobs.flags[row] = jobs.flags[row]! | CHUNKED;
    counters.chunks++;
    toClients.partial(client, row, message, first);
    return false;
  }

  #end(row: number): boolean {
    const client = this.#state.clientOf(row);
    if (client !== undefined) this.#state.toClients.end(client, row);
    else this.#nobody();
    this.#outcomes.complete(row);
    return true;
  }

  /** A result of a job that nobody waits for. */
  #nobody(): void {
    const { counters, journal } = this.#state;
    counters.drop("nobody waits");
    journal.dropped("nobody waits", "a result");
  }

  /** A native worker said what it must not: its job is over, and it is told to stop it. */
  #nonsense(worker: Worker, row: number): boolean {
    const { toWorkers, counters, journal } = this.#state;
    counters.drop("not understood");
    journal.dropped("not understood", "a native worker's answer");
    toWorkers.cancel(worker, row);
    this.#outcomes.fail(row, "WORKER_FAILED", "The worker's answer wasn't legal");
    return true;
  }

  /** A copy of the frames that are kept in case the request comes again. */
  #copy(message: MessageView, first: number): Uint8Array | undefined {
    const { count, heads, ends, bytes } = message;
    if (first === count) return new Uint8Array(0);
    const start = heads[first]!;
    const end = ends[count - 1]!;
    return end - start > this.#state.settings.finishedReplyBytes
      ? undefined
      : bytes.slice(start, end);
  }
}

/** Octets on the wire of a message's frames from `first` on. */
function sizeFrom({ count, heads, ends }: MessageView, first: number): number {
  return first < count ? ends[count - 1]! - heads[first]! : 0;
}
