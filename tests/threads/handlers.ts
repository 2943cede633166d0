// Handlers for the tests of threads: some compute, some break their thread, some stream.

import type { Job } from "../../worker/mod.ts";

/** What happened in this thread. */
const trace: string[] = [];

/** Keeps the thread from everything else, without using the processor. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Answers at once. */
export function hello(job: Job): string {
  return `hello ${job.text()}`;
}

/** Blocks for so many milliseconds. */
export function blocks(job: Job<number>): string {
  block(job.json());
  return `blocked, attempt ${job.attempt}`;
}

/** The same, but only after its thread seemed free. */
export async function blocksLater(job: Job<number>): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  const turned = new Promise((resolve) => port1.onmessage = resolve);
  port2.postMessage(0);
  await turned;
  port1.close();
  block(job.json());
  return "blocked later";
}

/** Waits for its signal and says why it fired. */
export function waits({ signal }: Job): Promise<never> {
  return new Promise((_, reject) => {
    signal.onabort = () => {
      trace.push(`${signal.reason.name}: ${signal.reason.message}`);
      reject(signal.reason);
    };
  });
}

/** Counts without end. */
export async function* counts({ signal }: Job): AsyncGenerator<number> {
  let made = 0;
  try {
    for (;;) yield ++made;
  } finally {
    trace.push(`made ${made}, aborted: ${signal.aborted}`);
  }
}

/** Leaves a trace. */
export function marks(): void {
  trace.push("marked");
}

/** What happened in this thread since it was asked last. */
export function tells(): string[] {
  return trace.splice(0);
}

/** Ends its thread in one way or another, while it waits. */
export function breaks(job: Job): Promise<never> {
  const how = job.text();
  if (how === "close") self.close();
  if (how === "exit") Deno.exit(1);
  if (how === "timer") {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      throw new Error("nobody catches this");
    };
    port2.postMessage(0);
  }
  return new Promise(() => {});
}

/** Lets a promise reject that nobody waits for. */
export function neglects(): string {
  Promise.reject(new Error("nobody waits for this"));
  return "neglected";
}

/** Not a handler: exports that are no functions are left alone. */
export const version = 1;

/** Takes what no other handler does. */
export function defaultHandler(job: Job): string {
  return `default ${job.command}`;
}
