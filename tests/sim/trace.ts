/**
 * What happened in a simulation, as a hash of 64 bits over every octet on the broker's wires and over
 * every note, and as the last notes in words. The same seed must give the same hash.
 *
 * @module
 */

/** Notes that are kept in words: enough to see what led to a fault. */
const KEPT_NOTES = 400;

/** A trace. */
export class Trace {
  #low = 0x811c_9dc5;
  #high = 0x9747_b28c;
  readonly #notes: string[] = [];
  #octets = 0;
  /** Told each note, if somebody listens. */
  onNote: ((note: string) => void) | undefined;

  /** Sixteen hex digits. */
  get hash(): string {
    return hex(this.#high) + hex(this.#low);
  }

  /** Octets seen on the broker's wires. */
  get octets(): number {
    return this.#octets;
  }

  /** The last notes, oldest first. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Octets went over a wire. */
  wire(bytes: Uint8Array, from: number, to: number): void {
    let low = this.#low;
    let high = this.#high;
    for (let i = from; i < to; i++) {
      low = Math.imul(low ^ bytes[i]!, 0x0100_0193);
      high = Math.imul(high, 0x85eb_ca6b) + low | 0;
    }
    this.#low = low;
    this.#high = high ^ (high >>> 15);
    this.#octets += to - from;
  }

  /** Something happened at that time. */
  note(at: number, text: string): void {
    const note = `${(at / 1000).toFixed(3).padStart(9)}s  ${text}`;
    for (let i = 0; i < note.length; i++) {
      this.#low = Math.imul(this.#low ^ note.charCodeAt(i), 0x0100_0193);
      this.#high = Math.imul(this.#high, 0x85eb_ca6b) + this.#low | 0;
    }
    this.#notes.push(note);
    if (this.#notes.length > KEPT_NOTES) this.#notes.shift();
    this.onNote?.(note);
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
