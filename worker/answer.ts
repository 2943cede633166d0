/**
 * What a worker says about a job, as frames: the form depends on who asked and on the dialect. An
 * answer that no broker would pass on is turned into an error here. Pure.
 *
 * @module
 */
import {
  END,
  ERROR,
  octets,
  PARTIAL,
  PING,
  READY,
  RESPONSE,
  SIGNATURE,
} from "../protocol/dialogue/words.ts";
import { WIRE_LIMITS } from "../protocol/zmtp/limits.ts";
import type { Failure } from "./failure.ts";
import type { JobKind } from "./run.ts";

/** What stands around an answer on its way to a client, at most: envelopes, ids and words. */
const WRAPPING_FRAMES = 64;
const WRAPPING_BYTES = 64 * 1024;

/** Frames of the largest answer that a broker with the usual limits passes on. */
export const ANSWER_FRAMES = WIRE_LIMITS.messageFrames - WRAPPING_FRAMES;
/** Octets of it. */
export const ANSWER_BYTES = WIRE_LIMITS.messageBytes - WRAPPING_BYTES;

/** Frames of a message. */
export type Frames = readonly Uint8Array[];

/** Octets in all frames. */
export function bytesOf(frames: Frames): number {
  return frames.reduce((sum, frame) => sum + frame.length, 0);
}

/** Why an answer or a chunk can't be sent; undefined if it can. One that can't would cost the connection. */
export function tooLarge(frames: Frames): Failure | undefined {
  if (frames.length > ANSWER_FRAMES) {
    const message = `An answer has at most ${ANSWER_FRAMES} frames, not ${frames.length}`;
    return { code: "WORKER_FAILED", message };
  }
  const bytes = bytesOf(frames);
  if (bytes <= ANSWER_BYTES) return undefined;
  const message = `An answer has at most ${ANSWER_BYTES} octets, not ${bytes}; stream it`;
  return { code: "WORKER_FAILED", message };
}

/** Why a READY worker can't give that result; undefined if it can. */
export function reserved(frames: Frames): Failure | undefined {
  if (frames.length !== 1 || (!isSame(frames[0]!, READY) && !isSame(frames[0]!, PING))) {
    return undefined;
  }
  const message =
    "A READY worker can't answer with a word of its dialogue; use the dialect register";
  return { code: "RESERVED", message };
}

/** A whole answer. Nobody waits for that of an EXEC: it only says that the job is done. */
export function wholeAnswer(kind: JobKind, frames: Frames): Frames {
  if (kind === "EXEC") return [];
  return kind === "opaque" ? frames : [SIGNATURE, RESPONSE, ...frames];
}

/** One chunk of a stream. */
export function chunkAnswer(frames: Frames): Frames {
  return [SIGNATURE, PARTIAL, ...frames];
}

/** The end of a stream. */
export function endAnswer(): Frames {
  return [SIGNATURE, END];
}

/** That there is no answer. */
export function errorAnswer(failure: Failure): Frames {
  return [SIGNATURE, ...readyError(failure)];
}

/** The same from a READY worker: its dialogue has no form for it, so it is a result like any other. */
export function readyError({ code, message }: Failure): Frames {
  return [ERROR, octets(code), octets(message)];
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, i) => octet === b[i]);
}
