/**
 * Where the octets of waiting and running jobs lie: records of any length in segments of 1 MiB. A
 * segment is used again when its last record is gone; very large records have one of their own.
 * It knows no jobs; its owner keeps where each record lies, and moves records when asked to.
 *
 * @module
 */

/** Octets in a segment. */
export const SEGMENT_BYTES = 1024 * 1024;
/** Longer records get a segment of their own, so that at most an eighth of one is wasted. */
const OWN_BYTES = SEGMENT_BYTES / 8;
/** So many segments may be waste besides half of all: whoever moves records has earned a rest. */
const FEW_SEGMENTS = 16;
/** Emptied segments that are kept: with one alone a job of 64 KiB costs a tenth more CPU. */
const SPARE_SEGMENTS = 8;

/** Records in segments. */
export class BodyStore {
  /** The segments; a free place holds an empty array. */
  readonly segments: Uint8Array[] = [];
  /** Octets of all records. */
  used = 0;
  /** Octets of all segments. */
  held = 0;
  /** Where the record made last lies. */
  segment = 0;
  at = 0;
  readonly #live: number[] = [];
  readonly #free: number[] = [];
  readonly #spare: Uint8Array[] = [];
  #current = -1;
  /** Past the end of any segment while there is none. */
  #end = SEGMENT_BYTES + 1;

  /** Makes room for a record; `segment` and `at` say where. */
  put(length: number): Uint8Array {
    this.used += length;
    if (length > OWN_BYTES) {
      this.segment = this.#open(new Uint8Array(length));
      this.at = 0;
      this.#live[this.segment] = length;
      return this.segments[this.segment]!;
    }
    if (this.#end + length > SEGMENT_BYTES) this.#turnOver();
    this.segment = this.#current;
    this.at = this.#end;
    this.#end += length;
    this.#live[this.#current]! += length;
    return this.segments[this.#current]!;
  }

  /** A record is gone. */
  release(segment: number, length: number): void {
    // An empty record is not counted as living: its segment may be gone, or another one by now.
    if (length === 0) return;
    this.used -= length;
    const live = this.#live[segment]! -= length;
    if (live > 0) return;
    if (segment === this.#current) this.#end = 0;
    else this.#close(segment);
  }

  /**
   * Whether more than half of what is held is waste, and by a margin that moving what is sparse
   * always regains: its owner should do so, and need not look again before that much is released.
   */
  get sparse(): boolean {
    return this.held > this.used * 2 + FEW_SEGMENTS * SEGMENT_BYTES;
  }

  /** Whether a record in that segment is worth moving. */
  isSparse(segment: number): boolean {
    return segment !== this.#current && this.#live[segment]! * 2 < this.segments[segment]!.length;
  }

  #turnOver(): void {
    // The one before has a record still: emptied while in use, it would have started anew.
    const bytes = this.#spare.pop() ?? new Uint8Array(SEGMENT_BYTES);
    this.#current = this.#open(bytes);
    this.#end = 0;
  }

  #open(bytes: Uint8Array): number {
    const segment = this.#free.pop() ?? this.segments.length;
    this.segments[segment] = bytes;
    this.#live[segment] = 0;
    this.held += bytes.length;
    return segment;
  }

  #close(segment: number): void {
    const bytes = this.segments[segment]!;
    this.held -= bytes.length;
    this.segments[segment] = NOTHING;
    this.#free.push(segment);
    if (bytes.length !== SEGMENT_BYTES || this.#spare.length === SPARE_SEGMENTS) return;
    this.#spare.push(bytes);
  }
}

const NOTHING = new Uint8Array(0);
