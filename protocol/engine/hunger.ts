/**
 * Who waits for memory: connections whose unfinished message can't grow because all peers together
 * hold as much as they may. The one that holds the most is given a deadline, so that one of them
 * always moves on.
 *
 * @module
 */
import type { Budget } from "./budget.ts";
import type { Link } from "./link.ts";
import type { Peer } from "./peer.ts";

/** The connections that wait for memory. */
export class Hunger {
  readonly #budget: Budget;
  readonly #peers: readonly (Peer | undefined)[];
  readonly #starved: Set<Link> = new Set();

  /** Watches over these peers, which share a budget. */
  constructor(budget: Budget, peers: readonly (Peer | undefined)[]) {
    this.#budget = budget;
    this.#peers = peers;
  }

  /** A message can't grow for lack of memory: the largest one is given a deadline. */
  starve(link: Link, now: number): void {
    this.#starved.add(link);
    let largest = link;
    for (const peer of this.#peers) {
      const other = peer?.link;
      if (other !== undefined && other.held > largest.held) largest = other;
    }
    largest.liveness.starvedSince(now);
    largest.arm();
  }

  /** Memory may have come back: whoever fits reads on. If all do, nobody's deadline stands. */
  freed(): void {
    if (this.#starved.size === 0) return;
    for (const link of this.#starved) {
      if (!this.#budget.allows(link.growth)) continue;
      this.#starved.delete(link);
      link.fed();
    }
    if (this.#starved.size > 0) return;
    for (const peer of this.#peers) peer?.link?.liveness.sated();
  }

  /** That connection is gone. */
  forget(link: Link): void {
    this.#starved.delete(link);
  }
}
