/**
 * Handlers by command name, and which of them takes a job.
 *
 * @module
 */
import type { Payload } from "../protocol/dialogue/payload.ts";
import { isCode } from "./failure.ts";
import type { Job } from "./job.ts";

/**
 * What a handler may give back: a value, or something that gives chunks. A client that asked for a
 * stream gets them one by one, as fast as it takes them; another one gets all of them at once.
 *
 * @example
 * ```ts
 * import type { HandlerResult } from "./handlers.ts";
 *
 * const results: HandlerResult[] = ["text", { json: true }, new Uint8Array(3), undefined];
 * if (results.length !== 4) throw new Error("changed");
 * ```
 */
export type HandlerResult =
  | Payload
  | void
  | AsyncIterable<Payload>
  | ReadableStream<Payload>
  | Generator<Payload>
  | Promise<Payload | void | AsyncIterable<Payload> | ReadableStream<Payload> | Generator<Payload>>;

/**
 * Runs one command. What it throws becomes an ERROR to the client.
 *
 * @example
 * ```ts
 * import type { Handler } from "./handlers.ts";
 *
 * const shout: Handler = (job) => job.text().toUpperCase();
 * if (shout.length !== 1) throw new Error("not a function of one job");
 * ```
 */
// deno-lint-ignore no-explicit-any -- a handler chooses what the JSON of its jobs means
export type Handler = (job: Job<any>) => HandlerResult;

/**
 * Handlers by command name.
 *
 * @example
 * ```ts
 * import type { Handlers } from "./handlers.ts";
 *
 * const handlers: Handlers = { shout: (job) => job.text().toUpperCase() };
 * if (typeof handlers.shout !== "function") throw new Error("not a handler");
 * ```
 */
export type Handlers = Readonly<Record<string, Handler>>;

/**
 * The error that a handler throws to choose the code its client sees.
 *
 * @example
 * ```ts
 * import { JobError } from "./mod.ts";
 *
 * const handlers = {
 *   open: () => {
 *     throw new JobError("NOT_FOUND", "There is no such door");
 *   },
 * };
 * ```
 */
export class JobError extends Error {
  /** The code, in a form that programs can compare. */
  readonly code: string;

  /** Makes an error with its code (capital letters, digits, underscores) and a sentence for people. */
  constructor(code: string, message: string) {
    super(message);
    if (!isCode(code)) {
      throw new TypeError("Cannot make a JobError: a code is capital letters, digits, underscores");
    }
    this.name = "JobError";
    this.code = code;
  }
}

/** Octets of a command's name: the protocol has no more. */
export const NAME_BYTES = 255;

/** Checks that handlers are functions; throws a TypeError that names the one that isn't. */
export function checkHandlers(handlers: unknown): Handlers {
  if (typeof handlers !== "object" || handlers === null || Array.isArray(handlers)) {
    throw new TypeError("Cannot start: handlers is an object of functions by command name");
  }
  const encoder = new TextEncoder();
  for (const [name, handler] of Object.entries(handlers)) {
    if (typeof handler !== "function") {
      throw new TypeError(`Cannot start: the handler ${name} is not a function`);
    }
    if (name === "" || encoder.encode(name).length > NAME_BYTES) {
      throw new TypeError("Cannot start: a command's name has 1 to 255 octets");
    }
  }
  return handlers as Handlers;
}

/** The handler of a command; one's own properties count, not those of every object. */
export function handlerOf(handlers: Handlers, command: string): Handler | undefined {
  return Object.hasOwn(handlers, command) ? handlers[command] : undefined;
}
