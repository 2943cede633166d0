/**
 * A connection as the pure rooms see it: somewhere to append messages, and a few verbs. A peer of
 * the engine is one; in tests a buffer is.
 *
 * @module
 */
import type { OutputBatch } from "../../protocol/zmtp/output_batch.ts";

/** The other end of a conversation. */
export interface Outlet {
  /** Where messages to it are gathered. Whoever appends one adds 1 to its `messages`. */
  batch(): OutputBatch;
  /** Whether its output is above the mark; asking means to be told when it no longer is. */
  readonly full: boolean;
  /** When an octet came from it last. */
  readonly lastSeen: number;
  /** Whether silence means anything: a ZMTP 3.0 peer can't be asked for a sign of life. */
  readonly canBePinged: boolean;
  /** Whether we ourselves don't read from it: then its silence means nothing. */
  readonly paused: boolean;
  /** Reads no more from it. */
  pause(): void;
  /** Reads again. */
  resume(): void;
  /** Ends the connection, plainly. */
  close(): void;
}
