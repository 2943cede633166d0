/**
 * Envelopes: every frame up to and including the first empty one. What stands in an envelope is
 * never read, only given back. Pure; offsets in, an index out.
 *
 * @module
 */
import type { MessageView } from "../zmtp/message_reader.ts";

/** The envelope of a peer that puts nothing but the delimiter in front (REQ, most DEALERs). */
export const DELIMITER: Uint8Array = new Uint8Array([1, 0]);

/**
 * Where the body starts: behind the first empty frame, or 0 if there is none. Equal to the number
 * of frames where an envelope has no body.
 */
export function bodyOf(message: MessageView): number {
  const { starts, ends, count } = message;
  for (let i = 0; i < count; i++) {
    if (starts[i] === ends[i]) return i + 1;
  }
  return 0;
}

/** Where the envelope's octets end on the wire, if the body starts at frame `body`. */
export function envelopeEnd(message: MessageView, body: number): number {
  return body === 0 ? message.heads[0]! : message.ends[body - 1]!;
}
