/**
 * Who waits for memory because all peers together hold as much as they may: connections whose
 * unfinished message can't grow, and peers whose output can't. Of the connections, the one that
 * holds the most is given a deadline, so that one of them always moves on.
 *
 * @module
 */
import type { Budget } from "./budget.ts";
import type { Link } from "./link.ts";
import type { Peer } from "./peer.ts";

/**
 * The connections that wait for memory. Invariant: while any does, one of all has a deadline or the
 * application is to blame.
 */
export class Hunger {
  readonly #budget: Budget;
  /** Peers of all engines that share the budget. */
  readonly #lists: (readonly (Peer | undefined)[])[] = [];
  readonly #now: () => number;
  readonly #starved: Set<Link> = new Set();
  /** Peers that somebody would send more to. */
  readonly #blocked: Set<Peer> = new Set();
  /** The one that was given a deadline last. */
  #hurried: Link | undefined;

  /** Watches over a budget; `now` tells the time. */
  constructor(budget: Budget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
  }

  /** Watches over these peers too. */
  watch(peers: readonly (Peer | undefined)[]): void {
    this.#lists.push(peers);
  }

  /** A message can't grow for lack of memory: the largest one is given a deadline. */
  starve(link: Link): void {
    this.#starved.add(link);
    this.#hurry(link);
  }

  /** Somebody would send more to that peer. */
  starveOutput(peer: Peer): void {
    this.#blocked.add(peer);
  }

  /** Memory may have come back: whoever fits reads on. If all do, nobody's deadline stands. */
  freed(): void {
    if (this.#blocked.size > 0 && !this.#budget.exhausted) this.#unblock();
    if (this.#starved.size === 0) return;
    for (const link of this.#starved) {
      if (!this.#budget.allows(link.growth)) continue;
      this.#starved.delete(link);
      link.fed();
    }
    for (const link of this.#starved) {
      // The one that was to go has gone, or has got its message, and it was not enough.
      if (!this.#hurried?.liveness.starving) this.#hurry(link);
      return;
    }
    this.#hurried = undefined;
    for (const peer of this.#peers()) peer.link?.liveness.sated();
  }

  /**
   * Closes the peer that has left the most output untaken, if that is more than `least` octets; says
   * whether there was one. For whoever can't refuse what he has to pass on.
   */
  drown(least: number): boolean {
    let most = least;
    let largest: Peer | undefined;
    for (const peer of this.#peers()) {
      if (peer.link === undefined || peer.waitingBytes <= most) continue;
      most = peer.waitingBytes;
      largest = peer;
    }
    largest?.link?.drown();
    return largest !== undefined;
  }

  /** That connection is gone. */
  forget(link: Link): void {
    this.#starved.delete(link);
    if (this.#hurried === link) this.#hurried = undefined;
  }

  *#peers(): Generator<Peer, void, undefined> {
    for (const list of this.#lists) {
      for (const peer of list) if (peer !== undefined) yield peer;
    }
  }

  /** Who still finds no room comes back to the line by asking. */
  #unblock(): void {
    const blocked = [...this.#blocked];
    this.#blocked.clear();
    for (const peer of blocked) peer.tellRoom();
  }

  /**
   * Gives a deadline to whoever holds the most: this one or another. Nobody is hurried while it is
   * the application that holds the most, by being slow to receive: it gives memory back as it will.
   */
  #hurry(link: Link): void {
    if (2 * this.#budget.charged > this.#budget.used) return;
    let largest = link;
    for (const peer of this.#peers()) {
      const other = peer.link;
      if (other !== undefined && other.held > largest.held) largest = other;
    }
    this.#hurried = largest;
    largest.liveness.starvedSince(this.#now());
    largest.arm();
  }
}
