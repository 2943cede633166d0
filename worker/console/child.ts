/**
 * One child worker of a console: a whole worker in a thread of its own, with its own connection. It
 * registers by itself, and deregisters when it is told to end.
 *
 * @module
 */
/// <reference lib="deno.worker" />
import { messageOf } from "../failure.ts";
import { handlersIn } from "../handler_module.ts";
import { Worker } from "../worker.ts";
import type { ChildStart, FromChild, ToChild } from "./child_messages.ts";

const ending = new AbortController();
let worker: Worker | undefined;

function tell(message: FromChild): void {
  self.postMessage(message);
}

/** Runs until it has left, whoever wanted that. */
async function run({ module, options }: ChildStart): Promise<void> {
  try {
    const { handlers, defaultHandler } = handlersIn(await import(module));
    worker = await Worker.start({
      ...options,
      handlers,
      ...(defaultHandler === undefined ? {} : { defaultHandler }),
      signal: ending.signal,
      onLog: (line) => tell({ type: "log", line }),
    });
    tell({ type: "registered" });
    await worker.closed;
    tell({ type: "ended", status: worker.status });
  } catch (error) {
    tell({ type: "failed", message: messageOf(error) });
  }
  self.close();
}

self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  const details = { error: messageOf(event.reason) };
  tell({ type: "log", line: { level: 0, event: "fault", details } });
});

self.onmessage = ({ data }: MessageEvent<ToChild>) => {
  if (data.type === "start") run(data.start);
  else if (data.type === "status" && worker !== undefined) {
    tell({ type: "status", status: worker.status });
  } else if (data.type === "end") {
    ending.abort(new Error("told to end before it was registered"));
    worker?.close();
  }
};
