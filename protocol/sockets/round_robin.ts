/**
 * Pipes in turn: whose turn it is among those that have room.
 *
 * @module
 */
import type { Pipe } from "./fair_queue.ts";

/** A ring of pipes. */
export class RoundRobin {
  readonly #pipes: Pipe[] = [];
  #turn = 0;

  add(pipe: Pipe): void {
    if (!this.#pipes.includes(pipe)) this.#pipes.push(pipe);
  }

  remove(pipe: Pipe): void {
    const at = this.#pipes.indexOf(pipe);
    if (at < 0) return;
    this.#pipes.splice(at, 1);
    if (at < this.#turn) this.#turn--;
  }

  /** The next pipe with room; only open ones if asked. The turn passes to the one behind it. */
  next(openOnly: boolean): Pipe | undefined {
    const count = this.#pipes.length;
    for (let i = 0; i < count; i++) {
      if (this.#turn >= count) this.#turn = 0;
      const pipe = this.#pipes[this.#turn++]!;
      if ((!openOnly || pipe.peer.open) && !pipe.peer.full) return pipe;
    }
    return undefined;
  }

  /** Whether any pipe has room. */
  hasRoom(openOnly: boolean): boolean {
    return this.#pipes.some((pipe) => (!openOnly || pipe.peer.open) && !pipe.peer.full);
  }
}
