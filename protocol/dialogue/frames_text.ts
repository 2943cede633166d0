/**
 * Messages for people who debug: frames between angle brackets, cut where they are long. What a
 * terminal must not see is escaped where it is printed, not here.
 *
 * @module
 */
import { nameOf } from "./names.ts";

/** Frames of a message that are shown, and octets of a frame; the rest is counted. */
const MOST_FRAMES = 16;
const MOST_OCTETS = 48;

/**
 * A message's frames as text.
 *
 * @example
 * ```ts
 * import { framesText } from "./frames_text.ts";
 *
 * const text = framesText([new Uint8Array(0), new TextEncoder().encode("PING")]);
 * if (text !== "<><PING>") throw new Error(text);
 * ```
 */
export function framesText(frames: readonly Uint8Array[]): string {
  const shown = frames.slice(0, MOST_FRAMES).map(frameText).join("");
  return frames.length > MOST_FRAMES ? `${shown}+${frames.length - MOST_FRAMES}` : shown;
}

/** One frame: text where it is text, else hex. */
function frameText(frame: Uint8Array): string {
  const head = frame.subarray(0, MOST_OCTETS);
  const isText = head.every((octet) => octet >= 0x20 && octet !== 0x7f);
  const text = isText ? nameOf(head) : hexOf(head);
  return frame.length > head.length ? `<${text}…${frame.length}>` : `<${text}>`;
}

function hexOf(bytes: Uint8Array): string {
  let hex = "0x";
  for (const octet of bytes) hex += octet.toString(16).padStart(2, "0");
  return hex;
}
