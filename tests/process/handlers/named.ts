// Handlers as a user's module exports them, for `deno task worker --commands`.

import { type Job, JobError } from "../../../worker/mod.ts";

/** A command of one's own. */
export function shout(job: Job): string {
  return job.text().toUpperCase();
}

/** Takes the place of a built-in one. */
export function ECHO(job: Job): string {
  return `my own ${job.text()}`;
}

/** Fails with a code of its own. */
export function opens(): never {
  throw new JobError("NOT_FOUND", "There is no such door");
}

/** Asks for something that the task may not do. */
export function snoops(): string {
  return String(Deno.env.get("HOME"));
}

/** Lets a promise reject that nobody waits for. */
export function neglects(): string {
  Promise.reject(new Error("nobody waits for this"));
  return "neglected";
}

/** Throws where nobody can catch it. */
export function explodes(): string {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    throw new Error("nobody catches this");
  };
  port2.postMessage(0);
  return "exploded";
}

/** Takes what no other handler does. */
export function defaultHandler(job: Job): string {
  return `default ${job.command}`;
}
