/**
 * Calls that wait for their answers, without socket and clock: which broker each went to, what to say
 * again when a broker was away, and when their time is up. Events and the time go in, calls of the
 * sink come out.
 *
 * @module
 */
import {
  addTimeout,
  cancelFrames,
  creditFrames,
  requestFrames,
  type RequestKind,
} from "../protocol/dialogue/requests.ts";
import {
  ACCEPTED,
  END,
  ERROR,
  frameOf,
  isWord,
  PARTIAL,
  RESPONSE,
  SIGNATURE,
  SIGNATURE_STEM,
} from "../protocol/dialogue/words.ts";
import { Deadlines, type Due } from "../protocol/time/deadlines.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import { Lines } from "./lines.ts";

/** Octets of a request id: half of them are the client's own, the others count. */
const ID_BYTES = 16;
const INSTANCE_BYTES = 8;
/**
 * A call is made at most so often. A broker may come and go many times in a long job; but a request
 * that ends the connection whenever it is sent must not do so for ever.
 */
export const MOST_SUBMISSIONS = 100;
/** Sends whose refusal can still be told by name: those of a second, at a good rate. */
const REMEMBERED_SENDS = 1024;

/** What broker and worker say of a job whose client's time is up; here that is a timeout. */
const LATE: ReadonlySet<string> = new Set(["EXPIRED", "CANCELLED"]);

const decoder = new TextDecoder();

/** What a call asks for. */
export interface CallRequest {
  readonly kind: RequestKind;
  readonly command: Uint8Array;
  readonly payload: readonly Uint8Array[];
  /** Headers as octets, without `timeout`. */
  readonly headers: Uint8Array;
  /** Milliseconds that the caller waits; Infinity for ever. */
  readonly timeout: number;
  /** Whether ACCEPTED is the answer that is waited for; the headers ask for it. */
  readonly accept: boolean;
}

/** Who made a call. One of `done` and `failed` is called once, and last. */
export interface CallEvents {
  /** It has its answer: frames of the message from `first` on. None for ACCEPTED and END. */
  done(message: MessageView | undefined, first: number): void;
  /** One chunk of a stream. */
  chunk(message: MessageView, first: number): void;
  /** It has no answer. */
  failed(code: string, sentence: string): void;
}

/** Who sends, and is told what no caller waits for. */
export interface CallSink {
  /** A message to the broker of that line, which is up. */
  send(line: number, frames: readonly Uint8Array[]): void;
  /** Whether so much waits to go out there that senders should wait; asks for `room` if so. */
  full(line: number): boolean;
  /** The broker refused a job of which nobody waits to hear. */
  refused(command: Uint8Array, code: string, sentence: string): void;
}

/** One call. */
export interface Call extends Due {
  readonly id: Uint8Array;
  readonly number: number;
  readonly request: CallRequest;
  readonly events: CallEvents;
  /** When its time is up; Infinity for never. */
  readonly until: number;
  /** The line that it went over, -1 while it waits for one. */
  line: number;
  /** Chunks that may still come. */
  credit: number;
  /** Whether a chunk has come: then it can't be made again. */
  begun: boolean;
  /** How often it was sent. */
  sent: number;
}

/** All calls of a client. */
export class Calls {
  readonly #sink: CallSink;
  readonly #calls: Map<number, Call> = new Map();
  /** Calls that wait for a broker, in order. */
  readonly #waiting: Set<Call> = new Set();
  /** Sends that are queued where too much waits: they are done when there is room. */
  readonly #held: Set<Call> = new Set();
  /** Commands of the last sends that nobody waits for. */
  readonly #sends: Map<number, Uint8Array> = new Map();
  readonly #deadlines: Deadlines<Call> = new Deadlines();
  readonly #lines: Lines;
  readonly #instance: Uint8Array;
  #count = 0;

  /** `instance` is 8 octets that no other client has; `lines` is how many brokers there are. */
  constructor(sink: CallSink, instance: Uint8Array, lines: number) {
    this.#sink = sink;
    this.#instance = instance;
    this.#lines = new Lines(lines);
  }

  /** Calls that wait for their answers. */
  get size(): number {
    return this.#calls.size;
  }

  /** When a call's time is up first; Infinity if none's ever is. */
  get nextDue(): number {
    return this.#deadlines.first()?.due ?? Infinity;
  }

  /** Whether a broker is there. */
  get connected(): boolean {
    return this.#lines.connected;
  }

  /** Why no broker will ever be there; undefined while one may. */
  get trouble(): string | undefined {
    return this.#lines.trouble;
  }

  /** Makes a call. */
  make(request: CallRequest, events: CallEvents, credit: number, now: number): Call {
    const number = ++this.#count;
    const call: Call = {
      id: this.#idOf(number),
      number,
      request,
      events,
      until: now + request.timeout,
      line: -1,
      credit,
      begun: false,
      sent: 0,
      due: 0,
      place: -1,
    };
    this.#calls.set(number, call);
    if (call.until < Infinity) this.#deadlines.set(call, call.until);
    this.#submit(call, now);
    return call;
  }

  /** The caller doesn't want it any more. Says whether it was still under way. */
  cancel(call: Call): boolean {
    if (!this.#calls.has(call.number)) return false;
    this.#tellCancelled(call);
    this.#forget(call);
    return true;
  }

  /** So many more chunks of a stream may come. */
  give(call: Call, count: number): void {
    if (!this.#calls.has(call.number)) return;
    call.credit += count;
    if (call.line >= 0) this.#sink.send(call.line, creditFrames(call.id, count));
  }

  /** A broker is there: what waited for one goes out. */
  lineUp(line: number, now: number): void {
    this.#lines.up(line);
    for (const call of [...this.#waiting]) this.#submit(call, now);
  }

  /**
   * A broker is gone, or will never be there, for the reason `shut`: what it hadn't answered goes to
   * another one, or waits. Gives how many calls that were.
   */
  lineDown(line: number, now: number, shut?: string): number {
    this.#lines.down(line, shut);
    let count = 0;
    for (const call of [...this.#calls.values()]) {
      if (call.line !== line) continue;
      count++;
      this.#again(call, now, "The broker was lost inside the stream");
    }
    if (this.trouble !== undefined) this.#failAll(this.trouble);
    return count;
  }

  /** Output to a broker went below its mark. */
  room(line: number): void {
    for (const call of [...this.#held]) {
      if (call.line === line && this.#held.delete(call)) this.#sentOff(call);
    }
  }

  /** A broker said something. False if it isn't an answer to any call. */
  received(message: MessageView, now: number): boolean {
    const version = signatureOf(message);
    const number = version === 0 ? 0 : this.#numberOf(message);
    if (number === 0) return false;
    const call = this.#calls.get(number);
    if (isWord(message, 2, ERROR) && message.count === 6) {
      const code = decoder.decode(frameOf(message, 4));
      return this.#refused(call, number, code, decoder.decode(frameOf(message, 5)), now);
    }
    // Of another version nothing but its errors is understood.
    if (call === undefined || version !== SIGNATURE[SIGNATURE_STEM]) return false;
    if (isWord(message, 2, PARTIAL)) this.#chunk(call, message);
    else if (isWord(message, 2, RESPONSE)) this.#done(call, message, 4);
    else if (isWord(message, 2, END)) this.#done(call, undefined, 0);
    else if (!isWord(message, 2, ACCEPTED)) return false;
    else if (call.request.kind === "EXEC") this.#done(call, undefined, 0);
    return true;
  }

  /** Ends calls whose time is up. */
  tick(now: number): void {
    for (let call = this.#deadlines.pop(now); call !== undefined;) {
      this.#tellCancelled(call);
      this.#timeOut(call);
      call = this.#deadlines.pop(now);
    }
  }

  /** Ends all calls; brokers are told, but for jobs that nobody waits for: those outlive us. */
  close(): void {
    for (const call of this.#calls.values()) {
      if (call.request.kind !== "EXEC") this.#tellCancelled(call);
    }
    this.#failAll("The client was closed");
  }

  #submit(call: Call, now: number): void {
    const line = this.#lines.next();
    if (line < 0) {
      if (this.trouble === undefined) this.#waiting.add(call);
      else this.#fail(call, "CONNECTION_LOST", this.trouble);
      return;
    }
    this.#waiting.delete(call);
    call.line = line;
    call.sent++;
    const { kind, command, payload, headers, accept } = call.request;
    const isTimed = kind !== "EXEC" && call.until < Infinity;
    const all = isTimed ? addTimeout(headers, Math.max(1, Math.ceil(call.until - now))) : headers;
    this.#sink.send(line, requestFrames(kind, call.id, command, all, payload));
    if (call.credit > 0) this.#sink.send(line, creditFrames(call.id, call.credit));
    if (kind !== "EXEC" || accept) return;
    if (this.#sink.full(line)) this.#held.add(call);
    else this.#sentOff(call);
  }

  /** Makes a call again, if it can be: its broker is gone or goes. */
  #again(call: Call, now: number, sentence: string): void {
    call.line = -1;
    if (call.begun) this.#fail(call, "CONNECTION_LOST", sentence);
    else if (call.sent < MOST_SUBMISSIONS) this.#submit(call, now);
    else {
      const often = `The connection was lost ${MOST_SUBMISSIONS} times while it waited`;
      this.#fail(call, "CONNECTION_LOST", often);
    }
  }

  /** Nobody waits for what an EXEC without ACCEPTED comes to: it is done when it is sent. */
  #sentOff(call: Call): void {
    this.#sends.set(call.number, call.request.command);
    if (this.#sends.size > REMEMBERED_SENDS) {
      for (const oldest of this.#sends.keys()) {
        this.#sends.delete(oldest);
        break;
      }
    }
    this.#done(call, undefined, 0);
  }

  #chunk(call: Call, message: MessageView): void {
    if (call.credit > 0) {
      call.begun = true;
      call.credit--;
      return call.events.chunk(message, 4);
    }
    this.#tellCancelled(call);
    this.#fail(call, "WORKER_FAILED", "A chunk came that was not asked for");
  }

  #refused(
    call: Call | undefined,
    number: number,
    code: string,
    sentence: string,
    now: number,
  ): boolean {
    if (call === undefined) {
      const command = this.#sends.get(number);
      if (command === undefined) return false;
      this.#sends.delete(number);
      this.#sink.refused(command, code, sentence);
      return true;
    }
    if (code === "SHUTDOWN") {
      this.#lines.drains(call.line);
      if (!call.begun && this.#lines.welcoming) {
        this.#again(call, now, sentence);
        return true;
      }
    }
    if (now >= call.until && LATE.has(code)) this.#timeOut(call);
    else this.#fail(call, code, sentence);
    return true;
  }

  #timeOut(call: Call): void {
    this.#fail(call, "TIMEOUT", `No answer came within ${call.request.timeout} ms`);
  }

  #tellCancelled(call: Call): void {
    if (call.line >= 0) this.#sink.send(call.line, cancelFrames(call.id));
  }

  #done(call: Call, message: MessageView | undefined, first: number): void {
    this.#forget(call);
    call.events.done(message, first);
  }

  #fail(call: Call, code: string, sentence: string): void {
    this.#forget(call);
    call.events.failed(code, sentence);
  }

  #failAll(sentence: string): void {
    for (const call of [...this.#calls.values()]) this.#fail(call, "CONNECTION_LOST", sentence);
  }

  #forget(call: Call): void {
    this.#calls.delete(call.number);
    this.#waiting.delete(call);
    this.#held.delete(call);
    this.#deadlines.clear(call);
  }

  /** The instance and a counter: never the same twice. */
  #idOf(number: number): Uint8Array {
    const id = new Uint8Array(ID_BYTES);
    id.set(this.#instance);
    const view = new DataView(id.buffer);
    view.setUint32(INSTANCE_BYTES, Math.floor(number / 2 ** 32));
    view.setUint32(INSTANCE_BYTES + 4, number >>> 0);
    return id;
  }

  /** The number in a message's id; 0 if it is none of ours. */
  #numberOf({ bytes, starts, ends }: MessageView): number {
    const start = starts[3]!;
    if (ends[3]! - start !== ID_BYTES) return 0;
    for (let i = 0; i < INSTANCE_BYTES; i++) {
      if (bytes[start + i] !== this.#instance[i]) return 0;
    }
    let number = 0;
    for (let i = INSTANCE_BYTES; i < ID_BYTES; i++) number = number * 256 + bytes[start + i]!;
    return number;
  }
}

/** The version of a native answer behind its delimiter; 0 if it is none. */
function signatureOf({ count, starts, ends, bytes }: MessageView): number {
  if (count < 4 || starts[0] !== ends[0] || ends[1]! - starts[1]! !== SIGNATURE.length) return 0;
  const start = starts[1]!;
  for (let i = 0; i < SIGNATURE_STEM; i++) if (bytes[start + i] !== SIGNATURE[i]) return 0;
  return bytes[start + SIGNATURE_STEM]!;
}
