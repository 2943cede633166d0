/**
 * What is kept for a client that is away and may come back: its answers, up to a limit. It stands
 * where the client's connection stood.
 *
 * @module
 */
import type { Memory } from "../../protocol/zmtp/memory.ts";
import { OutputBatch } from "../../protocol/zmtp/output_batch.ts";
import type { Outlet } from "./outlet.ts";

/** Octets that are held for one client; an answer that begins beyond them is lost. */
const HELD_BYTES = 1024 * 1024;
/** Octets that are held for all who are away: a crowd that leaves must not fill the memory. */
const ALL_HELD_BYTES = 64 * 1024 * 1024;
/** The first buffer: most who leave leave little. */
const FIRST_BYTES = 1024;

const HEAP: Memory = { take: (size) => new Uint8Array(size), give: () => {} };

/** The memory of all who are away. */
export class Holdings implements Memory {
  /** Octets in use. */
  used = 0;

  /** Whether nothing more is held. */
  get full(): boolean {
    return this.used >= ALL_HELD_BYTES;
  }

  take(size: number): Uint8Array {
    this.used += size;
    return new Uint8Array(size);
  }

  give(bytes: Uint8Array): void {
    this.used -= bytes.length;
  }
}

/** An outlet that leads nowhere yet. */
export class HeldOutput implements Outlet {
  readonly full = false;
  readonly paused = false;
  readonly lastSeen = 0;
  readonly canBePinged = false;
  readonly #holdings: Holdings;
  #held: OutputBatch | undefined;
  /** Messages that found no room. */
  lost = 0;

  constructor(holdings: Holdings) {
    this.#holdings = holdings;
  }

  /** Messages that wait for the client. */
  get messages(): number {
    return this.#held?.messages ?? 0;
  }

  /** Where messages are gathered; beyond the limit they vanish. */
  batch(): OutputBatch {
    if (!this.#holdings.full) {
      const held = this.#held ??= new OutputBatch(this.#holdings, FIRST_BYTES);
      if (held.length < HELD_BYTES) return held;
    }
    this.lost++;
    return new OutputBatch(HEAP, FIRST_BYTES);
  }

  /** The client is back: it gets what was held. */
  moveTo(outlet: Outlet): void {
    const held = this.#held;
    if (held !== undefined && held.length > 0) {
      const batch = outlet.batch();
      batch.raw(held.bytes, 0, held.length);
      batch.messages += held.messages;
    }
    this.drop();
  }

  /** The client doesn't come back: what was held is given up. */
  drop(): void {
    this.#held?.release();
    this.#held = undefined;
  }

  pause(): void {}
  resume(): void {}
  close(): void {}
}
