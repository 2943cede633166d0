/**
 * One peer as the layers above see it: where its output is gathered and how much of it waits. An
 * accepted peer lives as long as its connection; a connecting one keeps its queue while the other
 * side is away.
 *
 * @module
 */
import type { OutputBatch } from "../zmtp/output_batch.ts";
import { NO_BYTES } from "../zmtp/memory.ts";
import type { Engine } from "./engine.ts";
import type { Link } from "./link.ts";
import { Outbox } from "./outbox.ts";

/** While memory is short each peer may still have so much waiting, so that all are served. */
const SHORT_OUTPUT_BYTES = 16 * 1024;

/** One peer. `id` is small and used again; `serial` never is. */
export class Peer {
  readonly id: number;
  readonly serial: number;
  /** The endpoint it came in by, or the one that we connect to. */
  readonly endpoint: string;
  /** Whether it came to us, or we connect to it. */
  readonly accepted: boolean;
  /** The connection, if there is one now. */
  link: Link | undefined;
  /** What the peer calls itself; empty if nothing. */
  identity: Uint8Array = NO_BYTES;
  /** Output that nobody has begun to write. */
  readonly outbox: Outbox;
  /** Messages and octets in the batch that is being written. */
  writingMessages = 0;
  writingBytes = 0;
  /** Where the layer above keeps what it knows of this peer. */
  tag: unknown = undefined;
  /** Whether it waits for the flush at the end of this turn. */
  dirty = false;
  /** Whether someone waits to be told that there is room. */
  blocked = false;
  gone = false;
  readonly #engine: Engine;

  constructor(
    engine: Engine,
    id: number,
    serial: number,
    endpoint: string,
    accepted: boolean,
  ) {
    this.#engine = engine;
    this.id = id;
    this.serial = serial;
    this.endpoint = endpoint;
    this.accepted = accepted;
    this.outbox = new Outbox(engine.budget);
  }

  /**
   * The batch to append one message to; whoever does so adds 1 to its `messages`. The next message
   * asks again: a batch that is large enough has gone out by then.
   */
  batch(): OutputBatch {
    this.#engine.markDirty(this);
    if (!this.outbox.ripe) return this.outbox.batch();
    const batch = this.outbox.batch();
    this.link?.flush();
    return batch;
  }

  /** Appends a whole message. */
  send(frames: readonly Uint8Array[]): void {
    this.batch().message(frames);
  }

  /** Whether the peer has shaken hands. */
  get open(): boolean {
    return this.link !== undefined && this.link.open;
  }

  /** The peer's socket type, once it has shaken hands. */
  get type(): string {
    return this.link?.connection.peerType ?? "";
  }

  /** When an octet came from it last. */
  get lastSeen(): number {
    return this.link?.liveness.lastSeen ?? 0;
  }

  /** Whether it is asked for signs of life, and so its silence means something. */
  get canBePinged(): boolean {
    const knows = this.link?.connection.knowsPing ?? false;
    return knows && this.#engine.settings.heartbeatInterval > 0;
  }

  /** Whether we don't read from it, for whatever reason. */
  get paused(): boolean {
    return this.link?.paused ?? false;
  }

  /** Messages that wait. */
  get waitingMessages(): number {
    return this.writingMessages + this.outbox.messages;
  }

  /** Octets that wait. */
  get waitingBytes(): number {
    return this.writingBytes + this.outbox.bytes;
  }

  /**
   * Whether a high-water mark is reached, or all peers together hold as much as they may; asking
   * means to be told of room by `onRoom`.
   */
  get full(): boolean {
    const { sendHighWaterMark, outputBytes } = this.#engine.settings;
    const waitingBytes = this.waitingBytes;
    const full = waitingBytes >= outputBytes ||
      (sendHighWaterMark > 0 && this.waitingMessages >= sendHighWaterMark) ||
      this.#lacksMemory(waitingBytes);
    if (full) this.blocked = true;
    return full;
  }

  #lacksMemory(waitingBytes: number): boolean {
    const { budget } = this.#engine;
    if (budget.allows(0)) return false;
    if (waitingBytes < SHORT_OUTPUT_BYTES && !budget.exhausted) return false;
    this.#engine.starveOutput(this);
    return true;
  }

  /** Asks to be told of room by `onRoom` once something was written, whether it is full or not. */
  awaitRoom(): void {
    this.blocked = true;
  }

  /** Reads no more from this peer until `resume()`: TCP pushes back. */
  pause(): void {
    this.link?.pause();
  }

  /** Reads again. */
  resume(): void {
    this.link?.resume();
  }

  /** Ends its connection once all that waits is sent; reads no more from it. */
  end(): void {
    this.link?.end();
  }

  /** Ends its connection, plainly. */
  close(): void {
    this.link?.close();
  }

  /** Takes what goes first to be written, if anything waits. */
  takeBatch(): OutputBatch | undefined {
    const batch = this.outbox.take();
    if (batch === undefined) return undefined;
    this.writingMessages = batch.messages;
    this.writingBytes = batch.length;
    return batch;
  }

  /** The connection broke after `written` octets of that batch: keeps what a new one may send. */
  salvage(begun: OutputBatch | undefined, written: number): void {
    this.outbox.salvage(begun, written);
    this.writingMessages = this.writingBytes = 0;
  }

  /** The batch that was being written is through, or given up. */
  written(): void {
    this.writingMessages = 0;
    this.writingBytes = 0;
    this.tellRoom();
  }

  /** There may be room again: tells whoever asked for it. */
  tellRoom(): void {
    if (this.gone || !this.blocked || this.full) return;
    this.blocked = false;
    this.#engine.handler.onRoom(this);
  }

  /** Forgets all output. */
  drop(): void {
    this.outbox.clear();
    this.writingMessages = this.writingBytes = 0;
  }
}
