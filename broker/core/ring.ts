/**
 * A ring that turns: workers in the order of their turns, and which of them may be given a job. A
 * turn passes over those that may not, and they lose it, exactly as if each were taken from the
 * top and put back at the bottom; but nobody is moved for that.
 *
 * The ring is a height-balanced tree in the order of turns. Each node knows whether anyone below it
 * is eligible, so that finding the next one costs the logarithm of the ring's size, whoever is busy.
 *
 * @module
 */

/** One place in a ring. All fields belong to the ring. */
export interface Seat {
  /** Whether whoever sits here may be given a job. */
  eligible: boolean;
  /** Whether it stands in the ring now. */
  seated: boolean;
  left: Seat | undefined;
  right: Seat | undefined;
  up: Seat | undefined;
  /** Neighbours in the order of turns, all around. */
  next: Seat | undefined;
  previous: Seat | undefined;
  height: number;
  /** Whether anyone from here down is eligible. */
  any: boolean;
}

/** The fields of a seat that stands in no ring. */
export function emptySeat(): Seat {
  return {
    eligible: false,
    seated: false,
    left: undefined,
    right: undefined,
    up: undefined,
    next: undefined,
    previous: undefined,
    height: 1,
    any: false,
  };
}

/** A ring of seats. */
export class Ring<S extends Seat> {
  /** How many seats stand in it. */
  size = 0;
  /** Seats looked at so far: the cost of all operations. */
  steps = 0;
  #root: Seat | undefined;
  /** Whose turn it is next: the top of the table. */
  #top: Seat | undefined;

  /** Puts a seat at the bottom: its turn comes after all others. */
  add(seat: S): void {
    if (seat.seated) throw new Error("Cannot add a seat: it stands in a ring");
    seat.seated = true;
    seat.left = seat.right = seat.up = undefined;
    seat.height = 1;
    seat.any = seat.eligible;
    this.size++;
    const top = this.#top;
    if (top === undefined) {
      this.#root = this.#top = seat;
      seat.next = seat.previous = seat;
      return;
    }
    const last = top.previous!;
    last.next = top.previous = seat;
    seat.previous = last;
    seat.next = top;
    // Just before the top: below it on the left, or below its predecessor on the right.
    if (top.left === undefined) {
      top.left = seat;
      seat.up = top;
    } else {
      last.right = seat;
      seat.up = last;
    }
    this.#balance(seat.up);
  }

  /** Takes a seat out; if it was on top, the next one is. */
  remove(seat: S): void {
    if (!seat.seated) return;
    seat.seated = false;
    this.size--;
    if (this.#top === seat) this.#top = seat.next === seat ? undefined : seat.next;
    seat.previous!.next = seat.next;
    seat.next!.previous = seat.previous;
    let from = seat.up;
    let heir = seat.left ?? seat.right;
    if (seat.left !== undefined && seat.right !== undefined) {
      // Its neighbour in turn has no left branch, and takes its place in the tree.
      heir = this.#leftmost(seat.right);
      from = heir.up === seat ? heir : heir.up!;
      if (heir !== seat.right) {
        this.#replace(heir, heir.right);
        heir.right = seat.right;
        seat.right.up = heir;
      }
      heir.left = seat.left;
      seat.left.up = heir;
    }
    this.#replace(seat, heir);
    this.#balance(from);
    seat.left =
      seat.right =
      seat.up =
      seat.next =
      seat.previous =
        undefined;
  }

  /** Says whether whoever sits there may be given a job. */
  setEligible(seat: S, eligible: boolean): void {
    if (seat.eligible === eligible) return;
    seat.eligible = eligible;
    if (!seat.seated) return;
    let at: Seat | undefined = seat;
    while (at !== undefined) {
      this.steps++;
      const any = anyBelow(at);
      if (any === at.any) return;
      at.any = any;
      at = at.up;
    }
  }

  /** The first eligible seat from the top on, all around; undefined if there is none. */
  first(): S | undefined {
    const root = this.#root;
    let at = this.#top;
    if (at === undefined || !root!.any) return undefined;
    this.steps++;
    if (at.eligible) return at as S;
    if (at.right?.any) return this.#leftmostEligible(at.right);
    for (let up = at.up; up !== undefined; at = up, up = up.up) {
      this.steps++;
      if (up.left !== at) continue;
      if (up.eligible) return up as S;
      if (up.right?.any) return this.#leftmostEligible(up.right);
    }
    return this.#leftmostEligible(root!);
  }

  /** Whether anyone is eligible. */
  get open(): boolean {
    return this.#root !== undefined && this.#root.any;
  }

  /** That seat had its turn: it is at the bottom now, and so are all who were passed over. */
  pass(seat: S): void {
    if (!seat.seated) throw new Error("Cannot pass a seat: it stands in no ring");
    this.#top = seat.next;
  }

  /** Seats from the top to the bottom. */
  *[Symbol.iterator](): Generator<S, void, undefined> {
    let at = this.#top;
    for (let i = this.size; i > 0; i--) {
      yield at as S;
      at = at!.next;
    }
  }

  #leftmost(from: Seat): Seat {
    let at = from;
    for (this.steps++; at.left !== undefined; this.steps++) at = at.left;
    return at;
  }

  #leftmostEligible(from: Seat): S {
    let at = from;
    for (;;) {
      this.steps++;
      if (at.left?.any) at = at.left;
      else if (at.eligible) return at as S;
      else at = at.right!;
    }
  }

  /** Puts `heir` where `seat` hangs in the tree. */
  #replace(seat: Seat, heir: Seat | undefined): void {
    const up = seat.up;
    if (up === undefined) this.#root = heir;
    else if (up.left === seat) up.left = heir;
    else up.right = heir;
    if (heir !== undefined) heir.up = up;
  }

  /** Mends heights, balance and what is known of each branch, from there up to the root. */
  #balance(from: Seat | undefined): void {
    let at = from;
    while (at !== undefined) {
      this.steps++;
      const tilt = heightOf(at.left) - heightOf(at.right);
      if (tilt > 1) {
        const left: Seat = at.left!;
        if (heightOf(left.left) < heightOf(left.right)) this.#rotate(left, left.right!);
        at = this.#rotate(at, at.left!);
      } else if (tilt < -1) {
        const right: Seat = at.right!;
        if (heightOf(right.right) < heightOf(right.left)) this.#rotate(right, right.left!);
        at = this.#rotate(at, at.right!);
      } else {
        mend(at);
      }
      at = at.up;
    }
  }

  /** Lifts a child above its parent; gives the child. */
  #rotate(parent: Seat, child: Seat): Seat {
    this.#replace(parent, child);
    if (parent.left === child) {
      parent.left = child.right;
      if (child.right !== undefined) child.right.up = parent;
      child.right = parent;
    } else {
      parent.right = child.left;
      if (child.left !== undefined) child.left.up = parent;
      child.left = parent;
    }
    parent.up = child;
    mend(parent);
    mend(child);
    return child;
  }
}

function heightOf(seat: Seat | undefined): number {
  return seat === undefined ? 0 : seat.height;
}

function anyBelow(seat: Seat): boolean {
  return seat.eligible || (seat.left !== undefined && seat.left.any) ||
    (seat.right !== undefined && seat.right.any);
}

function mend(seat: Seat): void {
  seat.height = 1 + Math.max(heightOf(seat.left), heightOf(seat.right));
  seat.any = anyBelow(seat);
}
