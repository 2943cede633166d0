/**
 * What this project's workers can do. The client imports the types alone.
 *
 * @module
 */
import { type Job, JobError } from "http://127.0.0.1:8000/mod.ts";

/** Greets somebody. */
export function hello(job: Job<{ name: string }>): { text: string } {
  const { name } = job.json();
  if (name === "") throw new JobError("NO_NAME", "Nobody can be greeted without a name");
  return { text: `Hello, ${name}!` };
}

/** Computes for a while without ever waiting: only a thread can do that and stay alive. */
export function fibonacci(job: Job<number>): number {
  const at = (n: number): number => n < 2 ? n : at(n - 1) + at(n - 2);
  return at(job.json());
}
