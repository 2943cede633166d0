/**
 * Runs jobs in this thread: finds the handler, calls it, and measures how long each call kept the
 * thread busy.
 *
 * @module
 */
import type { Io } from "../protocol/io/io.ts";
import { type Handler, handlerOf, type Handlers } from "./handlers.ts";
import { LocalRun } from "./local_run.ts";
import type { JobData, Run, RunEvents, Runner } from "./run.ts";

/** What runs jobs here. */
export interface LocalRunnerOptions {
  readonly io: Io;
  readonly handlers: Handlers;
  /** Takes opaque jobs and unknown commands. */
  readonly fallback: Handler | undefined;
  /** Told how long one call of a handler kept this thread from everything else. */
  readonly onBusy?: (command: string, milliseconds: number) => void;
}

/** Runs jobs here. */
export class LocalRunner implements Runner {
  /** There is nothing to wait for. */
  readonly ready: Promise<void> = Promise.resolve();
  readonly #options: LocalRunnerOptions;

  constructor(options: LocalRunnerOptions) {
    this.#options = options;
  }

  run(data: JobData, events: RunEvents): Run {
    const { io, handlers, fallback, onBusy } = this.#options;
    const own = handlerOf(handlers, data.command);
    const run = new LocalRun(io, own === undefined ? wholeIfOpaque(data) : data, events, (act) => {
      const began = io.now();
      try {
        return act();
      } finally {
        onBusy?.(data.command, io.now() - began);
      }
    });
    run.start(own ?? fallback);
    return run;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

/** The default handler of an opaque job gets its whole body, the first frame included. */
function wholeIfOpaque(data: JobData): JobData {
  if (data.kind !== "opaque") return data;
  return { ...data, command: "", frames: data.whole ?? data.frames };
}
