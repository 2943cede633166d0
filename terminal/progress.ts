/**
 * How far something is: a bar that moves on a terminal, a mark for each tenth elsewhere.
 *
 * @module
 */
import { countText } from "./quantity.ts";

/** The bar's longest form. */
const LONGEST = 40;
/** How often the bar is drawn at most. */
const DRAW_MS = 100;
const TENTHS = 10;

/** What a progress needs. */
export interface ProgressOptions {
  /** How many there will be; Infinity if only time tells. */
  readonly total: number;
  readonly write: (text: string) => void;
  /** Columns of the terminal that it is drawn on; 0 if there is none. */
  readonly width: number;
  /** The time in ms. */
  readonly now: () => number;
  /** When it will end, where the count doesn't tell. */
  readonly until?: number;
}

/** A progress. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #began: number;
  #done = 0;
  #drawn = -Infinity;
  #tenths = 0;
  #line = "";

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#began = options.now();
  }

  /** One more is done. */
  step(): void {
    this.#done++;
    const { width, now } = this.#options;
    if (width === 0) return this.#mark();
    const time = now();
    if (time - this.#drawn < DRAW_MS) return;
    this.#drawn = time;
    this.#draw(time);
  }

  /** Prints above it. */
  above(print: () => void): void {
    const { write } = this.#options;
    if (this.#line !== "") write("\r\x1b[K");
    print();
    if (this.#line !== "") write(this.#line);
  }

  /** It is over, whether all is done or not: leaves the cursor at the beginning of a line. */
  end(): void {
    const { width, write } = this.#options;
    if (width === 0) {
      if (this.#tenths > 0) write("\n");
    } else if (this.#line !== "") {
      write("\r\x1b[K");
      this.#line = "";
    }
  }

  /** The part that is done, 0 to 1. */
  #part(time: number): number {
    const { total, until = Infinity } = this.#options;
    if (total < Infinity) return Math.min(1, this.#done / total);
    return Math.min(1, (time - this.#began) / (until - this.#began));
  }

  #mark(): void {
    const tenths = Math.floor(this.#part(this.#options.now()) * TENTHS);
    if (tenths <= this.#tenths) return;
    this.#options.write(`${this.#tenths === 0 ? "" : " "}${tenths * TENTHS}%`);
    this.#tenths = tenths;
  }

  #draw(time: number): void {
    const { total, width, write } = this.#options;
    const count = total === Infinity
      ? countText(this.#done)
      : `${countText(this.#done).padStart(countText(total).length)} of ${countText(total)}`;
    const seconds = (time - this.#began) / 1000;
    const rate = seconds < 0.5 ? "" : `  ${countText(Math.round(this.#done / seconds))}/s`;
    // The last column stays free: some terminals break the line there.
    const room = width - count.length - rate.length - "[] ".length - 1;
    const length = Math.min(LONGEST, room);
    const cells = Math.round(this.#part(time) * length);
    const bar = length < 4 ? "" : `[${"#".repeat(cells)}${"-".repeat(length - cells)}] `;
    this.#line = `${bar}${count}${rate}`;
    write(`\r\x1b[K${this.#line}`);
  }
}
