/**
 * Frames for people: every message that comes and goes, as the highest debug level shows them. Where
 * that level is off no trace is made, and nothing is paid for it.
 *
 * Output is gathered in batches, so an outlet that is watched notes where a batch stood when it was
 * asked for, and reads what was added before the next message, or when the event is over.
 *
 * @module
 */
import { framesText } from "../protocol/dialogue/frames_text.ts";
import { nameOf } from "../protocol/dialogue/names.ts";
import type { Peer } from "../protocol/engine/peer.ts";
import {
  COMMAND,
  frameEnd,
  LONG,
  LONG_HEADER,
  MORE,
  SHORT_HEADER,
} from "../protocol/zmtp/frame.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import type { OutputBatch } from "../protocol/zmtp/output_batch.ts";
import type { Outlet } from "./core/outlet.ts";
import type { LineJournal } from "./journal.ts";

/** Who a peer is: `client` or `worker`, by its port. */
export type Side = "client" | "worker";

/** Tells of messages. */
export class Trace {
  readonly #journal: LineJournal;
  readonly #dirty: WatchedOutlet[] = [];

  constructor(journal: LineJournal) {
    this.#journal = journal;
  }

  /** A message came from a peer. */
  received(side: Side, peer: Peer, { bytes, count, starts, ends }: MessageView): void {
    const frames = Array.from({ length: count }, (_, i) => bytes.subarray(starts[i]!, ends[i]!));
    this.#tell(`frames from ${side}`, side, peer, frames);
  }

  /** An outlet that leads to that peer and tells what goes out by it. */
  watch(side: Side, peer: Peer): Outlet {
    const tell = (frames: readonly Uint8Array[]) =>
      this.#tell(`frames to ${side}`, side, peer, frames);
    return new WatchedOutlet(peer, this.#dirty, tell);
  }

  /** An event is over: tells what it made go out. */
  flush(): void {
    for (const outlet of this.#dirty.splice(0)) outlet.settle();
  }

  #tell(event: string, side: Side, peer: Peer, frames: readonly Uint8Array[]): void {
    const name = peer.identity.length > 0 ? nameOf(peer.identity) : `#${peer.id}`;
    this.#journal.frames(event, { [side]: name, frames: framesText(frames) });
  }
}

/** A peer whose output is looked at. */
class WatchedOutlet implements Outlet {
  readonly #peer: Peer;
  readonly #dirty: WatchedOutlet[];
  readonly #tell: (frames: readonly Uint8Array[]) => void;
  #batch: OutputBatch | undefined;
  #from = 0;

  constructor(
    peer: Peer,
    dirty: WatchedOutlet[],
    tell: (frames: readonly Uint8Array[]) => void,
  ) {
    this.#peer = peer;
    this.#dirty = dirty;
    this.#tell = tell;
  }

  batch(): OutputBatch {
    if (this.#batch === undefined) this.#dirty.push(this);
    else this.settle();
    const batch = this.#batch = this.#peer.batch();
    this.#from = batch.length;
    return batch;
  }

  /** Tells what was added to the batch since it was asked for. */
  settle(): void {
    const batch = this.#batch;
    this.#batch = undefined;
    if (batch === undefined) return;
    for (const frames of messagesOf(batch.bytes, this.#from, batch.length)) this.#tell(frames);
  }

  get full(): boolean {
    return this.#peer.full;
  }

  get lastSeen(): number {
    return this.#peer.lastSeen;
  }

  get canBePinged(): boolean {
    return this.#peer.canBePinged;
  }

  get paused(): boolean {
    return this.#peer.paused;
  }

  pause(): void {
    this.#peer.pause();
  }

  resume(): void {
    this.#peer.resume();
  }

  close(): void {
    // With the connection the batch is given back.
    this.settle();
    this.#peer.close();
  }
}

/** Whole messages on a wire, as frames. */
function messagesOf(bytes: Uint8Array, from: number, to: number): Uint8Array[][] {
  const messages: Uint8Array[][] = [];
  let frames: Uint8Array[] = [];
  for (let at = from; at < to;) {
    const end = frameEnd(bytes, at);
    const flags = bytes[at]!;
    const header = (flags & LONG) === 0 ? SHORT_HEADER : LONG_HEADER;
    if ((flags & COMMAND) === 0) frames.push(bytes.subarray(at + header, end));
    if ((flags & (MORE | COMMAND)) === 0) {
      messages.push(frames);
      frames = [];
    }
    at = end;
  }
  return messages;
}
