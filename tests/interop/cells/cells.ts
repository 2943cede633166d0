/**
 * How each case of the matrix is played.
 *
 * @module
 */

import type { CaseName } from "../matrix.ts";
import { correlate, handoverOff, handoverOn, mandatory, probe, relaxed } from "./identities.ts";
import { heartbeats, restarted } from "./lifetime.ts";
import { frameOfSize, frames, inOrder } from "./messages.ts";
import type { Stage } from "./stage.ts";

/** Plays a case; rejects when it fails. */
export const CELLS: Readonly<Record<CaseName, (stage: Stage) => Promise<void>>> = {
  "frame of 0 B": (stage) => frameOfSize(stage, 0),
  "frame of 1 B": (stage) => frameOfSize(stage, 1),
  "frame of 255 B": (stage) => frameOfSize(stage, 255),
  "frame of 256 B": (stage) => frameOfSize(stage, 256),
  "frame of 64 KiB": (stage) => frameOfSize(stage, 64 * 1024),
  "frame of 10 MiB": (stage) => frameOfSize(stage, 10 * 1024 * 1024),
  "1 frame": (stage) => frames(stage, 1),
  "2 frames": (stage) => frames(stage, 2),
  "200 frames": (stage) => frames(stage, 200),
  "10,000 in order": (stage) => inOrder(stage, 10_000),
  "heartbeats": heartbeats,
  "ours restarted": (stage) => restarted(stage, "ours"),
  "theirs restarted": (stage) => restarted(stage, "theirs"),
  "same identity, handover off": handoverOff,
  "same identity, handover on": handoverOn,
  "mandatory": mandatory,
  "probe": probe,
  "correlate": correlate,
  "correlate, relaxed": relaxed,
};
