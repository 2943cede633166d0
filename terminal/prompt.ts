/**
 * A line that people type commands on, with history and completion, at the bottom of a terminal:
 * whatever else is printed appears above it. It stands on standard error.
 *
 * @module
 */
import process from "node:process";
import * as readline from "node:readline";
import { Writable } from "node:stream";

/** Lines that are remembered. */
const HISTORY = 500;
/** What a terminal that tells no size is taken to have. */
const COLUMNS = 80;

/** What a prompt needs. */
export interface PromptOptions {
  /** What stands in front of what is typed. */
  readonly prompt: string;
  /** Writes to the terminal, in order with all else. */
  readonly write: (text: string) => void;
  /** What may stand at the end of that line: whole words, and the part of the line they replace. */
  readonly complete: (line: string) => [words: string[], part: string];
  /** A line was typed. Until the promise resolves there is no prompt. */
  readonly onLine: (line: string) => Promise<void>;
  /** Ctrl-C, which is no signal while there is a prompt. */
  readonly onInterrupt: () => void;
  /** Ctrl-D: there will be no more lines. */
  readonly onEnd: () => void;
}

/** A terminal as readline sees it. */
class PromptStream extends Writable {
  columns = COLUMNS;
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    super({ decodeStrings: false });
    this.#write = write;
    this.resize();
  }

  /** Looks how wide the terminal is now. */
  resize(): void {
    try {
      this.columns = Deno.consoleSize().columns || COLUMNS;
    } catch {
      // No terminal, or one that tells nothing: it stays as it was.
    }
    this.emit("resize");
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.#write(String(chunk));
    done();
  }
}

/** readline keeps how many rows above the cursor its line begins; there is no other way to say 0. */
type Rows = { prevRows: number };

/** The prompt of a console. */
export class Prompt {
  readonly #options: PromptOptions;
  readonly #stream: PromptStream;
  readonly #line: readline.Interface;
  readonly #onResize = (): void => this.#stream.resize();
  #busy: Promise<void> = Promise.resolve();
  #pending = 0;
  #shown = false;
  #closed = false;

  constructor(options: PromptOptions) {
    this.#options = options;
    this.#stream = new PromptStream(options.write);
    this.#line = readline.createInterface({
      input: process.stdin,
      output: this.#stream,
      terminal: true,
      prompt: options.prompt,
      historySize: HISTORY,
      removeHistoryDuplicates: true,
      // Answered at once: keys that came together are taken in their order.
      completer: (line: string, done: (error: null, found: [string[], string]) => void) =>
        done(null, options.complete(line)),
    });
    this.#line.on("line", (text: string) => this.#take(text));
    this.#line.on("SIGINT", () => options.onInterrupt());
    // A stopped broker serves nobody, and nobody is told: Ctrl-Z does nothing here.
    this.#line.on("SIGTSTP", () => {});
    this.#line.on("close", () => this.#end());
    Deno.addSignalListener("SIGWINCH", this.#onResize);
    this.#show();
  }

  /** Prints above the prompt: clears it, lets that be written, and puts it back as it was. */
  above(print: () => void): void {
    if (!this.#shown || this.#closed) return print();
    const { rows } = this.#line.getCursorPos();
    this.#options.write(`${rows > 0 ? `\x1b[${rows}A` : ""}\r\x1b[J`);
    print();
    (this.#line as unknown as Rows).prevRows = 0;
    this.#line.prompt(true);
  }

  /** Takes the prompt away; the terminal is as it was before. */
  close(): void {
    if (this.#closed) return;
    if (this.#shown) this.#options.write("\r\x1b[J");
    this.#closed = true;
    this.#line.close();
  }

  #show(): void {
    if (this.#closed || this.#pending > 0) return;
    this.#shown = true;
    this.#line.prompt();
  }

  /** Lines that are pasted together wait for each other. */
  #take(text: string): void {
    this.#shown = false;
    this.#pending++;
    this.#busy = this.#busy.then(async () => {
      try {
        await this.#options.onLine(text);
      } finally {
        this.#pending--;
        this.#show();
      }
    });
  }

  #end(): void {
    Deno.removeSignalListener("SIGWINCH", this.#onResize);
    if (this.#closed) return;
    this.#closed = true;
    this.#options.write("\n");
    this.#options.onEnd();
  }
}
