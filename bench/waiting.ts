// deno-lint-ignore-file no-console
/**
 * What a job that waits costs: the memory that the process takes for a million jobs of 100 octets,
 * told by the system and by the table itself. It needs no permission.
 *
 * @module
 */
import { Jobs, rowList, WAITING } from "../broker/core/jobs.ts";
import { formatCount } from "./kit/table.ts";

const COUNT = 1_000_000;
/** The delimiter in front of a body, as on the wire. */
const ENVELOPE = new Uint8Array([1, 0]);
/** One frame of 100 octets. */
const BODY = new Uint8Array(102).fill(97);
BODY.set([0, 100]);

/** A table in which so many jobs wait. */
function fill(count: number): Jobs {
  const jobs = new Jobs();
  const backlog = rowList();
  for (let i = 0; i < count; i++) {
    const row = jobs.make(ENVELOPE.length, BODY.length);
    const record = jobs.record(row);
    record.set(ENVELOPE, jobs.at[row]!);
    record.set(BODY, jobs.at[row]! + ENVELOPE.length);
    jobs.state[row] = WAITING;
    jobs.push(backlog, row);
  }
  return jobs;
}

/** Octets that the table says it holds. */
function octetsOf(jobs: Jobs): number {
  const columns = Object.values(jobs).filter((column) => ArrayBuffer.isView(column));
  return columns.reduce((sum, column) => sum + column.byteLength, jobs.store.held);
}

// The code is loaded and compiled before the first look.
fill(10_000);
const before = Deno.memoryUsage().rss;
const start = performance.now();
const jobs = fill(COUNT);
const elapsed = performance.now() - start;
const resident = (Deno.memoryUsage().rss - before) / COUNT;
console.log(`resident memory: ${resident.toFixed(1)} B a job`);
console.log(`columns and segments: ${(octetsOf(jobs) / COUNT).toFixed(1)} B a job`);
console.log(`filled with ${formatCount(1000 * COUNT / elapsed)} jobs/s`);
