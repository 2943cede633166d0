/**
 * The face that clients see: reads what they say, and writes what the core decides for them. A body
 * is passed on as it came off the wire; nothing is framed again. No socket is known here.
 *
 * @module
 */
import { readDecimal } from "../protocol/dialogue/decimal.ts";
import { bodyOf, envelopeEnd } from "../protocol/dialogue/envelope.ts";
import { ERROR_SENTENCES, type ErrorCode } from "../protocol/dialogue/error_code.ts";
import { encodeFrames } from "../protocol/dialogue/frames.ts";
import { readHeaders } from "../protocol/dialogue/headers.ts";
import {
  ACCEPTED,
  CANCEL,
  CREDIT,
  END,
  ERROR,
  EXEC,
  EXIT,
  isWord,
  octets,
  PARTIAL,
  PONG,
  RESPONSE,
  SIGNATURE,
  SIGNATURE_STEM,
  STREAM,
  TRACKEXEC,
} from "../protocol/dialogue/words.ts";
import { MORE } from "../protocol/zmtp/frame.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import type { OutputBatch } from "../protocol/zmtp/output_batch.ts";
import { BY_OUTPUT, type Client } from "./core/client.ts";
import type { Core } from "./core/core.ts";
import type { ClientSink } from "./core/decision.ts";
import { EXEC_JOB, OPAQUE, RESERVED_BODY, STREAM_JOB, TRACK_JOB } from "./core/jobs.ts";
import { ANSWERED, EXECUTED, FAILED } from "./core/request_memory.ts";
import { REQUEST_ID_BYTES } from "./core/requests.ts";
import { NAME_BYTES } from "./core/settings.ts";
import { MOST_CREDIT } from "./core/streams.ts";

/** What stands between a native answer's envelope and its id. */
const HEAD = {
  ACCEPTED: encodeFrames([SIGNATURE, ACCEPTED], true),
  RESPONSE: encodeFrames([SIGNATURE, RESPONSE], true),
  PARTIAL: encodeFrames([SIGNATURE, PARTIAL], true),
  END: encodeFrames([SIGNATURE, END], true),
  ERROR: encodeFrames([SIGNATURE, ERROR], true),
} as const;

const EMPTY_FRAME = new Uint8Array([0, 0]);

/** Reads and writes for clients. */
export class Frontend implements ClientSink {
  #core!: Core;

  /** Says whom to hand events to. Called once. */
  attach(core: Core): void {
    this.#core = core;
  }

  /** A client said something. */
  onMessage(client: Client, message: MessageView, now: number): void {
    const body = bodyOf(message);
    const { count, heads, ends, bytes } = message;
    // A bare DEALER's native request may have an empty frame in it; no envelope begins like that.
    if (body > 0 && isSigned(message, 0)) return this.#native(client, message, 0, now);
    if (body === count) return this.#drop("no body", "an envelope with nothing behind it");
    if (isSigned(message, body)) return this.#native(client, message, body, now);
    const reserved = count - body === 1 && isReserved(message, body);
    this.#core.clients.submit(
      client,
      bytes,
      heads[0]!,
      heads[body]!,
      ends[count - 1]!,
      reserved ? RESERVED_BODY : 0,
      now,
    );
  }

  result(client: Client, row: number, message: MessageView, first: number): void {
    const batch = this.#begin(client, row);
    this.#frames(batch, message, first, true);
    this.#end(client, batch);
  }

  response(client: Client, row: number, message: MessageView, first: number): void {
    this.#answer(client, row, HEAD.RESPONSE, message, first);
  }

  partial(client: Client, row: number, message: MessageView, first: number): void {
    this.#answer(client, row, HEAD.PARTIAL, message, first);
  }

  end(client: Client, row: number): void {
    this.#end(client, this.#head(client, row, HEAD.END, 0));
  }

  accepted(client: Client, row: number): void {
    this.#end(client, this.#head(client, row, HEAD.ACCEPTED, 0));
  }

  error(client: Client, row: number, code: Uint8Array, sentence: Uint8Array): void {
    const batch = this.#head(client, row, HEAD.ERROR, MORE);
    batch.frame(MORE, code, 0, code.length);
    batch.frame(0, sentence, 0, sentence.length);
    this.#end(client, batch);
  }

  #native(client: Client, message: MessageView, body: number, now: number): void {
    const { count, starts, ends, bytes } = message;
    client.native = true;
    const id = body + 2;
    const hasId = id < count && ends[id]! - starts[id]! === REQUEST_ID_BYTES;
    const version = bytes[starts[body]! + SIGNATURE_STEM];
    if (version !== SIGNATURE[SIGNATURE_STEM]) {
      return this.#reject(client, message, body, hasId, "VERSION");
    }
    if (!hasId) return this.#reject(client, message, body, false, "BAD_REQUEST");
    const kind = kindOf(message, body + 1);
    if (kind !== OPAQUE) return this.#job(client, message, body, kind, now);
    const isOver = isWord(message, body + 1, CANCEL) && count === body + 3;
    const isCredit = isWord(message, body + 1, CREDIT) && count === body + 4;
    if (!isOver && !isCredit) return this.#reject(client, message, body, true, "BAD_REQUEST");
    const row = this.#core.state.requests.find(bytes, starts[id]!) - 1;
    const chunks = isCredit ? readDecimal(bytes, starts[id + 1]!, ends[id + 1]!, MOST_CREDIT) : 1;
    if (chunks <= 0) return this.#reject(client, message, body, true, "BAD_REQUEST");
    const done = row >= 0 &&
      (isOver
        ? this.#core.clients.cancel(client, row, now)
        : this.#core.clients.credit(client, row, chunks, now));
    // A job that has just ended looks the same: nobody is at fault.
    if (!done) this.#drop(isOver ? "unknown request" : "bad credit", "no job of this client");
  }

  #job(client: Client, message: MessageView, body: number, kind: number, now: number): void {
    const { count, heads, starts, ends, bytes } = message;
    const [id, command, header] = [body + 2, body + 3, body + 4];
    if (header >= count) return this.#reject(client, message, body, true, "BAD_REQUEST");
    const name = ends[command]! - starts[command]!;
    const headers = readHeaders(bytes, starts[header]!, ends[header]!);
    if (headers === undefined || name === 0 || name > NAME_BYTES) {
      return this.#reject(client, message, body, true, "BAD_REQUEST");
    }
    const idAt = starts[id]!;
    const entry = this.#core.state.requests.find(bytes, idAt);
    const envelope = { bytes, start: heads[0]!, end: envelopeEnd(message, body) };
    if (entry > 0) {
      const copy = bytes.slice(envelope.start, envelope.end);
      return this.#core.clients.moveTo(client, entry - 1, copy, headers.accept, now);
    }
    if (entry < 0) return this.#repeat(client, message, body, -1 - entry, headers.accept);
    const reserved = count === header + 1 && isReserved(message, command);
    const refusal = this.#core.clients.submitNative(
      client,
      envelope,
      { bytes, start: heads[command]!, end: ends[count - 1]! },
      { kind, idAt, headers, flags: reserved ? RESERVED_BODY : 0 },
      now,
    );
    if (refusal !== undefined) this.#reject(client, message, body, true, refusal);
  }

  /** A request that is over came again: it gets the same answer, if that is still known. */
  #repeat(client: Client, message: MessageView, body: number, slot: number, accept: boolean): void {
    const { memory } = this.#core.state.requests;
    const code = memory.code(slot);
    const reply = memory.reply(slot);
    if (code === EXECUTED) {
      if (accept) this.#end(client, this.#headFor(client, message, body, HEAD.ACCEPTED, true, 0));
      return;
    }
    if (reply === undefined) return this.#reject(client, message, body, true, "DUPLICATE");
    const head = code === FAILED ? HEAD.ERROR : code === ANSWERED ? HEAD.RESPONSE : HEAD.END;
    const batch = this.#headFor(client, message, body, head, true, reply.length > 0 ? MORE : 0);
    batch.raw(reply, 0, reply.length);
    this.#end(client, batch);
  }

  /** Says no to what became no job. */
  #reject(
    client: Client,
    message: MessageView,
    body: number,
    hasId: boolean,
    code: ErrorCode,
  ): void {
    const { counters, journal } = this.#core.state;
    counters.rejected++;
    counters.error(code);
    if (journal.level >= 1) journal.client(`rejected ${code}`, client);
    const batch = this.#headFor(client, message, body, HEAD.ERROR, hasId, MORE);
    const name = octets(code);
    const sentence = octets(ERROR_SENTENCES[code]);
    batch.frame(MORE, name, 0, name.length);
    batch.frame(0, sentence, 0, sentence.length);
    this.#end(client, batch);
  }

  #drop(reason: "no body" | "unknown request" | "bad credit", detail: string): void {
    this.#core.state.counters.drop(reason);
    this.#core.state.journal.dropped(reason, detail);
  }

  /** The envelope of a job, as it came. */
  #begin(client: Client, row: number): OutputBatch {
    const { jobs } = this.#core.state;
    const at = jobs.at[row]!;
    const batch = client.outlet.batch();
    batch.raw(jobs.record(row), at, at + jobs.envelopeBytes[row]!);
    return batch;
  }

  /** Envelope, signature, word and id of an answer to a native job. */
  #head(client: Client, row: number, head: Uint8Array, more: number): OutputBatch {
    const { jobs } = this.#core.state;
    const batch = this.#begin(client, row);
    const id = jobs.at[row]! + jobs.envelopeBytes[row]!;
    batch.raw(head, 0, head.length);
    batch.frame(more, jobs.record(row), id, id + REQUEST_ID_BYTES);
    return batch;
  }

  /** The same for a message that became no job. */
  #headFor(
    client: Client,
    message: MessageView,
    body: number,
    head: Uint8Array,
    hasId: boolean,
    more: number,
  ): OutputBatch {
    const batch = client.outlet.batch();
    const id = hasId ? message.starts[body + 2]! : 0;
    batch.raw(message.bytes, message.heads[0]!, envelopeEnd(message, body));
    batch.raw(head, 0, head.length);
    batch.frame(more, message.bytes, id, hasId ? id + REQUEST_ID_BYTES : 0);
    return batch;
  }

  #answer(
    client: Client,
    row: number,
    head: Uint8Array,
    message: MessageView,
    first: number,
  ): void {
    const batch = this.#head(client, row, head, first < message.count ? MORE : 0);
    this.#frames(batch, message, first, false);
    this.#end(client, batch);
  }

  /** Frames as they came off the worker's wire. A libzmq REQ needs at least one. */
  #frames(batch: OutputBatch, message: MessageView, first: number, least: boolean): void {
    const { count, heads, ends, bytes } = message;
    if (first < count) batch.raw(bytes, heads[first]!, ends[count - 1]!);
    else if (least) batch.raw(EMPTY_FRAME, 0, EMPTY_FRAME.length);
  }

  #end(client: Client, batch: OutputBatch): void {
    batch.messages++;
    if (client.outlet.full) client.pause(BY_OUTPUT);
  }
}

/** Whether a frame is the signature of any version. */
function isSigned({ bytes, starts, ends }: MessageView, index: number): boolean {
  const start = starts[index]!;
  if (ends[index]! - start !== SIGNATURE.length) return false;
  for (let i = 0; i < SIGNATURE_STEM; i++) {
    if (bytes[start + i] !== SIGNATURE[i]) return false;
  }
  return true;
}

function isReserved(message: MessageView, index: number): boolean {
  return isWord(message, index, PONG) || isWord(message, index, EXIT);
}

function kindOf(message: MessageView, index: number): number {
  if (isWord(message, index, TRACKEXEC)) return TRACK_JOB;
  if (isWord(message, index, EXEC)) return EXEC_JOB;
  return isWord(message, index, STREAM) ? STREAM_JOB : OPAQUE;
}
