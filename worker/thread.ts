/**
 * One thread of a worker: loads the module of the handlers and runs what it is given.
 *
 * @module
 */
/// <reference lib="deno.worker" />
import { denoIo } from "../protocol/io/deno_io.ts";
import { checkHandlers, type Handler } from "./handlers.ts";
import { LocalRunner } from "./local_runner.ts";
import type { Run } from "./run.ts";
import type { FromThread, ToThread } from "./thread_messages.ts";

const runs: Map<number, Run> = new Map();
let runner: LocalRunner | undefined;

function tell(message: FromThread): void {
  self.postMessage(message);
}

/** A module's handlers: its default export if that is an object, else its functions by name. */
async function load(module: string): Promise<void> {
  try {
    const { default: main, defaultHandler, ...named } = await import(module);
    const functions = Object.entries(named).filter(([, value]) => typeof value === "function");
    const own = typeof main === "object" && main !== null ? main : Object.fromEntries(functions);
    runner = new LocalRunner(denoIo(), checkHandlers(own), defaultHandler as Handler | undefined);
    tell({ type: "loaded" });
  } catch (error) {
    tell({ type: "broken", message: error instanceof Error ? error.message : String(error) });
  }
}

function run(id: number, data: Extract<ToThread, { type: "job" }>["data"]): void {
  const over = (message: FromThread) => {
    runs.delete(id);
    tell(message);
  };
  const started = runner!.run(data, {
    done: (frames) => over({ type: "done", id, frames }),
    chunk: (frames) => tell({ type: "chunk", id, frames }),
    ended: () => over({ type: "ended", id }),
    failed: (code, message) => over({ type: "failed", id, code, message }),
  });
  runs.set(id, started);
}

self.onmessage = (event: MessageEvent<ToThread>) => {
  const message = event.data;
  if (message.type === "load") load(message.module);
  else if (message.type === "job") run(message.id, message.data);
  else if (message.type === "credit") runs.get(message.id)?.credit(message.count);
  else runs.get(message.id)?.cancel(new DOMException(message.reason, "AbortError"));
};
