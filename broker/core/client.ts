/**
 * A client as the broker knows it. It outlives its connection for a while if it may come back.
 *
 * @module
 */
import type { Due } from "../../protocol/time/deadlines.ts";
import type { Outlet } from "./outlet.ts";
import { type RowList, rowList } from "./jobs.ts";

/** Why a client isn't read: there is no room in the backlog. */
export const BY_BACKLOG = 1;
/** It doesn't read its own answers. */
export const BY_OUTPUT = 2;
/** The broker shuts down. */
export const BY_SHUTDOWN = 4;

/** One client. */
export class Client implements Due {
  readonly what = "client";
  due = 0;
  place = -1;
  readonly index: number;
  /** The connection, or what is held for it while it is away. */
  outlet: Outlet;
  /** Whether its connection is gone and it is waited for. */
  away = false;
  /** The identity that it chose, empty if it chose none. */
  readonly identity: Uint8Array;
  /** All its jobs. */
  readonly jobs: RowList = rowList();
  /** Streams that are open. */
  streams = 0;
  /** Whether it has spoken the native dialogue. */
  native = false;
  pausedFor = 0;

  constructor(index: number, outlet: Outlet, identity: Uint8Array) {
    this.index = index;
    this.outlet = outlet;
    this.identity = identity;
  }

  /** Reads no more from it, for one more reason. */
  pause(reason: number): void {
    if (this.pausedFor === 0) this.outlet.pause();
    this.pausedFor |= reason;
  }

  /** That reason is gone; reads again if it was the last. */
  resume(reason: number): void {
    if ((this.pausedFor & reason) === 0) return;
    this.pausedFor &= ~reason;
    if (this.pausedFor === 0) this.outlet.resume();
  }
}
