/**
 * A client with a console: runs commands one after the other, each with a broker at hand, and keeps
 * the worst exit code. The process itself (streams, signals, exit code) is the business of `main.ts`.
 *
 * @module
 */
import type { Io } from "../../protocol/io/io.ts";
import { EXIT, type ExitCode } from "../../terminal/exit_code.ts";
import type { Logger } from "../../terminal/logger.ts";
import { UsageError } from "../../terminal/options.ts";
import type { Output } from "../../terminal/output.ts";
import { Client } from "../client.ts";
import { ConnectionLostError } from "../errors.ts";
import type { ClientOptions } from "../options.ts";
import type { Wish } from "./args.ts";
import { readCommand, type Run } from "./commands.ts";
import { type Desk, tell } from "./desk.ts";
import { commandLines } from "./help.ts";

/** A broker that doesn't shake hands within this, or within the timeout, is unreachable. */
const REACH_MS = 5000;
const CURE = "; deno task broker starts one";

/** What a console is made of. */
export interface ConsoleParts {
  readonly wish: Wish;
  readonly io: Io;
  readonly output: Output;
  readonly log: Logger;
  /** Columns of the terminal that progress is drawn on; 0 where there is none. */
  readonly barWidth: () => number;
  /** Whether results are written as octets, just as they came. */
  readonly raw: boolean;
  /** All of standard input; undefined where commands come from there. */
  readonly input: (() => Promise<Uint8Array>) | undefined;
}

/** The console of a client. */
export class ClientConsole implements AsyncDisposable {
  /** The highest exit code so far. */
  worst: ExitCode = EXIT.ok;
  readonly #parts: ConsoleParts;
  readonly #options: ClientOptions;
  #client: Client | undefined;
  #running: AbortController | undefined;

  constructor(parts: ConsoleParts) {
    const { wish, io, log } = parts;
    this.#parts = parts;
    this.#options = { io, broker: wish.brokers, onLog: (line) => log.entry(line) };
  }

  /** Connects in the background, so that a broker is there when the first command is. */
  connect(): void {
    this.#client ??= new Client(this.#options);
  }

  /** Stops the command that runs. False if none does. */
  interrupt(): boolean {
    this.#running?.abort();
    return this.#running !== undefined;
  }

  /** Runs one line; resolves when all of its output is written. True if the client is to end. */
  async command(text: string): Promise<boolean> {
    const { output, log } = this.#parts;
    try {
      const line = readCommand(text);
      if (line?.run === "quit") return true;
      if (line?.run === "help") output.out(`${commandLines().join("\n")}\n`);
      else if (line !== undefined) this.#note(await this.#run(line.name, line.run, line.json));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      log.answer(error.message);
      this.#note(EXIT.usage);
    }
    await output.flush();
    return false;
  }

  /** Closes the connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.close();
  }

  #note(code: ExitCode): void {
    if (code > this.worst) this.worst = code;
  }

  async #run(name: string, run: Run, json: boolean): Promise<ExitCode> {
    const running = this.#running = new AbortController();
    try {
      const desk = this.#desk(running.signal, json);
      const unreachable = await this.#reach(desk, name);
      return unreachable ?? await run(desk);
    } finally {
      this.#running = undefined;
    }
  }

  #desk(signal: AbortSignal, json: boolean): Desk {
    const { wish, io, output, log, raw, input, barWidth } = this.#parts;
    this.connect();
    const { timeout, service } = wish;
    return {
      client: this.#client!,
      another: () => new Client(this.#options),
      io,
      output,
      log,
      json: json || wish.json,
      options: service === undefined ? { timeout, signal } : { timeout, signal, service },
      barWidth: barWidth(),
      raw,
      input,
    };
  }

  /** Sees that a broker is there; the exit code if none is. */
  async #reach(desk: Desk, command: string): Promise<ExitCode | undefined> {
    const { client, json, log, options: { timeout, signal } } = desk;
    try {
      await client.ready({ timeout: Math.min(timeout, REACH_MS), signal });
      return undefined;
    } catch (error) {
      if (signal.aborted) return EXIT.interrupted;
      if (!(error instanceof ConnectionLostError)) throw error;
      const { code, message } = error;
      if (json) tell(desk, [], { command, ok: false, code, error: message });
      else log.answer(message + (message.includes(" within ") ? CURE : ""));
      return EXIT.unreachable;
    }
  }
}
