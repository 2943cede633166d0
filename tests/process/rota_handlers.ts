/**
 * Handlers of the workers in rota_worker.ts. Some do to their own process what a test wants done to
 * it inside a job, so that it happens just there.
 *
 * @module
 */
import type { Job } from "../../worker/mod.ts";

/** At the first attempt, does that to its own process. */
function harm(job: Job, signal: Deno.Signal): string {
  if (job.attempt === 1) Deno.kill(Deno.pid, signal);
  return `attempt ${job.attempt}`;
}

export default {
  /** Gives back what it is given. */
  echo: (job: Job) => job.text(),
  /** Is killed. */
  die: (job: Job) => harm(job, "SIGKILL"),
  /** Is stopped; goes on when its process does. */
  freeze: (job: Job) => harm(job, "SIGSTOP"),
};
