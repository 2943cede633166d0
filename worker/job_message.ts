/**
 * Jobs as they come off the wire, copied out of it: native ones with their command and headers,
 * opaque ones by their first frame. Pure.
 *
 * @module
 */
import { readDecimal } from "../protocol/dialogue/decimal.ts";
import { LONGEST_MS } from "../protocol/dialogue/headers.ts";
import { EXEC, isWord, SIGNATURE, STREAM, TRACKEXEC } from "../protocol/dialogue/words.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import { readMetadata } from "../protocol/zmtp/metadata.ts";
import { NAME_BYTES } from "./handlers.ts";
import type { JobData, JobKind } from "./run.ts";

const decoder = new TextDecoder();
/** A command is text, or it is none: no two names may be read as the same. */
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a job whose body starts at frame `first`; undefined if a native one isn't legal. */
export function readJob(message: MessageView, first: number): JobData | undefined {
  if (!isWord(message, first, SIGNATURE)) return opaque(message, first);
  const kind = kindOf(message, first + 1);
  const [attempt, command, headers] = [first + 2, first + 3, first + 4];
  if (kind === undefined || headers >= message.count) return undefined;
  const { bytes, starts, ends } = message;
  const read = readHeaderTexts(bytes, starts[headers]!, ends[headers]!);
  if (read === undefined) return undefined;
  return {
    kind,
    command: nameIn(message, command),
    attempt: Math.max(1, readDecimal(bytes, starts[attempt]!, ends[attempt]!, 255)),
    headers: read,
    frames: framesFrom(message, headers + 1),
    timeout: timeoutOf(read),
  };
}

function opaque(message: MessageView, first: number): JobData {
  const whole = framesFrom(message, first);
  return {
    kind: "opaque",
    command: nameIn(message, first),
    attempt: 1,
    headers: [],
    frames: whole.slice(1),
    whole,
    timeout: -1,
  };
}

function kindOf(message: MessageView, index: number): JobKind | undefined {
  if (index >= message.count) return undefined;
  if (isWord(message, index, TRACKEXEC)) return "TRACKEXEC";
  if (isWord(message, index, EXEC)) return "EXEC";
  return isWord(message, index, STREAM) ? "STREAM" : undefined;
}

function framesFrom(message: MessageView, first: number): Uint8Array<ArrayBuffer>[] {
  const frames: Uint8Array<ArrayBuffer>[] = [];
  for (let i = first; i < message.count; i++) {
    frames.push(
      message.bytes.slice(message.starts[i]!, message.ends[i]!) as Uint8Array<ArrayBuffer>,
    );
  }
  return frames;
}

/** The name of a command in a frame; empty if it is none that a handler could have. */
function nameIn(message: MessageView, index: number): string {
  const [start, end] = [message.starts[index]!, message.ends[index]!];
  if (end - start > NAME_BYTES) return "";
  try {
    return strict.decode(message.bytes.subarray(start, end));
  } catch {
    return "";
  }
}

function readHeaderTexts(
  bytes: Uint8Array,
  start: number,
  end: number,
): [string, string][] | undefined {
  try {
    const properties = readMetadata(bytes, start, end);
    return [...properties].map(([key, value]) => [key.slice(1), decoder.decode(value)]);
  } catch {
    return undefined;
  }
}

function timeoutOf(headers: readonly (readonly [string, string])[]): number {
  const text = headers.find(([name]) => name === "timeout")?.[1];
  if (text === undefined) return -1;
  const bytes = new TextEncoder().encode(text);
  return readDecimal(bytes, 0, bytes.length, LONGEST_MS);
}
