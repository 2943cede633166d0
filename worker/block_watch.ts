/**
 * Notices handlers that keep their thread busy for long, and says so once: whatever shares the thread
 * waits meanwhile, the heartbeat too, and threads would help. Pure.
 *
 * @module
 */

/** A thread that is busy for this long misses a heartbeat, or nearly. */
export const BLOCKED_MS = 500;

/** Watches one thread. */
export class BlockWatch {
  readonly #say: (commands: string, milliseconds: number) => void;
  #said = false;

  constructor(say: (commands: string, milliseconds: number) => void) {
    this.#say = say;
  }

  /** One call of a handler took so long. */
  ran(command: string, milliseconds: number): void {
    if (milliseconds >= BLOCKED_MS) this.#sayOnce([command], milliseconds);
  }

  /** A timer came so much too late, while these were at work: one of them was the reason. */
  late(milliseconds: number, commands: Iterable<string>): void {
    if (milliseconds >= BLOCKED_MS) this.#sayOnce([...new Set(commands)], milliseconds);
  }

  #sayOnce(commands: readonly string[], milliseconds: number): void {
    if (this.#said || commands.length === 0) return;
    this.#said = true;
    const names = commands.map((name) => name === "" ? "the default handler" : name);
    this.#say(names.join(" or "), Math.round(milliseconds));
  }
}
