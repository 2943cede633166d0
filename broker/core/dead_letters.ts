/**
 * Jobs that ended without a result and that nobody could be told of, kept for an operator: oldest
 * first, bounded in number and in octets.
 *
 * @module
 */

/** One of them. */
export interface DeadLetter {
  /** What an operator calls it. */
  readonly id: number;
  readonly row: number;
  /** Why it ended. */
  readonly code: string;
  /** When it ended. */
  readonly at: number;
}

/** All of them. */
export class DeadLetters {
  readonly #letters: Map<number, DeadLetter> = new Map();
  readonly #most: number;
  readonly #mostBytes: number;
  #bytes = 0;
  #lastId = 0;

  constructor(most: number, mostBytes: number) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  /** How many are kept. */
  get size(): number {
    return this.#letters.size;
  }

  /** How many octets their jobs hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps one more; the row holds `bytes` octets. */
  add(row: number, bytes: number, code: string, at: number): DeadLetter {
    const letter = { id: ++this.#lastId, row, code, at };
    this.#letters.set(letter.id, letter);
    this.#bytes += bytes;
    return letter;
  }

  /** The oldest one if there are too many; it is still kept. */
  surplus(): DeadLetter | undefined {
    if (this.#letters.size <= this.#most && this.#bytes <= this.#mostBytes) return undefined;
    return this.#letters.values().next().value;
  }

  /** Takes one out; the row held `bytes` octets. */
  remove(letter: DeadLetter, bytes: number): void {
    if (this.#letters.delete(letter.id)) this.#bytes -= bytes;
  }

  /** The one of that id. */
  get(id: number): DeadLetter | undefined {
    return this.#letters.get(id);
  }

  /** All, oldest first. */
  [Symbol.iterator](): IterableIterator<DeadLetter> {
    return this.#letters.values();
  }
}
