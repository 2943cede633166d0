/**
 * The ways to the brokers of a client: which of them are there, and whose turn it is. Pure.
 *
 * @module
 */

/**
 * A way to a broker. One that drains takes no new jobs and is used only where there is no other; one
 * that is shut will never come back.
 */
type Line = "down" | "up" | "draining" | "shut";

/** All ways to brokers, by index. */
export class Lines {
  readonly #lines: Line[];
  #turn = 0;
  #why = "";

  /** None of them is there yet. */
  constructor(count: number) {
    this.#lines = Array.from({ length: count }, () => "down");
  }

  /** Whether a broker is there. */
  get connected(): boolean {
    return this.#lines.some((line) => line === "up" || line === "draining");
  }

  /** Whether a broker is there that takes jobs, as far as is known. */
  get welcoming(): boolean {
    return this.#lines.includes("up");
  }

  /** Why no broker will ever be there; undefined while one may. */
  get trouble(): string | undefined {
    return this.#lines.every((line) => line === "shut") ? this.#why : undefined;
  }

  /** A broker is there. */
  up(line: number): void {
    this.#lines[line] = "up";
  }

  /** A broker is gone; with a reason, for good. */
  down(line: number, why: string | undefined): void {
    this.#lines[line] = why === undefined ? "down" : "shut";
    this.#why = why ?? this.#why;
  }

  /** A broker said that it shuts down. */
  drains(line: number): void {
    if (this.#lines[line] === "up") this.#lines[line] = "draining";
  }

  /** The next broker in turn that is there, -1 if none is. One that drains is the last resort. */
  next(): number {
    const lines = this.#lines;
    const wanted = this.welcoming ? "up" : "draining";
    for (let i = 0; i < lines.length; i++) {
      const line = (this.#turn + i) % lines.length;
      if (lines[line] !== wanted) continue;
      this.#turn = line + 1;
      return line;
    }
    return -1;
  }
}
