/**
 * The jobs of one worker: which run, which wait for a place, what is said about each when it is over,
 * and which the broker has forgotten, so that what comes of them is said to nobody.
 *
 * @module
 */
import { keyOf } from "../protocol/dialogue/words.ts";
import {
  bytesOf,
  chunkAnswer,
  endAnswer,
  errorAnswer,
  type Frames,
  readyError,
  reserved,
  tooLarge,
  wholeAnswer,
} from "./answer.ts";
import type { Failure } from "./failure.ts";
import type { Journal } from "./journal.ts";
import type { JobData, Run, RunEvents, Runner } from "./run.ts";

/** Who says it to the broker. */
export interface Replies {
  /** An answer to the job of that id, whole or in part. */
  answer(id: Uint8Array, frames: Frames): void;
  /** The answer of a READY worker. */
  result(frames: Frames): void;
  /** A job that the broker knows of is over. */
  finished(): void;
  /** No job is here any more. */
  idle(): void;
}

/** A job that is here. */
interface Ticket {
  /** A READY worker's job has none. */
  readonly id: Uint8Array | undefined;
  readonly data: JobData;
  readonly arrived: number;
  /** Undefined while it waits. */
  run: Run | undefined;
  /** Chunks that may be sent, given while it waited. */
  credit: number;
  /** Whether its client was told the end already: a chunk was too large. */
  told: boolean;
  /** Whether the broker has forgotten it. */
  orphan: boolean;
}

/** What a desk is made of. */
export interface DeskParts {
  readonly runner: Runner;
  readonly replies: Replies;
  readonly journal: Journal;
  /** Jobs that may run at a time. */
  readonly slots: number;
  readonly now: () => number;
}

/** The desk. */
export class Desk {
  /** Jobs that ended with an answer, and without one. */
  completed = 0;
  failed = 0;
  readonly #parts: DeskParts;
  readonly #running: Set<Ticket> = new Set();
  /** By id; none that is forgotten. */
  readonly #known: Map<string, Ticket> = new Map();
  /** More than there are slots: they came while jobs that the broker has forgotten still run. */
  #waiting: Ticket[] = [];
  /** Commands that were at work since somebody asked. */
  #atWork: Set<string> = new Set();

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** Jobs that run. */
  get running(): number {
    return this.#running.size;
  }

  /** Jobs that are here. */
  get size(): number {
    return this.#running.size + this.#waiting.length;
  }

  /** The commands that were at work since this was asked last. */
  takeCommands(): ReadonlySet<string> {
    const commands = this.#atWork;
    this.#atWork = new Set([...this.#running].map(({ data }) => data.command));
    return commands;
  }

  /** A job came. */
  take(id: Uint8Array | undefined, data: JobData): void {
    const { journal, slots, now } = this.#parts;
    const { command, attempt, kind } = data;
    if (journal.level >= 1) journal.job(1, "job", { command, kind, attempt });
    if (journal.level >= 3) {
      journal.say(3, "job size", { command, octets: bytesOf(data.whole ?? data.frames) });
    }
    const arrived = now();
    const ticket = { id, data, arrived, run: undefined, credit: 0, told: false, orphan: false };
    if (id !== undefined) this.#known.set(keyOf(id), ticket);
    if (this.#running.size < slots) return this.#start(ticket);
    journal.say(4, "a job waits: jobs that the broker has forgotten still run", { command });
    this.#waiting.push(ticket);
  }

  /** A job came that makes no sense. */
  refuse(id: Uint8Array): void {
    this.failed++;
    const message = "The job isn't a legal native message";
    this.#parts.replies.answer(id, errorAnswer({ code: "WORKER_FAILED", message }));
    this.#parts.replies.finished();
  }

  /** Nobody wants a job any more. */
  cancel(id: Uint8Array, reason: DOMException): void {
    const ticket = this.#known.get(keyOf(id));
    if (ticket?.run !== undefined) return ticket.run.cancel(reason);
    const at = ticket === undefined ? -1 : this.#waiting.indexOf(ticket);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    this.#fail(ticket!, { code: "CANCELLED", message: reason.message });
  }

  /** More chunks of a job may be sent. */
  credit(id: Uint8Array, count: number): void {
    const ticket = this.#known.get(keyOf(id));
    if (ticket === undefined) return;
    if (ticket.run === undefined) ticket.credit += count;
    else ticket.run.credit(count);
  }

  /**
   * The broker has forgotten all jobs, and nobody can be told what comes of them: they are stopped. An
   * EXEC may go on, since it has nobody to tell anyway.
   */
  forget(reason: DOMException): void {
    this.#waiting = [];
    this.#known.clear();
    for (const ticket of this.#running) {
      if (!ticket.orphan && ticket.data.kind !== "EXEC") ticket.run?.cancel(reason);
      ticket.orphan = true;
    }
    if (this.size === 0) this.#parts.replies.idle();
  }

  /** The worker ends: all jobs are stopped, and the broker will give them to others. */
  stop(reason: DOMException): void {
    this.forget(reason);
    for (const ticket of this.#running) ticket.run?.cancel(reason);
  }

  #start(ticket: Ticket): void {
    const { runner, now } = this.#parts;
    const { data, arrived } = ticket;
    const left = data.timeout - (now() - arrived);
    if (data.timeout >= 0 && left <= 0 && now() > arrived) {
      return this.#fail(ticket, { code: "EXPIRED", message: "The job didn't start in time" });
    }
    this.#running.add(ticket);
    this.#atWork.add(data.command);
    const job = data.timeout < 0 ? data : { ...data, timeout: left };
    ticket.run = runner.run(job, this.#eventsOf(ticket));
    if (ticket.credit > 0) ticket.run.credit(ticket.credit);
  }

  #eventsOf(ticket: Ticket): RunEvents {
    return {
      done: (frames) => this.#done(ticket, frames),
      chunk: (frames) => this.#chunk(ticket, frames),
      ended: () => {
        this.#answer(ticket, endAnswer());
        this.#over(ticket, true);
      },
      failed: (code, message) => this.#fail(ticket, { code, message }),
    };
  }

  #done(ticket: Ticket, frames: Frames): void {
    const { id, data } = ticket;
    const { journal, replies } = this.#parts;
    if (journal.level >= 3) {
      journal.say(3, "result size", { command: data.command, octets: bytesOf(frames) });
    }
    const fault = tooLarge(frames) ?? (id === undefined ? reserved(frames) : undefined);
    if (fault !== undefined) return this.#fail(ticket, fault);
    if (id !== undefined) this.#answer(ticket, wholeAnswer(data.kind, frames));
    else if (!ticket.orphan) replies.result(frames);
    this.#over(ticket, true);
  }

  #chunk(ticket: Ticket, frames: Frames): void {
    const fault = tooLarge(frames);
    if (fault === undefined) return this.#answer(ticket, chunkAnswer(frames));
    this.#answer(ticket, errorAnswer(fault));
    // Nobody waits for the rest of it; its slot is free when it has stopped.
    ticket.told = true;
    ticket.run?.cancel(new DOMException(fault.message, "AbortError"));
  }

  #answer(ticket: Ticket, frames: Frames): void {
    if (ticket.orphan || ticket.told || ticket.id === undefined) return;
    this.#parts.replies.answer(ticket.id, frames);
  }

  #fail(ticket: Ticket, failure: Failure): void {
    const { journal, replies } = this.#parts;
    const { command } = ticket.data;
    if (journal.level >= 1) journal.job(1, "job failed", { command, ...failure });
    if (ticket.id !== undefined) this.#answer(ticket, errorAnswer(failure));
    else if (!ticket.orphan) replies.result(readyError(failure));
    this.#over(ticket, false);
  }

  /** A job is over: its slot is free. */
  #over(ticket: Ticket, well: boolean): void {
    const { replies } = this.#parts;
    if (well && !ticket.orphan && !ticket.told) this.completed++;
    else this.failed++;
    const ran = this.#running.delete(ticket);
    if (!ticket.orphan) {
      if (ticket.id !== undefined) this.#known.delete(keyOf(ticket.id));
      replies.finished();
    }
    // One that waited made no room; and a thousand of them must not call each other.
    if (ran) this.#startWaiting();
    if (this.size === 0) replies.idle();
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && this.#running.size < this.#parts.slots) {
      this.#start(this.#waiting.shift()!);
    }
  }
}
