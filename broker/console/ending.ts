/**
 * How a broker is told to end, and what it says while it does: gently at first, at once the second
 * time.
 *
 * @module
 */
import type { Io, TimerId } from "../../protocol/io/io.ts";
import type { Logger } from "../../terminal/logger.ts";
import { StopRule } from "../../terminal/stop_rule.ts";
import { EXIT, type ExitCode } from "../../terminal/exit_code.ts";
import type { Broker } from "../broker.ts";

/** How often it is told what is waited for. */
const TELL_MS = 1000;

/** What ends a program at once. */
export type StopSignal = "SIGINT" | "SIGTERM";

/** The end of a broker. */
export class Ending {
  /** Resolves with the exit code when the broker has ended, or is to be left as it is. */
  readonly code: Promise<ExitCode>;
  readonly #broker: Broker;
  readonly #io: Io;
  readonly #log: Logger;
  readonly #drainSeconds: number;
  readonly #rule = new StopRule();
  readonly #resolve: (code: ExitCode) => void;
  #until = 0;
  #draining = false;
  #timer: TimerId | undefined;
  #told = "";

  constructor(broker: Broker, io: Io, log: Logger, drainSeconds: number) {
    this.#broker = broker;
    this.#io = io;
    this.#log = log;
    this.#drainSeconds = drainSeconds;
    const { promise, resolve } = Promise.withResolvers<ExitCode>();
    this.code = promise;
    this.#resolve = resolve;
  }

  /** A signal came, or a Ctrl-C that is none. */
  signal(name: StopSignal): void {
    const meant = this.#rule.signal(this.#io.now());
    if (meant === "same") return;
    if (meant === "gently" && !this.#draining) return this.begin();
    if (meant === "gently") return this.#say("ending already; once more ends it at once");
    this.#say("ended at once", this.#counts());
    this.#resolve(name === "SIGINT" ? EXIT.interrupted : EXIT.terminated);
  }

  /** No new jobs; those that are here may finish for a while. */
  begin(): void {
    if (this.#draining) return this.#say("ending already");
    this.#draining = true;
    this.#until = this.#io.now() + this.#drainSeconds * 1000;
    const closed = this.#broker.close();
    this.#tell();
    closed.then(() => {
      if (this.#timer !== undefined) this.#io.clearTimer(this.#timer);
      this.#log.entry({ level: 1, event: "ended", details: {} });
      this.#resolve(EXIT.ok);
    }, (error) => {
      this.#say("could not end in order", { error: String(error) });
      this.#resolve(EXIT.failed);
    });
  }

  /** Says what is waited for, and again whenever that has changed. */
  #tell(): void {
    const counts = this.#counts();
    const waits = `${counts.running} ${counts.waiting}`;
    const left = this.#until - this.#io.now();
    if (counts.running + counts.waiting === 0 || left <= 0) return;
    if (waits !== this.#told) {
      this.#say("draining", { ...counts, left: `${Math.ceil(left / 1000)}s` });
    }
    this.#told = waits;
    this.#timer = this.#io.setTimer(() => this.#tell(), TELL_MS);
  }

  #counts(): { running: number; waiting: number } {
    const { running, waiting } = this.#broker.views.snapshot().jobs;
    return { running, waiting };
  }

  #say(event: string, details: Record<string, string | number> = {}): void {
    this.#log.entry({ level: 0, event, details });
  }
}
