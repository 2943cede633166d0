/**
 * How long to wait before trying again. Pure: the random number is given.
 *
 * @module
 */

/** More doublings than this change nothing: every cap is reached long before. */
const DOUBLINGS = 40;

function doubled(base: number, attempt: number): number {
  return base * 2 ** Math.min(Math.max(attempt, 0), DOUBLINGS);
}

/**
 * How long a ZeroMQ socket waits before it connects again: the interval and a random part of it.
 * A `max` above the interval makes it double with each attempt and stay at or below `max`, still
 * with a random part, so that peers of a broker that restarts don't all come back at once. Any
 * other `max` means no growth. The first attempt is 0; `random01` is at least 0 and below 1.
 *
 * @example
 * ```ts
 * import { reconnectDelay } from "./backoff.ts";
 *
 * if (reconnectDelay(3, 100, 0, 0.5) !== 150) throw new Error("grew");
 * if (reconnectDelay(3, 100, 5000, 0.5) !== 850) throw new Error("did not double");
 * ```
 */
export function reconnectDelay(
  attempt: number,
  interval: number,
  max: number,
  random01: number,
): number {
  const jitter = interval * random01;
  if (max <= interval) return interval + jitter;
  const ceiling = Math.max(interval, max - interval);
  return Math.min(
    Math.min(doubled(interval, attempt), ceiling) + jitter,
    max,
  );
}

/**
 * Full jitter: anything from nothing up to a bound that doubles from `base` to `max`. Spreads a
 * crowd best; Rota's worker and client use it from 100 ms to 30 s. The first attempt is 0.
 *
 * @example
 * ```ts
 * import { fullJitter } from "./backoff.ts";
 *
 * if (fullJitter(2, 100, 30_000, 0.5) !== 200) throw new Error("not half of 400");
 * ```
 */
export function fullJitter(
  attempt: number,
  base: number,
  max: number,
  random01: number,
): number {
  return Math.min(doubled(base, attempt), max) * random01;
}
