/**
 * What the broker writes to workers: jobs in the form that suits each of them, and the few words of
 * both dialogues. A body goes out as it came off the client's wire. No socket is known here.
 *
 * @module
 */
import { encodeFrames } from "../protocol/dialogue/frames.ts";
import { withTimeout } from "../protocol/dialogue/headers.ts";
import { JOB_ID_BYTES, writeJobId } from "../protocol/dialogue/job_id.ts";
import {
  CANCEL,
  CREDIT,
  EXEC,
  EXIT,
  octets,
  PONG,
  REFUSED,
  REGISTERED,
  SIGNATURE,
  STREAM,
  TRACKEXEC,
} from "../protocol/dialogue/words.ts";
import { frameEnd, LONG, LONG_HEADER, MORE, SHORT_HEADER } from "../protocol/zmtp/frame.ts";
import type { OutputBatch } from "../protocol/zmtp/output_batch.ts";
import type { WorkerSink } from "./core/decision.ts";
import { EXEC_JOB, OPAQUE, STREAM_JOB, TIMED } from "./core/jobs.ts";
import { REQUEST_ID_BYTES } from "./core/requests.ts";
import type { State } from "./core/state.ts";
import type { Worker, WorkerConnection } from "./core/worker.ts";

const KIND_EXEC = encodeFrames([SIGNATURE, EXEC], true);
const KIND_TRACK = encodeFrames([SIGNATURE, TRACKEXEC], true);
const KIND_STREAM = encodeFrames([SIGNATURE, STREAM], true);
const CANCEL_BODY = encodeFrames([SIGNATURE, CANCEL]);
const CREDIT_HEAD = encodeFrames([SIGNATURE, CREDIT], true);
const PONG_BODY = encodeFrames([PONG]);
const EXIT_BODY = encodeFrames([EXIT]);

/** A job id's frame and the delimiter behind it. */
const ID_FRAMES = SHORT_HEADER + JOB_ID_BYTES + SHORT_HEADER;

/** Writes for workers. */
export class WorkerMessages implements WorkerSink {
  #state!: State;

  /** Says where jobs lie. Called once. */
  attach(state: State): void {
    this.#state = state;
  }

  job(worker: Worker, row: number): void {
    const { jobs, journal, streams } = this.#state;
    const batch = this.#begin(worker);
    if (worker.dialect !== "READY") this.#id(batch, row);
    const record = jobs.record(row);
    const at = jobs.at[row]!;
    const end = at + jobs.bytes[row]!;
    const body = at + jobs.envelopeBytes[row]!;
    const kind = jobs.kind[row]!;
    if (kind === OPAQUE) batch.raw(record, body, end);
    else if (worker.native) this.#native(batch, row, record, body + REQUEST_ID_BYTES, end);
    else plain(batch, record, body + REQUEST_ID_BYTES, end);
    batch.messages++;
    if (kind === STREAM_JOB && worker.native) {
      const credit = streams.credit(row);
      if (credit > 0) this.credit(worker, row, credit);
    }
    if (journal.level >= 3) journal.sized("job", row, end - body);
  }

  cancel(worker: Worker, row: number): void {
    const batch = this.#begin(worker);
    this.#id(batch, row);
    end(batch, CANCEL_BODY);
  }

  credit(worker: Worker, row: number, count: number): void {
    const batch = this.#begin(worker);
    this.#id(batch, row);
    batch.raw(CREDIT_HEAD, 0, CREDIT_HEAD.length);
    end(batch, encodeFrames([octets(String(count))]));
  }

  registered(worker: Worker): void {
    if (worker.connection.outlet.full) return;
    const expire = this.#state.settings.workerExpire / 1000;
    end(
      this.#begin(worker),
      encodeFrames([
        REGISTERED,
        octets(String(worker.capacity)),
        octets(`expire=${expire}`),
        worker.address,
      ]),
    );
  }

  pong(worker: Worker): void {
    // Who doesn't read what it is sent needs no more of it.
    if (!worker.connection.outlet.full) end(this.#begin(worker), PONG_BODY);
  }

  exit(worker: Worker): void {
    end(this.#begin(worker), EXIT_BODY);
  }

  /** A PONG to somebody who is in no table. */
  pongTo(connection: WorkerConnection, envelope: Uint8Array): void {
    if (connection.outlet.full) return;
    const batch = connection.outlet.batch();
    batch.raw(envelope, 0, envelope.length);
    end(batch, PONG_BODY);
  }

  /** No to a REGISTER, or to the PING of a stranger. */
  refused(
    connection: WorkerConnection,
    envelope: Uint8Array,
    reason: string,
    address: Uint8Array,
  ): void {
    if (connection.outlet.full) return;
    const batch = connection.outlet.batch();
    batch.raw(envelope, 0, envelope.length);
    end(batch, encodeFrames([REFUSED, octets(reason), address]));
  }

  /** The envelope of a worker. */
  #begin(worker: Worker): OutputBatch {
    const batch = worker.connection.outlet.batch();
    batch.raw(worker.envelope, 0, worker.envelope.length);
    return batch;
  }

  /** The id of a job and the delimiter that makes it an address frame on top. */
  #id(batch: OutputBatch, row: number): void {
    const at = batch.reserve(ID_FRAMES);
    const { bytes } = batch;
    bytes[at] = MORE;
    bytes[at + 1] = JOB_ID_BYTES;
    const { jobs, epoch } = this.#state;
    writeJobId(bytes, at + SHORT_HEADER, row, jobs.generation[row]! + epoch);
    bytes[at + SHORT_HEADER + JOB_ID_BYTES] = MORE;
    bytes[at + SHORT_HEADER + JOB_ID_BYTES + 1] = 0;
  }

  /** A native job for a native worker: kind, attempt, and the client's own frames. */
  #native(batch: OutputBatch, row: number, record: Uint8Array, from: number, to: number): void {
    const { jobs, dates, now } = this.#state;
    const kind = jobs.kind[row]!;
    const head = kind === EXEC_JOB ? KIND_EXEC : kind === STREAM_JOB ? KIND_STREAM : KIND_TRACK;
    const attempt = octets(String(jobs.attempts[row]!));
    batch.raw(head, 0, head.length);
    batch.frame(MORE, attempt, 0, attempt.length);
    if ((jobs.flags[row]! & TIMED) === 0) return batch.raw(record, from, to);
    // The client's patience shrinks while its job waits: the worker is told what is left.
    const headersAt = frameEnd(record, from);
    const payloadAt = frameEnd(record, headersAt);
    const left = Math.max(1, Math.ceil(dates.get(row)!.timeoutAt - now));
    const headers = withTimeout(record, bodyAt(record, headersAt), payloadAt, left);
    batch.raw(record, from, headersAt);
    batch.frame(payloadAt < to ? MORE : 0, headers, 0, headers.length);
    batch.raw(record, payloadAt, to);
  }
}

/** A native job for a plain worker: its command and payload, without the headers between them. */
function plain(batch: OutputBatch, record: Uint8Array, from: number, to: number): void {
  const headersAt = frameEnd(record, from);
  const payloadAt = frameEnd(record, headersAt);
  const more = payloadAt < to ? MORE : 0;
  batch.frame(more, record, bodyAt(record, from), headersAt);
  batch.raw(record, payloadAt, to);
}

function bodyAt(bytes: Uint8Array, at: number): number {
  return at + ((bytes[at]! & LONG) === 0 ? SHORT_HEADER : LONG_HEADER);
}

function end(batch: OutputBatch, body: Uint8Array): void {
  batch.raw(body, 0, body.length);
  batch.messages++;
}
