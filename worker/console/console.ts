/**
 * A worker with a console: registers unless it is to wait, prints that it is ready, and runs commands
 * that are typed or piped in. The process itself (streams, signals, exit code) is the business of
 * `main.ts`.
 *
 * @module
 */
import type { Io } from "../../protocol/io/io.ts";
import type { Ending } from "../../terminal/ending.ts";
import { escape } from "../../terminal/escape.ts";
import type { Logger } from "../../terminal/logger.ts";
import type { Output } from "../../terminal/output.ts";
import type { Worker } from "../worker.ts";
import type { Bulk } from "./bulk.ts";
import { runCommand } from "./commands.ts";

/** What a console is made of. */
export interface ConsoleParts {
  readonly io: Io;
  readonly worker: Worker;
  readonly bulk: Bulk;
  readonly ending: Ending;
  readonly output: Output;
  readonly log: Logger;
  /** Columns of the terminal that views are printed to; Infinity where there is none. */
  readonly width: () => number;
}

/** The console of a worker. */
export class WorkerConsole {
  readonly #parts: ConsoleParts;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /** Registers and says so; resolves with false if the broker won't have it. */
  async register(): Promise<boolean> {
    const { worker, log } = this.#parts;
    try {
      await worker.register();
    } catch (error) {
      log.answer(`rota worker: ${(error as Error).message}`);
      return false;
    }
    this.announce();
    return true;
  }

  /** Says that the worker is ready, and for whom. */
  announce(): void {
    const { worker, output, log } = this.#parts;
    const { address, broker, slots } = worker.status;
    const line = `rota worker ready address=${escape(address)} broker=${broker} slots=${slots}\n`;
    log.above(() => output.out(line));
  }

  /** Runs one line; resolves when all of its output is written. */
  async command(line: string): Promise<void> {
    const { io, worker, bulk, ending, output, log, width } = this.#parts;
    const { view, say, quit } = await runCommand(line, { io, worker, bulk, width: width() });
    if (view !== undefined) output.out(`${view.join("\n")}\n`);
    for (const text of say ?? []) log.answer(text);
    if (quit) ending.begin();
    await output.flush();
  }
}
