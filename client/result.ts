/**
 * What a call gives: frames that belong to the caller, with text and JSON at hand.
 *
 * @module
 */
import { type Frame, FrameMaker } from "../protocol/sockets/frame.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";

/**
 * What the JSON of a result is, if a handler gives `T`: `T`, but for text and octets, which travel as
 * they are and not as JSON.
 *
 * @example
 * ```ts
 * import type { JsonOf } from "./result.ts";
 *
 * const sum: JsonOf<number> = 6;
 * if (sum !== 6) throw new Error("changed");
 * ```
 */
export type JsonOf<T> = T extends string | ArrayBuffer | ArrayBufferView | readonly Uint8Array[]
  ? unknown
  : T;

/**
 * The answer to a call, or one chunk of a stream. `T` is what the handler gives.
 *
 * @example
 * ```ts
 * import type { Result } from "./result.ts";
 *
 * const sum = (result: Result<number>) => result.json() + 1;
 * if (sum.length !== 1) throw new Error("not a function of one result");
 * ```
 */
export class Result<T = unknown> {
  /** All frames. */
  readonly frames: readonly Frame[];

  /** Made by a client. */
  constructor(frames: readonly Frame[]) {
    this.frames = frames;
  }

  /** The first frame as octets; empty if there is none. */
  get bytes(): Uint8Array {
    return this.frames[0] ?? new Uint8Array(0);
  }

  /** The first frame as UTF-8 text; empty if there is none. */
  text(): string {
    return this.frames[0]?.text() ?? "";
  }

  /** The first frame parsed as JSON; undefined if there is none, as where a handler gives nothing. */
  json(): JsonOf<T> {
    const frame = this.frames[0];
    return (frame === undefined ? undefined : JSON.parse(frame.text())) as JsonOf<T>;
  }
}

const maker = new FrameMaker();

/** Copies an answer out of the transport's buffers. */
export function resultOf<T>(message: MessageView | undefined, first: number): Result<T> {
  const none = message === undefined || first >= message.count;
  return new Result<T>(none ? [] : maker.make(message, first));
}
