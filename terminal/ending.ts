/**
 * How a program is told to end, and what it says while it does: gently at first, at once the second
 * time.
 *
 * @module
 */
import { EXIT, type ExitCode } from "./exit_code.ts";
import type { Logger } from "./logger.ts";
import { StopRule } from "./stop_rule.ts";

/** How often it is told what is waited for. */
const TELL_MS = 1000;

/** What ends a program at once. */
export type StopSignal = "SIGINT" | "SIGTERM";

/** A clock that never jumps, and its timers. */
export interface Clock {
  now(): number;
  setTimer(callback: () => void, milliseconds: number): number;
  clearTimer(id: number): void;
}

/** What is to end. */
export interface Endable {
  /** Ends it gently; resolves when it has ended. */
  close(): Promise<void>;
  /** What it waits for meanwhile, by name; nothing if all are 0. */
  waits(): Readonly<Record<string, number>>;
  /** How long it waits at most. */
  readonly drainSeconds: number;
}

/** The end of a program. */
export class Ending {
  /** Resolves with the exit code when it has ended, or is to be left as it is. */
  readonly code: Promise<ExitCode>;
  readonly #it: Endable;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #rule = new StopRule();
  readonly #resolve: (code: ExitCode) => void;
  #until = 0;
  #draining = false;
  #timer: number | undefined;
  #told = "";

  constructor(it: Endable, clock: Clock, log: Logger) {
    this.#it = it;
    this.#clock = clock;
    this.#log = log;
    const { promise, resolve } = Promise.withResolvers<ExitCode>();
    this.code = promise;
    this.#resolve = resolve;
  }

  /** A signal came, or a Ctrl-C that is none. */
  signal(name: StopSignal): void {
    const meant = this.#rule.signal(this.#clock.now());
    if (meant === "same") return;
    if (meant === "gently" && !this.#draining) return this.begin();
    if (meant === "gently") return this.#say("ending already; once more ends it at once");
    this.#say("ended at once", this.#it.waits());
    this.#resolve(name === "SIGINT" ? EXIT.interrupted : EXIT.terminated);
  }

  /** Nothing new is begun; what is under way may finish for a while. */
  begin(): void {
    if (this.#draining) return this.#say("ending already");
    this.#draining = true;
    this.#until = this.#clock.now() + this.#it.drainSeconds * 1000;
    const closed = this.#it.close();
    this.#tell();
    closed.then(() => {
      if (this.#timer !== undefined) this.#clock.clearTimer(this.#timer);
      this.#log.entry({ level: 1, event: "ended", details: {} });
      this.#resolve(EXIT.ok);
    }, (error) => {
      this.#say("could not end in order", { error: String(error) });
      this.#resolve(EXIT.failed);
    });
  }

  /** Says what is waited for, and again whenever that has changed. */
  #tell(): void {
    const waits = this.#it.waits();
    const left = this.#until - this.#clock.now();
    if (Object.values(waits).every((count) => count === 0) || left <= 0) return;
    const told = JSON.stringify(waits);
    if (told !== this.#told) {
      this.#say("draining", { ...waits, left: `${Math.ceil(left / 1000)}s` });
    }
    this.#told = told;
    this.#timer = this.#clock.setTimer(() => this.#tell(), TELL_MS);
  }

  #say(event: string, details: Record<string, string | number> = {}): void {
    this.#log.entry({ level: 0, event, details });
  }
}
