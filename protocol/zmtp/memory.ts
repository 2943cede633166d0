/**
 * Where buffers come from: a type alone, so that wire code can grow a buffer without knowing who
 * counts the octets.
 *
 * @module
 */

/** Hands out buffers and takes them back. The engine's budget is one. */
export interface Memory {
  /** A buffer of at least `size` octets, contents unspecified. */
  take(size: number): Uint8Array;
  /** Gives a buffer back. It must not be used afterwards. */
  give(bytes: Uint8Array): void;
}

/** No octets at all: stands where no buffer is held. */
export const NO_BYTES: Uint8Array = new Uint8Array(0);
