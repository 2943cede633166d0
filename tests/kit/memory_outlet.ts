/**
 * A connection that leads to memory: what is written to it is kept, and its verbs are told to
 * whoever watches. Stands where a peer of the engine stands.
 *
 * @module
 */
import type { Outlet } from "../../broker/core/outlet.ts";
import type { Memory } from "../../protocol/zmtp/memory.ts";
import { OutputBatch } from "../../protocol/zmtp/output_batch.ts";
import { splitMessages } from "./messages.ts";

const HEAP: Memory = { take: (size) => new Uint8Array(size), give: (bytes) => bytes.fill(0xdd) };
const FIRST_BYTES = 64;

/** What the broker does with a connection, besides writing to it. */
export type Verb = "wrote" | "paused" | "resumed" | "closed";

/** An outlet of a test. */
export class MemoryOutlet implements Outlet {
  full = false;
  lastSeen = 0;
  canBePinged = true;
  closed = false;
  /** Whether the broker's core asked not to read it. */
  held = false;
  /** Whether the engine doesn't read it, for a reason of its own. */
  starved = false;
  readonly #watch: (verb: Verb) => void;
  #batch: OutputBatch | undefined;

  constructor(watch: (verb: Verb) => void) {
    this.#watch = watch;
  }

  get paused(): boolean {
    return this.held || this.starved;
  }

  batch(): OutputBatch {
    if (this.#batch === undefined) {
      this.#batch = new OutputBatch(HEAP, FIRST_BYTES);
      this.#watch("wrote");
    }
    return this.#batch;
  }

  pause(): void {
    if (this.held) throw new Error("paused twice");
    this.held = true;
    this.#watch("paused");
  }

  resume(): void {
    if (!this.held) throw new Error("resumed, but not paused");
    this.held = false;
    this.#watch("resumed");
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.#watch("closed");
  }

  /** Takes out what was written, as messages; throws if they were counted wrongly. */
  take(): Uint8Array[][] {
    const batch = this.#batch;
    this.#batch = undefined;
    if (batch === undefined) return [];
    const messages = splitMessages(batch.bytes.subarray(0, batch.length));
    if (messages.length !== batch.messages) throw new Error("messages were counted wrongly");
    return messages;
  }
}
