/**
 * The books of a simulation, as clients and workers keep them: what was asked for, what was run, and
 * what came of it. They know nothing of the broker's inside.
 *
 * @module
 */
import type { Findings } from "./findings.ts";
import type { Mark } from "./tokens.ts";

/** How long an entry that is done with is kept: later than that nothing is expected to come. */
const KEPT_MS = 900_000;

/** What a client asked for. */
export interface Submission {
  readonly token: number;
  /** The process that asked. */
  readonly client: string;
  readonly what: string;
  readonly service: string;
  readonly at: number;
  /** Codes with which it may end instead of a result. */
  readonly allowed: Set<string>;
  /** How often it was sent; each may be answered once. */
  sent: number;
  answers: number;
  /** How it ended. */
  end: string | undefined;
}

/** One run of a job at a worker. */
export interface Run {
  readonly number: number;
  readonly token: number;
  /** The worker's process. */
  readonly host: string;
  readonly at: number;
}

/** What is asked for. */
export interface Wish {
  readonly client: string;
  readonly what: string;
  readonly service: string;
  readonly allowed: Iterable<string>;
}

/** The books. */
export class Books {
  readonly #now: () => number;
  readonly #findings: Findings;
  readonly #submissions: Map<number, Submission> = new Map();
  readonly #runs: Map<number, Run> = new Map();
  readonly #open: Set<Submission> = new Set();
  #tokens = 0;
  /** Ends by what was asked for and how it ended. */
  readonly ends: Map<string, number> = new Map();

  constructor(now: () => number, findings: Findings) {
    this.#now = now;
    this.#findings = findings;
  }

  /** Calls that wait for their end. */
  get open(): ReadonlySet<Submission> {
    return this.#open;
  }

  /** Jobs asked for, and runs of jobs. */
  get counts(): { readonly submissions: number; readonly runs: number } {
    return { submissions: this.#tokens, runs: this.#lastRun };
  }
  #lastRun = 0;

  /** A client asks for a job that must come to an end. */
  submit({ client, what, service, allowed }: Wish): Submission {
    const submission: Submission = {
      token: ++this.#tokens,
      client,
      what,
      service,
      at: this.#now(),
      allowed: new Set(allowed),
      sent: 1,
      answers: 0,
      end: undefined,
    };
    this.#submissions.set(submission.token, submission);
    this.#open.add(submission);
    return submission;
  }

  /** What was asked for by that token. */
  submission(token: number): Submission | undefined {
    return this.#submissions.get(token);
  }

  /** That run. */
  run(number: number): Run | undefined {
    return this.#runs.get(number);
  }

  /** A worker runs a job. It must be one of a service that it serves. */
  ran(token: number, host: string, services: readonly string[]): Run {
    const run = { number: ++this.#lastRun, token, host, at: this.#now() };
    this.#runs.set(run.number, run);
    const submission = this.#submissions.get(token);
    this.#findings.expect(
      "a worker gets jobs of its own services",
      submission !== undefined && services.includes(submission.service),
      () => `${host} serves ${services} and got ${describe(submission, token)}`,
    );
    return run;
  }

  /** A client got an answer by which its job ends. */
  answered(client: string, submission: Submission, mark: Mark | undefined): void {
    const run = mark === undefined ? undefined : this.#runs.get(mark.number);
    this.#findings.expect(
      "an answer is that of the job",
      mark?.token === submission.token && run?.token === submission.token &&
        submission.client === client,
      () => `${client} got ${mark?.token}/${mark?.number} for ${describe(submission)}`,
    );
    this.#count(submission);
    this.end(submission, "result");
  }

  /** A client was told that its job ended otherwise. */
  failed(submission: Submission, code: string): void {
    this.#findings.expect(
      "a call ends with a result or an error that it may end with",
      submission.allowed.has(code),
      () => `${describe(submission)} ended with ${code}`,
    );
    this.end(submission, code);
  }

  /** One more answer came. */
  #count(submission: Submission): void {
    submission.answers++;
    this.#findings.expect(
      "at most one result for each submission",
      submission.answers <= submission.sent,
      () => `${describe(submission)}: ${submission.answers} answers to ${submission.sent} sends`,
    );
  }

  /** An answer came to one that has ended: legal only as the answer to a repeat. */
  again(submission: Submission): void {
    this.#count(submission);
  }

  /** A call is over. */
  end(submission: Submission, how: string): void {
    if (!this.#open.has(submission)) {
      const { end } = submission;
      this.#findings.report("a call ends once", `${describe(submission)}: ${end}, then ${how}`);
    }
    this.#open.delete(submission);
    submission.end = how;
    const key = `${submission.what}: ${how}`;
    this.ends.set(key, (this.ends.get(key) ?? 0) + 1);
  }

  /** A client ends in order: its calls fail with that code. */
  leaving(client: string, code: string): void {
    for (const submission of this.#open) {
      if (submission.client === client) submission.allowed.add(code);
    }
  }

  /** A client's process is gone, and with it whoever waited. */
  died(client: string): void {
    for (const submission of this.#open) {
      if (submission.client === client) this.end(submission, "its client was killed");
    }
  }

  /** Forgets what is done with for long. */
  prune(): void {
    const before = this.#now() - KEPT_MS;
    for (const [token, submission] of this.#submissions) {
      if (submission.at < before && !this.#open.has(submission)) this.#submissions.delete(token);
    }
    for (const [number, { at }] of this.#runs) if (at < before) this.#runs.delete(number);
  }
}

/** A submission in words. */
export function describe(submission: Submission | undefined, token = submission?.token): string {
  if (submission === undefined) return `an unknown job ${token}`;
  const { what, client, service, at } = submission;
  return `${what} ${token} of ${client} for ${service}, asked for at ${(at / 1000).toFixed(3)}s`;
}
