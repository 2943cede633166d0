/**
 * Calls that wait for their answers, without socket and clock: which broker each went to, what to say
 * again when a broker was away, and when their time is up. Events and the time go in, calls of the
 * sink come out.
 *
 * @module
 */
import {
  cancelFrames,
  creditFrames,
  encodeHeaders,
  requestFrames,
  type RequestKind,
} from "../protocol/dialogue/requests.ts";
import {
  ACCEPTED,
  END,
  ERROR,
  frameOf,
  isWord,
  keyOf,
  octets,
  PARTIAL,
  RESPONSE,
  SIGNATURE,
} from "../protocol/dialogue/words.ts";
import { Deadlines, type Due } from "../protocol/time/deadlines.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";

/** Octets of a request id. */
const ID_BYTES = 16;

/** What a call asks for. */
export interface CallRequest {
  readonly kind: RequestKind;
  readonly command: Uint8Array;
  readonly payload: readonly Uint8Array[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Milliseconds that the caller waits; Infinity for ever. */
  readonly timeout: number;
  /** Whether ACCEPTED is the answer that is waited for. */
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

/** Who sends. */
export interface CallSink {
  /** A message to the broker of that line, which is up. */
  send(line: number, frames: readonly Uint8Array[]): void;
}

/** One call. */
export interface Call extends Due {
  readonly id: Uint8Array;
  readonly key: string;
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
}

/** All calls of a client. */
export class Calls {
  readonly #sink: CallSink;
  readonly #calls: Map<string, Call> = new Map();
  /** Calls that wait for a broker, in order. */
  readonly #waiting: Set<Call> = new Set();
  readonly #deadlines: Deadlines<Call> = new Deadlines();
  readonly #up: boolean[] = [];
  readonly #instance: Uint8Array;
  #count = 0;
  #turn = 0;

  /** `instance` is 8 octets that no other client has. */
  constructor(sink: CallSink, instance: Uint8Array) {
    this.#sink = sink;
    this.#instance = instance;
  }

  /** Calls that wait for their answers. */
  get size(): number {
    return this.#calls.size;
  }

  /** When a call's time is up first; Infinity if none's ever is. */
  get nextDue(): number {
    return this.#deadlines.first()?.due ?? Infinity;
  }

  /** Makes a call. */
  make(request: CallRequest, events: CallEvents, credit: number, now: number): Call {
    const id = this.#newId();
    const call: Call = {
      id,
      key: keyOf(id),
      request,
      events,
      until: now + request.timeout,
      line: -1,
      credit,
      begun: false,
      due: 0,
      place: -1,
    };
    this.#calls.set(call.key, call);
    if (call.until < Infinity) this.#deadlines.set(call, call.until);
    this.#submit(call, now);
    return call;
  }

  /** The caller doesn't want it any more. */
  cancel(call: Call): void {
    if (!this.#calls.has(call.key)) return;
    if (call.line >= 0) this.#sink.send(call.line, cancelFrames(call.id));
    this.#forget(call);
  }

  /** So many more chunks of a stream may come. */
  give(call: Call, count: number): void {
    if (!this.#calls.has(call.key)) return;
    call.credit += count;
    if (call.line >= 0) this.#sink.send(call.line, creditFrames(call.id, count));
  }

  /** A broker is there: what waited for one goes out. */
  lineUp(line: number, now: number): void {
    this.#up[line] = true;
    for (const call of [...this.#waiting]) this.#submit(call, now);
  }

  /** A broker is gone: what it hadn't answered goes to another one, or waits. */
  lineDown(line: number, now: number): void {
    this.#up[line] = false;
    for (const call of [...this.#calls.values()]) {
      if (call.line !== line) continue;
      call.line = -1;
      if (call.begun) this.#fail(call, "CONNECTION_LOST", "The broker was lost inside the stream");
      else this.#submit(call, now);
    }
  }

  /** A broker said something. False if it isn't an answer to any call. */
  received(message: MessageView): boolean {
    const { count, starts, ends, bytes } = message;
    if (count < 4 || starts[0] !== ends[0] || !isWord(message, 1, SIGNATURE)) return false;
    const call = this.#calls.get(keyOf(bytes, starts[3]!, ends[3]!));
    if (call === undefined) return false;
    if (isWord(message, 2, PARTIAL)) {
      call.begun = true;
      call.credit--;
      call.events.chunk(message, 4);
    } else if (isWord(message, 2, RESPONSE)) {
      this.#forget(call);
      call.events.done(message, 4);
    } else if (isWord(message, 2, END)) {
      this.#forget(call);
      call.events.done(undefined, 0);
    } else if (isWord(message, 2, ACCEPTED)) {
      if (call.request.kind !== "EXEC") return true;
      this.#forget(call);
      call.events.done(undefined, 0);
    } else if (isWord(message, 2, ERROR) && count === 6) {
      const decoder = new TextDecoder();
      this.#fail(call, decoder.decode(frameOf(message, 4)), decoder.decode(frameOf(message, 5)));
    } else return false;
    return true;
  }

  /** Ends calls whose time is up. */
  tick(now: number): void {
    for (let call = this.#deadlines.pop(now); call !== undefined;) {
      if (call.line >= 0) this.#sink.send(call.line, cancelFrames(call.id));
      this.#fail(call, "TIMEOUT", `No reply came within ${call.request.timeout} ms`);
      call = this.#deadlines.pop(now);
    }
  }

  /** Ends all calls. */
  close(): void {
    for (const call of [...this.#calls.values()]) {
      this.#fail(call, "CONNECTION_LOST", "The client was closed");
    }
  }

  #submit(call: Call, now: number): void {
    const line = this.#nextLine();
    if (line < 0) {
      this.#waiting.add(call);
      return;
    }
    this.#waiting.delete(call);
    call.line = line;
    const { kind, command, payload, accept } = call.request;
    const headers = [...call.request.headers];
    if (call.until < Infinity) {
      headers.push(["timeout", String(Math.max(1, Math.ceil(call.until - now)))]);
    }
    if (accept) headers.push(["accept", "1"]);
    this.#sink.send(line, requestFrames(kind, call.id, command, encodeHeaders(headers), payload));
    if (call.credit > 0) this.#sink.send(line, creditFrames(call.id, call.credit));
    // Nobody waits for what an EXEC without ACCEPTED comes to: it is done when it is sent.
    if (kind !== "EXEC" || accept) return;
    this.#forget(call);
    call.events.done(undefined, 0);
  }

  /** The next broker in turn that is there, -1 if none is. */
  #nextLine(): number {
    const count = this.#up.length;
    for (let i = 0; i < count; i++) {
      const line = (this.#turn + i) % count;
      if (!this.#up[line]) continue;
      this.#turn = line + 1;
      return line;
    }
    return -1;
  }

  #fail(call: Call, code: string, sentence: string): void {
    this.#forget(call);
    call.events.failed(code, sentence);
  }

  #forget(call: Call): void {
    this.#calls.delete(call.key);
    this.#waiting.delete(call);
    this.#deadlines.clear(call);
  }

  /** The instance and a counter: never the same twice. */
  #newId(): Uint8Array {
    const id = new Uint8Array(ID_BYTES);
    id.set(this.#instance);
    new DataView(id.buffer).setBigUint64(8, BigInt(++this.#count));
    return id;
  }
}

/** The octets of a command's name. */
export function commandOctets(command: string): Uint8Array {
  const bytes = octets(command);
  if (bytes.length < 1 || bytes.length > 255) {
    throw new TypeError("Cannot call: a command's name has 1 to 255 octets");
  }
  return bytes;
}
