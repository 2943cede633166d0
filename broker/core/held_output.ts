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
/** The first buffer: most who leave leave little. */
const FIRST_BYTES = 1024;

const HEAP: Memory = { take: (size) => new Uint8Array(size), give: () => {} };

/** An outlet that leads nowhere yet. */
export class HeldOutput implements Outlet {
  readonly full = false;
  readonly paused = false;
  readonly lastSeen = 0;
  readonly canBePinged = false;
  #held: OutputBatch | undefined;
  /** Messages that found no room. */
  lost = 0;

  /** Messages that wait for the client. */
  get messages(): number {
    return this.#held?.messages ?? 0;
  }

  /** Where messages are gathered; beyond the limit they vanish. */
  batch(): OutputBatch {
    const held = this.#held ??= new OutputBatch(HEAP, FIRST_BYTES);
    if (held.length < HELD_BYTES) return held;
    this.lost++;
    return new OutputBatch(HEAP, FIRST_BYTES);
  }

  /** The client is back: it gets what was held. */
  moveTo(outlet: Outlet): void {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined || held.length === 0) return;
    const batch = outlet.batch();
    batch.raw(held.bytes, 0, held.length);
    batch.messages += held.messages;
  }

  pause(): void {}
  resume(): void {}
  close(): void {}
}
