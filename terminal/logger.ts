/**
 * Where log lines of a console go: to standard error, as text or JSON, above the prompt if there is
 * one.
 *
 * @module
 */
import { escape } from "./escape.ts";
import { type Entry, jsonLine, textLine } from "./log.ts";
import type { Output } from "./output.ts";
import type { Paint } from "./paint.ts";

/** How a log looks. */
export interface LoggerOptions {
  readonly output: Output;
  /** What is above this level isn't told. */
  readonly level: number;
  readonly json: boolean;
  readonly paint: Paint;
  /** The time of day. */
  readonly time: () => Date;
}

/** The log of a console. */
export class Logger {
  readonly #options: LoggerOptions;
  /** Prints above the prompt; set while there is one. */
  above: (print: () => void) => void = (print) => print();

  constructor(options: LoggerOptions) {
    this.#options = options;
  }

  /** Something happened. The line is lost, and counted, if nobody reads them. */
  entry(entry: Entry): void {
    const { output, level } = this.#options;
    if (entry.level > level) return;
    const lost = output.takeLost();
    this.above(() => {
      if (lost > 0) {
        output.log(this.#line({ level: 0, event: "log lines lost", details: { more: lost } }));
      }
      output.log(this.#line(entry));
    });
  }

  /** Tells whoever gave a command what came of it. Never lost. */
  answer(text: string): void {
    const { output, json } = this.#options;
    const line = json ? this.#line({ level: 1, event: text, details: {} }) : `${escape(text)}\n`;
    this.above(() => output.err(line));
  }

  #line(entry: Entry): string {
    const { json, paint, time } = this.#options;
    return `${json ? jsonLine(entry, time()) : textLine(entry, time(), paint)}\n`;
  }
}
