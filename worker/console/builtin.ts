/**
 * The commands that every worker started by `deno task worker` has.
 *
 * @module
 */
import { denoIo } from "../../protocol/io/deno_io.ts";
import { patternOctets } from "../../terminal/pattern.ts";
import { readQuantity } from "../../terminal/quantity.ts";
import { type Handlers, JobError } from "../handlers.ts";
import type { Job } from "../job.ts";

/** Octets of a STREAM unless told. */
const STREAM_BYTES = 1024;
/** Octets of one chunk. */
const CHUNK_BYTES = 64 * 1024;
/** Seconds of a SLEEP unless told. */
const SLEEP_SECONDS = 1;

/** What each does, for the help. */
export const BUILT_IN: readonly (readonly [form: string, about: string])[] = [
  ["PING", "answers PONG"],
  ["STREAM [BYTES]", `a stream of so many octets, ${STREAM_BYTES} unless told`],
  ["ECHO [PAYLOAD]", "gives the payload back"],
  ["SLEEP [SECONDS]", `answers after a while, ${SLEEP_SECONDS} s unless told; also 500ms`],
];

/** The built-in commands. */
export const builtIn: Handlers = { PING: ping, STREAM: stream, ECHO: echo, SLEEP: sleep };

function ping(): string {
  return "PONG";
}

async function* stream(job: Job): AsyncGenerator<Uint8Array> {
  const bytes = amount(job, "bytes", STREAM_BYTES);
  for (let at = 0; at < bytes; at += CHUNK_BYTES) {
    yield patternOctets(at, Math.min(CHUNK_BYTES, bytes - at));
  }
}

function echo(job: Job): readonly Uint8Array[] | string {
  return job.frames.length > 0 ? job.frames : "";
}

function sleep(job: Job): Promise<string> {
  const seconds = amount(job, "seconds", SLEEP_SECONDS);
  const io = denoIo();
  return new Promise((resolve, reject) => {
    const timer = io.setTimer(() => resolve(`slept ${seconds} s`), seconds * 1000);
    job.signal.addEventListener("abort", () => {
      io.clearTimer(timer);
      reject(job.signal.reason);
    });
  });
}

/** The number that the payload is. */
function amount(job: Job, unit: "bytes" | "seconds", otherwise: number): number {
  const text = job.text();
  if (text === "") return otherwise;
  const value = readQuantity(text, unit);
  const isGood = value !== undefined && value <= MOST[unit] &&
    (unit !== "bytes" || Number.isInteger(value));
  if (isGood) return value;
  throw new JobError("BAD_PAYLOAD", `${job.command} takes ${unit}, at most ${MOST[unit]}`);
}

/** More would be a slip of the finger. */
const MOST = { bytes: 1024 ** 4, seconds: 1_000_000 } as const;
