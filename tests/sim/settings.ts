/**
 * What a seed chooses before anything happens: the network, the broker's options and limits, and how
 * busy everybody is.
 *
 * @module
 */
import type { BrokerOptions } from "../../broker/options.ts";
import { Dice } from "./dice.ts";

/** What a seed chose. */
export interface Settings {
  readonly seed: number;
  /** Milliseconds for each delivery, and up to so many more. */
  readonly latency: number;
  readonly jitter: number;
  /** Octets that may be under way in one direction. */
  readonly window: number;
  /** All services that are served; the default one comes first. */
  readonly services: readonly string[];
  /** Milliseconds between two wishes of one client, on average. */
  readonly pace: number;
  readonly broker: BrokerOptions & { readonly maxAttempts: number };
  /** Whether the backlog is so small that it fills. */
  readonly small: boolean;
}

/** Jobs that may wait where the backlog is to fill, and where it isn't. */
const SMALL_BACKLOG = 12;
const LARGE_BACKLOG = 4000;
const KiB = 1024;

/** The settings of a seed. */
export function settingsOf(seed: number): Settings {
  const dice = new Dice(seed, "settings");
  const small = dice.chance(0.3);
  return {
    seed,
    latency: dice.pick([0, 0.2, 1, 5]),
    jitter: dice.pick([0, 0.5, 3, 20]),
    window: dice.pick([4 * KiB, 64 * KiB]),
    services: ["default", "red", "blue"].slice(0, dice.whole(1, 3)),
    pace: dice.pick([150, 400, 1000]),
    small,
    broker: {
      workerExpireSeconds: dice.pick([2, 3, 5]),
      maxAttempts: dice.pick([2, 3, 3, 4]),
      runSeconds: dice.pick([0, 0, 0, 5]),
      backlogJobs: small ? SMALL_BACKLOG : LARGE_BACKLOG,
      drainSeconds: dice.pick([1, 4]),
      limits: {
        finishedSeconds: dice.pick([20, 60]),
        clientGraceSeconds: dice.pick([3, 10]),
        outputBytes: dice.pick([16 * KiB, 256 * KiB]),
        writeSeconds: dice.pick([5, 30]),
        deadLetters: dice.pick([3, 1000]),
      },
    },
  };
}
