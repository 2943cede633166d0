// deno-lint-ignore-file no-console
/**
 * The codec alone, with no socket: octets to messages and messages to octets. Besides Deno's table
 * it prints frames and megabytes per second.
 *
 * @module
 */
import { Budget } from "../protocol/engine/budget.ts";
import { InputBuffer } from "../protocol/zmtp/input_buffer.ts";
import { WIRE_LIMITS } from "../protocol/zmtp/limits.ts";
import { MESSAGE, MessageReader } from "../protocol/zmtp/message_reader.ts";
import { OutputBatch } from "../protocol/zmtp/output_batch.ts";
import { formatCount, formatTable } from "./kit/table.ts";

/** Octets that one iteration works on, about what a busy read or write carries. */
const BATCH_BYTES = 256 * 1024;
/** Batches in one iteration: one of large frames alone would be too short for the clock. */
const BATCHES = 16;

interface Shape {
  readonly name: string;
  /** Octets in each frame of a message. */
  readonly sizes: readonly number[];
}

const SHAPES: readonly Shape[] = [
  { name: "32 B", sizes: [32] },
  { name: "1 KiB", sizes: [1024] },
  { name: "64 KiB", sizes: [65536] },
  { name: "5 frames of 5, 0, 8, 3 and 32 B", sizes: [5, 0, 8, 3, 32] },
];

/** What the iterations of one case came to. */
interface Tally {
  readonly name: string;
  readonly frames: number;
  readonly bytes: number;
  times: number[];
}

const tallies: Tally[] = [];

/** Adds a case whose `work` is about that many frames and octets. */
function addCase(name: string, group: string, frames: number, bytes: number, work: () => void) {
  const tally: Tally = { name: `${group}: ${name}`, frames, bytes, times: [] };
  tallies.push(tally);
  Deno.bench({ name, group, fn: run });

  function run(): void {
    const start = performance.now();
    for (let i = 0; i < BATCHES; i++) work();
    tally.times.push(performance.now() - start);
  }
}

const memory = new Budget();

/** Messages of that shape as many as fit a batch. */
function encode({ sizes }: Shape): OutputBatch {
  const frames = sizes.map((size) => new Uint8Array(size).fill(97));
  const batch = new OutputBatch(memory, BATCH_BYTES);
  do batch.message(frames); while (batch.length + batch.length / batch.messages <= BATCH_BYTES);
  return batch;
}

for (const shape of SHAPES) {
  const whole = encode(shape);
  const { length, messages } = whole;
  const reader = new MessageReader(WIRE_LIMITS);
  const input = new InputBuffer(memory);
  addCase(shape.name, "reading", messages * shape.sizes.length, length, () => {
    input.bytes = whole.bytes;
    input.head = 0;
    input.tail = length;
    reader.begin(input);
    let found = 0;
    while (reader.next() === MESSAGE) found++;
    if (found !== messages) throw new Error("Cannot measure: messages are missing");
  });
}

for (const shape of SHAPES) {
  const frames = shape.sizes.map((size) => new Uint8Array(size).fill(97));
  const { length, messages } = encode(shape);
  addCase(shape.name, "writing", messages * shape.sizes.length, length, () => {
    const batch = new OutputBatch(memory, BATCH_BYTES);
    for (let i = 0; i < messages; i++) batch.message(frames);
    if (batch.length !== length) throw new Error("Cannot measure: octets are missing");
    batch.release();
  });
}

globalThis.addEventListener("unload", () => {
  const rows = [["case", "frames/s", "MB/s"]];
  for (const { name, frames, bytes, times } of tallies) {
    if (times.length === 0) continue;
    const median = times.toSorted((a, b) => a - b)[times.length >> 1]!;
    const perSecond = 1000 * BATCHES / median;
    rows.push([name, formatCount(frames * perSecond), formatCount(bytes * perSecond / 1e6)]);
  }
  console.log(`\n${formatTable(rows, 1)}`);
});
