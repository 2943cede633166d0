/**
 * What waits for one peer: batches in the order in which they go out, the last of them open for
 * more. A batch is closed once it is large enough for a write, so that much output is many buffers
 * of a size that the budget keeps, and never one that grows by copying.
 *
 * @module
 */
import type { Memory } from "../zmtp/memory.ts";
import { OutputBatch, salvage } from "../zmtp/output_batch.ts";

/** The first output buffer of a batch that nothing is known of. */
const FIRST_OUTPUT_BYTES = 2 * 1024;
/** The next batch starts as large as the last one, up to here. */
const HINT_BYTES = 256 * 1024;
/** A batch takes no further message from here on: half of the above, so that most fit in. */
const BATCH_BYTES = 128 * 1024;

/** Output that nobody has begun to write. A message lies in one batch as a whole. */
export class Outbox {
  readonly #memory: Memory;
  #hint = FIRST_OUTPUT_BYTES;
  #open: OutputBatch | undefined;
  /** Closed batches, the oldest first, with what they hold; no array while there are none. */
  #closed: OutputBatch[] | undefined;
  #closedMessages = 0;
  #closedBytes = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Messages that wait. */
  get messages(): number {
    return this.#closedMessages + (this.#open === undefined ? 0 : this.#open.messages);
  }

  /** Octets that wait. */
  get bytes(): number {
    return this.#closedBytes + (this.#open === undefined ? 0 : this.#open.length);
  }

  /** Whether the open batch has all it should: `batch()` would begin another. */
  get ripe(): boolean {
    return this.#open !== undefined && this.#open.length >= BATCH_BYTES;
  }

  /** The batch to append a message or a command to. */
  batch(): OutputBatch {
    const open = this.#open;
    if (open !== undefined) {
      if (open.length < BATCH_BYTES) return open;
      this.#close(open);
    }
    return this.#open = new OutputBatch(this.#memory, this.#hint);
  }

  /** Takes out what goes first, if anything waits. */
  take(): OutputBatch | undefined {
    const closed = this.#closed;
    if (closed !== undefined) {
      const batch = closed.shift()!;
      if (closed.length === 0) this.#closed = undefined;
      this.#closedMessages -= batch.messages;
      this.#closedBytes -= batch.length;
      return batch;
    }
    const open = this.#open;
    if (open === undefined || open.length === 0) return undefined;
    this.#open = undefined;
    this.#learn(open);
    return open;
  }

  /**
   * The connection broke: keeps what a new one may send. `begun` is the batch that was being
   * written, `written` octets of it are gone.
   */
  salvage(begun: OutputBatch | undefined, written: number): void {
    const batches = this.#closed ?? [];
    if (begun !== undefined) {
      salvage(begun, written);
      batches.unshift(begun);
    }
    this.#closedMessages = this.#closedBytes = 0;
    for (const batch of batches) {
      if (batch !== begun) salvage(batch, 0);
      this.#closedMessages += batch.messages;
      this.#closedBytes += batch.length;
    }
    for (const batch of batches) if (batch.length === 0) batch.release();
    const left = batches.filter((batch) => batch.length > 0);
    this.#closed = left.length === 0 ? undefined : left;
    if (this.#open !== undefined) salvage(this.#open, 0);
  }

  /** Forgets everything. */
  clear(): void {
    for (const batch of this.#closed ?? []) batch.release();
    this.#open?.release();
    this.#closed = this.#open = undefined;
    this.#closedMessages = this.#closedBytes = 0;
  }

  #close(open: OutputBatch): void {
    this.#learn(open);
    (this.#closed ??= []).push(open);
    this.#closedMessages += open.messages;
    this.#closedBytes += open.length;
  }

  #learn({ length }: OutputBatch): void {
    this.#hint = Math.min(HINT_BYTES, Math.max(FIRST_OUTPUT_BYTES, length));
  }
}
