/**
 * Marks in payloads, so that every job and every answer can be told from all others wherever it is
 * seen: `job~17~300~` asks for job 17 with an answer of 300 octets, `job~17~5~` is what run 5 of it
 * gave.
 *
 * @module
 */
import { octets } from "../../protocol/dialogue/words.ts";

/** No length of a frame looks like this. */
const STEM = octets("job~");
const TILDE = 0x7e;
const FILLER = 0x2e;
/** A mark stands near the beginning of what is searched: behind ids, headers and a command. */
const SEARCHED = 512;

/** Two numbers between tildes. */
export interface Mark {
  readonly token: number;
  /** The size asked for, or the number of the run. */
  readonly number: number;
}

/** A mark as text. */
export function markText(token: number, number: number): string {
  return `job~${token}~${number}~`;
}

/** A payload with a mark, filled up to that size. */
export function marked(token: number, number: number, size = 0): Uint8Array {
  const mark = octets(markText(token, number));
  if (size <= mark.length) return mark;
  const bytes = new Uint8Array(size).fill(FILLER);
  bytes.set(mark);
  return bytes;
}

/** The first mark in octets, if there is one. */
export function markIn(bytes: Uint8Array, from: number, to: number): Mark | undefined {
  const end = Math.min(to, from + SEARCHED);
  for (let i = from; i < end; i++) {
    if (!STEM.every((octet, j) => bytes[i + j] === octet)) continue;
    const token = digits(bytes, i + STEM.length, to);
    const number = token === undefined ? undefined : digits(bytes, token.end + 1, to);
    if (token !== undefined && number !== undefined) {
      return { token: token.value, number: number.value };
    }
  }
  return undefined;
}

/** The first mark in frames, if there is one. */
export function markOf(frames: readonly Uint8Array[]): Mark | undefined {
  for (const frame of frames) {
    const mark = markIn(frame, 0, frame.length);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/** A number that a tilde ends. */
function digits(
  bytes: Uint8Array,
  from: number,
  to: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  let at = from;
  while (at < to && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) {
    value = value * 10 + bytes[at++]! - 48;
  }
  return at === from || at >= to || bytes[at] !== TILDE ? undefined : { value, end: at };
}
