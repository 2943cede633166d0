/**
 * What a call gives: frames that belong to the caller, with text and JSON at hand.
 *
 * @module
 */
import { type Frame, FrameMaker } from "../protocol/sockets/frame.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";

/**
 * The answer to a call, or one chunk of a stream. `T` is what its JSON means.
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

  /** The first frame as UTF-8 text. */
  text(): string {
    return this.frames[0]?.text() ?? "";
  }

  /** The first frame parsed as JSON. */
  json(): T {
    return JSON.parse(this.text()) as T;
  }
}

const maker = new FrameMaker();

/** Copies an answer out of the transport's buffers. */
export function resultOf<T>(message: MessageView | undefined, first: number): Result<T> {
  const none = message === undefined || first >= message.count;
  return new Result<T>(none ? [] : maker.make(message, first));
}
