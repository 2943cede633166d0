/**
 * One thread of a worker: loads the module of the handlers and runs what it is given.
 *
 * @module
 */
/// <reference lib="deno.worker" />
import { denoIo } from "../protocol/io/deno_io.ts";
import { messageOf } from "./failure.ts";
import { handlersIn } from "./handler_module.ts";
import { LocalRunner } from "./local_runner.ts";
import type { JobData, Run } from "./run.ts";
import { claim, type FromThread, type Offer, type ToThread } from "./thread_messages.ts";

const runs: Map<number, Run> = new Map();
const closeThread = self.close.bind(self);
let runner: LocalRunner | undefined;
let offer: Offer;

function tell(message: FromThread): void {
  self.postMessage(message);
}

/** Ends this thread, and says so: nobody would notice else. */
function end(message: string): never {
  tell({ type: "ends", message });
  closeThread();
  throw new Error(message);
}

self.close = () => end("a handler called close()");
Deno.exit = () => end("a handler called Deno.exit()");
self.addEventListener("error", (event) => {
  event.preventDefault();
  tell({ type: "ends", message: messageOf(event.error) });
  closeThread();
});
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  tell({ type: "fault", message: messageOf(event.reason) });
});

async function load(module: string): Promise<void> {
  try {
    const { handlers, defaultHandler } = handlersIn(await import(module));
    runner = new LocalRunner({ io: denoIo(), handlers, fallback: defaultHandler });
    tell({ type: "loaded" });
    tell({ type: "free" });
  } catch (error) {
    tell({ type: "broken", message: messageOf(error) });
  }
}

function run(id: number, data: JobData): void {
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
  switch (message.type) {
    case "load":
      offer = message.offer;
      load(message.module);
      break;
    case "job":
      if (claim(offer, message.id)) run(message.id, message.data);
      tell({ type: "free" });
      break;
    case "credit":
      runs.get(message.id)?.credit(message.count);
      break;
    case "cancel":
      runs.get(message.id)?.cancel(new DOMException(message.reason, message.name));
      break;
  }
};
