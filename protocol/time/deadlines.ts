/**
 * Deadlines: one ordered list of things that fall due, the earliest first. Reads no clock and sets
 * no timer; its owner asks it when to wake up and what is due.
 *
 * @module
 */

/** Something with a deadline. Both fields are written by the list alone. */
export interface Due {
  /** When it falls due; holds only while `place` isn't -1. */
  due: number;
  /** Where it stands in the list, -1 while it has no deadline. Starts at -1. */
  place: number;
}

/**
 * A list of deadlines: a binary heap, so that setting and clearing cost the logarithm of its size.
 * What falls due at the same time comes in the order in which it was set.
 *
 * @example
 * ```ts
 * import { Deadlines } from "./deadlines.ts";
 *
 * const lunch = { due: 0, place: -1 };
 * const deadlines = new Deadlines<typeof lunch>();
 * deadlines.set(lunch, 12);
 * if (deadlines.pop(11) !== undefined) throw new Error("too early");
 * if (deadlines.pop(12) !== lunch) throw new Error("not due");
 * ```
 */
export class Deadlines<T extends Due> {
  /** The heap: no item is before its parent, and `#items[i].place === i`. */
  readonly #items: T[] = [];
  /** Beside each item, when it was set: breaks ties. */
  readonly #turns: number[] = [];
  #turn = 0;

  /** How many deadlines stand. */
  get size(): number {
    return this.#items.length;
  }

  /** Gives an item a deadline, or another one than it had; it then comes last among its equals. */
  set(item: T, time: number): void {
    if (Number.isNaN(time)) {
      throw new RangeError("Cannot set a deadline: the time is not a number");
    }
    const turn = this.#turn++;
    if (item.place < 0) {
      item.due = time;
      this.#items.push(item);
      this.#turns.push(turn);
      this.#rise(item, turn, this.#items.length - 1);
      return;
    }
    this.#own(item);
    const earlier = time < item.due;
    item.due = time;
    if (earlier) this.#rise(item, turn, item.place);
    else this.#sink(item, turn, item.place);
  }

  /** Takes an item's deadline away; says whether it had one. */
  clear(item: T): boolean {
    if (item.place < 0) return false;
    this.#own(item);
    this.#remove(item.place);
    return true;
  }

  /** What falls due first, if anything does. */
  first(): T | undefined {
    return this.#items[0];
  }

  /** Takes out the first item that is due at `now`, if any is. */
  pop(now: number): T | undefined {
    const item = this.#items[0];
    if (item === undefined || item.due > now) return undefined;
    this.#remove(0);
    return item;
  }

  #own(item: T): void {
    if (this.#items[item.place] !== item) {
      throw new Error("Cannot change a deadline: it stands in another list");
    }
  }

  #remove(place: number): void {
    const items = this.#items;
    items[place]!.place = -1;
    const last = items.pop()!;
    const turn = this.#turns.pop()!;
    if (place === items.length) return;
    // The last item fills the gap. It belongs above it or below it, never both.
    const parent = (place - 1) >> 1;
    if (place > 0 && this.#before(last, turn, parent)) {
      this.#rise(last, turn, place);
    } else this.#sink(last, turn, place);
  }

  /** Whether an item comes before the one that stands at `place`. */
  #before(item: T, turn: number, place: number): boolean {
    const other = this.#items[place]!;
    return item.due < other.due ||
      (item.due === other.due && turn < this.#turns[place]!);
  }

  #put(item: T, turn: number, place: number): void {
    this.#items[place] = item;
    this.#turns[place] = turn;
    item.place = place;
  }

  #rise(item: T, turn: number, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#before(item, turn, parent)) break;
      this.#put(this.#items[parent]!, this.#turns[parent]!, place);
      place = parent;
    }
    this.#put(item, turn, place);
  }

  #sink(item: T, turn: number, from: number): void {
    const size = this.#items.length;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      const right = child + 1;
      if (
        right < size &&
        this.#before(this.#items[right]!, this.#turns[right]!, child)
      ) child = right;
      if (this.#before(item, turn, child)) break;
      this.#put(this.#items[child]!, this.#turns[child]!, place);
      place = child;
    }
    this.#put(item, turn, place);
  }
}
