/**
 * What a worker tells of itself and its broker, in words that stay the same.
 *
 * @module
 */
import { framesText } from "../protocol/dialogue/frames_text.ts";
import type { MessageView } from "../protocol/zmtp/message_reader.ts";
import type { Journal } from "./journal.ts";

/** Whom it is about. */
export interface NewsAbout {
  readonly broker: string;
  readonly address: string;
  readonly slots: number;
  readonly dialect: "register" | "ready";
}

/** The news of one worker. */
export class News {
  readonly #journal: Journal;
  readonly #about: NewsAbout;
  readonly #where: { readonly broker: string };
  /** Whether it was said that the broker can't be reached. */
  #unreachable = false;

  constructor(journal: Journal, about: NewsAbout) {
    this.#journal = journal;
    this.#about = about;
    this.#where = { broker: about.broker };
  }

  connected(): void {
    this.#unreachable = false;
    this.#journal.say(1, "connected", this.#where);
  }

  gone(): void {
    this.#journal.say(1, "broker gone", this.#where);
  }

  /** Told once, until there was a connection again. */
  notReached(error: Error): void {
    const level = this.#unreachable ? 4 : 0;
    this.#unreachable = true;
    const details = { ...this.#where, error: error.message };
    this.#journal.say(level, "broker not reached; trying on", details);
  }

  handshakeRefused(wait: number): void {
    const details = { ...this.#where, milliseconds: Math.round(wait) };
    this.#journal.say(4, "the broker refused the handshake", details);
  }

  registered(): void {
    const { address, slots } = this.#about;
    this.#journal.say(1, "registered", { address, slots, ...this.#where });
  }

  refused(reason: string, again: number | undefined): void {
    const details = { reason, address: this.#about.address };
    if (again === undefined) return this.#journal.say(0, "refused", details);
    const seconds = Math.ceil(again / 1000);
    this.#journal.say(0, "refused; asking again", { ...details, seconds });
  }

  left(): void {
    this.#journal.say(1, "deregistered", { address: this.#about.address });
  }

  toldToLeave(): void {
    this.#journal.say(1, "told to leave", this.#where);
  }

  silent(asking: boolean): void {
    const word = this.#about.dialect === "ready" ? "READY" : "REGISTER";
    const hint = { hint: `no answer to ${word}: is that the broker's backend?` };
    const details = { ...this.#where, ...(asking ? hint : {}) };
    this.#journal.say(0, "broker silent; connecting anew", details);
  }

  ignored(what: string): void {
    this.#journal.say(0, "ignored", { what });
  }

  blocked(handler: string, milliseconds: number): void {
    const details = { handler, milliseconds };
    this.#journal.say(0, "a handler kept the heartbeat waiting; threads would help", details);
  }

  fault(event: string, message: string): void {
    this.#journal.say(0, event, { message });
  }

  pinged(): void {
    this.#journal.say(2, "ping", this.#where);
  }

  ponged(): void {
    this.#journal.say(2, "pong", this.#where);
  }

  heard({ bytes, count, starts, ends }: MessageView): void {
    if (this.#journal.level < 5) return;
    const frames = Array.from({ length: count }, (_, i) => bytes.subarray(starts[i]!, ends[i]!));
    this.#journal.say(5, "frames in", { frames: framesText(frames) });
  }

  said(frames: readonly Uint8Array[]): void {
    if (this.#journal.level < 5) return;
    this.#journal.say(5, "frames out", { frames: framesText(frames) });
  }
}
