/**
 * A result in chunks, read as far as anybody wants it. The worker could go on for ever; it stops
 * when its reader does, and never runs far ahead of it.
 *
 * `deno run -q --allow-net=127.0.0.1 examples/stream_and_cancel.ts`
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { Broker, Client, type Job, Worker as JobWorker } from "../mod.ts";

/** Chunks that may be under way or unread. */
const WINDOW = 4;

let made = 0;
let stopped = Promise.withResolvers<string>();

const handlers = {
  /** All primes from a number on, one a chunk. */
  async *primes(job: Job<number>): AsyncGenerator<number> {
    try {
      for (let n = job.json();; n++) {
        if (!isPrime(n)) continue;
        made++;
        yield n;
      }
    } finally {
      // Reached when the loop at the other end is left: here files are closed and so on.
      stopped.resolve(String(job.signal.reason?.message));
    }
  },
};

function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return n > 1;
}

await using broker = await Broker.start({
  frontend: "tcp://127.0.0.1:*",
  backend: "tcp://127.0.0.1:*",
});
await using _worker = await JobWorker.start({ broker: broker.backend, handlers });
await using client = new Client<typeof handlers>({ broker: broker.frontend });

// 1. Leaving the loop cancels the job.
let sum = 0;
for await (const prime of client.stream("primes", 2, { window: WINDOW })) {
  sum += prime.json();
  if (sum > 100) break;
}
console.log(`the first sum of primes above 100: ${sum}`);
console.log(`the handler ended: ${await stopped.promise}`);
const ahead = made - 10;
console.log(`the handler was ahead of its reader by at most ${WINDOW + 1}: ${ahead <= WINDOW + 1}`);

// 2. So does a signal, from anywhere. Chunks that have come by then can still be read.
stopped = Promise.withResolvers();
const stop = new AbortController();
const seen: number[] = [];
try {
  for await (const prime of client.stream("primes", 1_000_000, { signal: stop.signal })) {
    seen.push(prime.json());
    if (seen.length === 3) stop.abort(new Error("that will do"));
  }
} catch (error) {
  console.log(`read ${seen.slice(0, 3).join(", ")}, …, then: ${(error as Error).message}`);
}
console.log(`the handler ended: ${await stopped.promise}`);

// 3. And a web stream of octets, for whatever takes one.
stopped = Promise.withResolvers();
const reader = client.stream("primes", 90).toReadableStream()
  .pipeThrough(new TextDecoderStream()).getReader();
console.log(`as a web stream: ${(await reader.read()).value}`);
await reader.cancel();
console.log(`the handler ended: ${await stopped.promise}`);
