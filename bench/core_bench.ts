/**
 * A job's whole way through the broker with no socket: octets of a client in, a job to a worker, its
 * result back, octets to the client out. What the system and Deno add to it, `bench:peers` tells.
 *
 * @module
 */
import { MemoryBroker, requests } from "./kit/memory_broker.ts";

/** Jobs in one iteration, and how many of them are handed in at a time. */
const JOBS = 1000;
const WINDOW = 40;

const WORKERS: readonly (readonly [count: number, slots: number])[] = [[4, 10], [100, 1], [
  1000,
  1,
]];
const SIZES: readonly (readonly [name: string, octets: number])[] = [
  ["32 B", 32],
  ["1 KiB", 1024],
  ["64 KiB", 65536],
];

function brokerWith(count: number, slots: number): MemoryBroker {
  const broker = new MemoryBroker();
  for (let i = 0; i < count; i++) broker.addWorker(slots);
  return broker;
}

/** All of it, a window at a time. */
function run(broker: MemoryBroker, wire: Uint8Array, length: number): void {
  let answers = 0;
  for (let sent = 0; sent < JOBS; sent += WINDOW) {
    broker.submit(wire, length);
    broker.work();
    answers += broker.collect();
  }
  if (answers !== JOBS) throw new Error("Cannot measure: answers are missing");
}

for (const [count, slots] of WORKERS) {
  const broker = brokerWith(count, slots);
  const { bytes, length } = requests(WINDOW, 32);
  Deno.bench({
    name: `${count} workers of ${slots} ${slots === 1 ? "slot" : "slots"}`,
    group: `${JOBS} jobs of 32 B through the core`,
    fn: () => run(broker, bytes, length),
  });
}

for (const [name, size] of SIZES) {
  const broker = brokerWith(4, 10);
  const { bytes, length } = requests(WINDOW, size);
  Deno.bench({
    name,
    group: `${JOBS} jobs through 4 workers of 10 slots`,
    fn: () => run(broker, bytes, length),
  });
}
