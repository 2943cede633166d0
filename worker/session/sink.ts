/**
 * What a session is told at its start, and whom it tells what comes of it. Types alone.
 *
 * @module
 */
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";

/** How the worker speaks: with slots of its own, or with the one slot of the ping-pong dialogue. */
export type SessionDialect = "register" | "ready";

/** What a session is told. Times in milliseconds. */
export interface SessionSettings {
  readonly dialect: SessionDialect;
  readonly slots: number;
  readonly services: readonly string[];
  readonly address: Uint8Array;
  /** Whether it pings while it works: only where handlers can't keep it from doing so. */
  readonly pingsWorking: boolean;
  readonly heartbeat: number;
  readonly brokerTimeout: number;
  readonly timeouts: number;
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
}

/** Who is told what comes of the conversation. */
export interface SessionSink {
  /** A message to the broker. */
  send(frames: readonly Uint8Array[]): void;
  /** It asks whether the broker lives. */
  pinged(): void;
  /** The broker lives. */
  ponged(): void;
  /** The worker is in the broker's table. */
  registered(): void;
  /** The broker won't have it; it asks again in `again` ms, or never if that is undefined. */
  refused(reason: string, again: number | undefined): void;
  /** A job: frames of the message from `first` on. A READY worker's jobs have no id. */
  job(id: Uint8Array | undefined, message: MessageView, first: number): void;
  /** A job isn't wanted any more. */
  cancel(id: Uint8Array): void;
  /** So many more chunks of a job may be sent. */
  credit(id: Uint8Array, count: number): void;
  /** No more jobs will come until it registers again. */
  left(): void;
  /** The broker knows nothing of the jobs that came so far: their answers could reach nobody. */
  forgotten(): void;
  /** The connection is to be ended once all is said: the only way for a READY worker to leave. */
  part(): void;
  /** The broker wants the worker to leave. */
  exit(): void;
  /** Nothing was heard of the broker for too long: the connection is to be made anew. */
  lost(asking: boolean): void;
  /** Something came that has no place here. */
  ignored(what: string): void;
}
