/**
 * Jobs that wait: what it costs to put one away and to take it out again, while few or many others
 * wait. The cost should not depend on how many.
 *
 * @module
 */
import { Jobs, type RowList, rowList, WAITING } from "../broker/core/jobs.ts";
import { copy } from "../protocol/zmtp/output_batch.ts";
import { MemoryBroker, requests } from "./kit/memory_broker.ts";

/** Jobs in one iteration. */
const JOBS = 1000;
const STANDING: readonly number[] = [0, 10_000, 900_000];
const SIZES: readonly number[] = [32, 1024];

/** A record as it lies in the store: an envelope of two octets and the body. */
function recordOf(size: number): Uint8Array {
  return new Uint8Array(size + 2).fill(97);
}

/** Puts a job at the end of a list. */
function push(jobs: Jobs, list: RowList, record: Uint8Array): void {
  const row = jobs.make(2, record.length - 2);
  copy(record, 0, record.length, jobs.record(row), jobs.at[row]!);
  jobs.state[row] = WAITING;
  jobs.push(list, row);
}

for (const standing of STANDING) {
  for (const size of SIZES) {
    if (standing * size > 2 ** 27) continue;
    const jobs = new Jobs(2 ** 20);
    const list = rowList();
    const record = recordOf(size);
    Deno.bench({
      name: `${size} B, ${standing.toLocaleString("en-US")} others wait`,
      group: `${JOBS} jobs put away and taken out`,
      fn(context) {
        while (list.length < standing) push(jobs, list, record);
        context.start();
        for (let i = 0; i < JOBS; i++) push(jobs, list, record);
        for (let i = 0; i < JOBS; i++) {
          const row = list.first;
          jobs.unlink(list, row);
          jobs.free(row);
        }
        context.end();
      },
    });
  }
}

for (const standing of STANDING) {
  const { bytes, length } = requests(JOBS, 32);
  let broker: MemoryBroker | undefined;
  Deno.bench({
    name: `${standing.toLocaleString("en-US")} others wait`,
    group: `${JOBS} jobs of 32 B through the core, by way of the backlog`,
    fn(context) {
      if (broker === undefined) {
        broker = new MemoryBroker();
        broker.addWorker(10);
        broker.addWorker(10);
        while (broker.core.state.waiting < standing) broker.submit(bytes, length);
      }
      context.start();
      broker.submit(bytes, length);
      for (let done = 0; done < JOBS;) done += broker.work();
      broker.collect();
      context.end();
    },
  });
}
