/**
 * The words of both dialogues as octets, and how a frame is compared with one. Names only; what
 * they mean stands where they are used.
 *
 * @module
 */
import type { MessageView } from "../zmtp/message_reader.ts";

const encoder = new TextEncoder();

/** The octets of a text. */
export function octets(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The ping-pong dialogue: a worker is idle. */
export const READY: Uint8Array = octets("READY");
/** A worker asks whether the broker lives. */
export const PING: Uint8Array = octets("PING");
/** The broker lives. */
export const PONG: Uint8Array = octets("PONG");
/** The broker tells a worker to leave. */
export const EXIT: Uint8Array = octets("EXIT");

/** The round-robin dialogue: a worker brings its slots. */
export const REGISTER: Uint8Array = octets("REGISTER");
/** The answer to REGISTER. */
export const REGISTERED: Uint8Array = octets("REGISTERED");
/** The other answer to REGISTER, and to the PING of a stranger. */
export const REFUSED: Uint8Array = octets("REFUSED");
/** Slots of a worker are free again. */
export const INCREMENT: Uint8Array = octets("INCREMENT");
/** A worker wants no more jobs. */
export const DEREGISTER: Uint8Array = octets("DEREGISTER");

/** What every native body starts with; the last octet is the version. */
export const SIGNATURE: Uint8Array = new Uint8Array([0, 0x52, 0x4f, 0x54, 0x41, 1]);
/** Octets of the signature that are the same in every version. */
export const SIGNATURE_STEM = 5;

/** A client's job with no reply. */
export const EXEC: Uint8Array = octets("EXEC");
/** A client's job with one reply. */
export const TRACKEXEC: Uint8Array = octets("TRACKEXEC");
/** A client's job whose reply comes in chunks. */
export const STREAM: Uint8Array = octets("STREAM");
/** More chunks may come. */
export const CREDIT: Uint8Array = octets("CREDIT");
/** A client wants its job no more. */
export const CANCEL: Uint8Array = octets("CANCEL");
/** The job is in the broker's hands. */
export const ACCEPTED: Uint8Array = octets("ACCEPTED");
/** A whole reply. */
export const RESPONSE: Uint8Array = octets("RESPONSE");
/** One chunk of a stream. */
export const PARTIAL: Uint8Array = octets("PARTIAL");
/** The end of a stream. */
export const END: Uint8Array = octets("END");
/** A job ended without a result. */
export const ERROR: Uint8Array = octets("ERROR");

/** Whether frame `index` of a message is exactly that word. */
export function isWord(message: MessageView, index: number, word: Uint8Array): boolean {
  const start = message.starts[index]!;
  if (message.ends[index]! - start !== word.length) return false;
  const bytes = message.bytes;
  for (let i = 0; i < word.length; i++) {
    if (bytes[start + i] !== word[i]) return false;
  }
  return true;
}

/** A copy of one frame's octets. */
export function frameOf(message: MessageView, index: number): Uint8Array {
  return message.bytes.slice(message.starts[index]!, message.ends[index]!);
}

/**
 * Octets as a key of a map. The letter in front keeps a peer from choosing keys that collide in
 * the engine's hash of decimal strings.
 */
export function keyOf(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  let key = "k";
  for (let i = start; i < end; i++) key += String.fromCharCode(bytes[i]!);
  return key;
}
