/**
 * Rota's own client: calls, sends and streams of all kinds, with timeouts, limits on waiting, and
 * cancellation.
 *
 * @module
 */
import { CallError, Client } from "../../../client/mod.ts";
import type { Submission } from "../books.ts";
import type { Command } from "../labour.ts";
import type { SimProcess } from "../process.ts";
import { FRONTEND, type Part, type Role, type Stage } from "../stage.ts";
import { marked, markOf } from "../tokens.ts";
import { readStream } from "./stream_reader.ts";

/** Calls that one client has open at most: a person's program knows a limit too. */
const MOST_OPEN = 40;
/** How late a timeout may come: a turn or two of the loop. */
const PUNCTUAL_MS = 250;

/** What a client can do. */
type Kind = "call" | "stream" | "accepted" | "send";

/** What a call is made with. */
export interface Manner {
  readonly command: Command;
  readonly service: string;
  readonly timeout: number | undefined;
  readonly ttl: number | undefined;
  /** When the caller changes its mind. */
  readonly cancelAfter: number | undefined;
  /** Octets of the payload and of the answer; chunks, for a stream. */
  readonly size: number;
  readonly wanted: number;
}

/** A Rota client. */
export const rotaClient: Role = (process, stage): Part => {
  const caller = new Caller(process, stage);
  stage.guard(process.name, caller.work());
  return {
    close: () => caller.close(),
    burst: (count) => {
      for (let i = 0; i < count; i++) caller.ask();
    },
  };
};

class Caller {
  readonly #client: Client;
  readonly #process: SimProcess;
  readonly #stage: Stage;
  #open = 0;
  #leaving = false;

  constructor(process: SimProcess, stage: Stage) {
    this.#process = process;
    this.#stage = stage;
    this.#client = new Client({ broker: FRONTEND, io: process.io });
  }

  async work(): Promise<void> {
    const { dice } = this.#process;
    while (!this.#leaving) {
      await this.#process.pass(dice.wait(this.#stage.settings.pace));
      const asks = this.#stage.phase === "busy" || this.#stage.phase === "coda";
      if (asks && this.#open < MOST_OPEN) this.ask();
    }
  }

  async close(): Promise<void> {
    this.#leaving = true;
    await this.#client.close();
  }

  /** Asks for something. */
  ask(): void {
    if (this.#leaving) return;
    const kind = this.#stage.phase === "coda" ? "call" : this.#process.dice.weigh([
      [65, "call" as const],
      [18, "stream" as const],
      [12, "accepted" as const],
      [5, "send" as const],
    ]);
    this.#open++;
    const done = this.#make(kind).finally(() => this.#open--);
    this.#stage.guard(`${this.#process.name}: ${kind}`, done);
  }

  async #make(kind: Kind): Promise<void> {
    const { books } = this.#stage;
    const manner = mannerOf(this.#process, this.#stage, kind);
    const { command, service, timeout, ttl, cancelAfter, size, wanted } = manner;
    const submission = books.submit({
      client: this.#process.name,
      what: `${kind} ${command}`,
      service,
      allowed: codesFor(manner, this.#stage, kind),
    });
    const payload = marked(submission.token, wanted, size);
    const abort = new AbortController();
    const options = {
      ...(service === "default" ? {} : { service }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(ttl === undefined ? {} : { ttl }),
      ...(cancelAfter === undefined ? {} : { signal: abort.signal }),
    };
    const timer = cancelAfter === undefined
      ? undefined
      : this.#process.io.setTimer(() => abort.abort(CHANGED), cancelAfter);
    try {
      if (kind === "call") {
        const result = await this.#client.call(command, payload, options);
        books.answered(this.#process.name, submission, markOf(result.frames));
      } else if (kind === "stream") {
        const stream = this.#client.stream(command, payload, {
          ...options,
          window: this.#process.dice.whole(1, 6),
        });
        const mark = await readStream(stream, submission, wanted, this.#process, this.#stage);
        if (typeof mark === "string") books.end(submission, mark);
        else books.answered(this.#process.name, submission, mark);
      } else {
        await this.#client.send(command, payload, { ...options, accepted: kind === "accepted" });
        books.end(submission, "sent");
      }
    } catch (error) {
      this.#failed(submission, error);
    } finally {
      if (timer !== undefined) this.#process.io.clearTimer(timer);
    }
    if (timeout !== undefined && kind === "call") this.#checkTime(submission, timeout);
  }

  #failed(submission: Submission, error: unknown): void {
    const { books, findings } = this.#stage;
    if (error === CHANGED) return books.end(submission, "cancelled");
    const code = error instanceof CallError ? error.code : "";
    findings.expect(
      "a call fails with a typed error",
      code !== "",
      () => `${submission.what} ${submission.token}: ${error}`,
    );
    books.failed(submission, code);
  }

  #checkTime({ token, what, at }: Submission, timeout: number): void {
    const took = this.#process.io.now() - at;
    this.#stage.findings.expect(
      "a call with a timeout ends in time",
      took <= timeout + PUNCTUAL_MS || this.#process.wokeAt >= at + timeout,
      () => `${what} ${token} ended after ${took} ms, its timeout was ${timeout} ms`,
    );
  }
}

/** Why a caller cancels. */
const CHANGED = new Error("The caller changed its mind");

/** How the next call is made. When all is whole again, plainly. */
function mannerOf({ dice }: SimProcess, stage: Stage, kind: Kind): Manner {
  const { services } = stage.settings;
  const stream = kind === "stream";
  if (stage.phase === "coda") {
    return {
      command: "echo",
      service: dice.pick(services),
      timeout: undefined,
      ttl: undefined,
      cancelAfter: undefined,
      size: 0,
      wanted: 10,
    };
  }
  const timeout = dice.chance(0.3) ? Math.round(dice.between(50, 15_000)) : undefined;
  const ttl = dice.chance(0.15) ? Math.round(dice.between(0, 8000)) : undefined;
  // A service that nobody serves is asked only by jobs that don't wait for ever.
  const isTimed = ttl !== undefined || (timeout !== undefined && (stream || kind === "call"));
  const unserved = isTimed && dice.chance(0.05);
  const command = dice.weigh([
    [stream ? 30 : 90, "echo" as const],
    [4, "fail" as const],
    [0.7, "poison" as const],
    [stream ? 60 : 2, "chunks" as const],
  ]);
  return {
    command,
    service: unserved ? "nobody's" : dice.pick(services),
    timeout,
    ttl,
    cancelAfter: dice.chance(0.08) ? dice.between(0, 5000) : undefined,
    size: sizeOf(dice.unit()),
    wanted: stream || command === "chunks" ? dice.whole(stream ? 0 : 1, 12) : sizeOf(dice.unit()),
  };
}

/** Most payloads are small, a few larger than a window, than what is kept, than an output's mark. */
function sizeOf(unit: number): number {
  if (unit < 0.8) return 0;
  return Math.floor(unit < 0.97 ? (unit - 0.8) * 10_000 : (unit - 0.97) * 3_000_000);
}

/** Octets of a reply that a broker keeps for a repeat of its request. */
const KEPT_REPLY = 65_000;

/** Codes that such a call may end with. */
function codesFor(manner: Manner, { settings, phase }: Stage, kind: Kind): string[] {
  if (phase === "coda") return [];
  const codes = ["WORKER_LOST", "SHUTDOWN", "NO_RESULT"];
  if (settings.small) codes.push("BUSY");
  if (manner.timeout !== undefined) codes.push("TIMEOUT", "EXPIRED", "CANCELLED");
  if (manner.ttl !== undefined) codes.push("EXPIRED");
  if (manner.command === "fail") codes.push("FAILED");
  if (kind === "stream") codes.push("CONNECTION_LOST", "DUPLICATE");
  if (manner.wanted > KEPT_REPLY) codes.push("DUPLICATE");
  return codes;
}
