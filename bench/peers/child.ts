/**
 * A child process on a core of its own choice, which speaks in lines of JSON. Everything that is
 * measured is started through `taskset`, so that this is the one program a benchmark may run.
 *
 * @module
 */
import { TextLineStream } from "../../tests/interop/text_lines.ts";

/** What a child says. */
export type Line = Readonly<Record<string, unknown>>;

const ROOT = new URL("../../", import.meta.url);
/** How much of what a child complains about is kept. */
const COMPLAINT_CHARS = 2000;
/** How long a child may take to end when it is asked to. */
const ENDING_MS = 5000;

interface Waiter {
  readonly fits: (line: Line) => boolean;
  readonly told: PromiseWithResolvers<Line>;
}

/** A running child. */
export class Child implements AsyncDisposable {
  readonly pid: number;
  readonly #what: string;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #lines: Line[] = [];
  readonly #waiters: Set<Waiter> = new Set();
  readonly #gone: Promise<void>;
  #complaints = "";
  #ended = false;

  /** Starts a program on these cores, such as `0` or `0,1`. */
  constructor(cores: string, [program, ...args]: readonly string[]) {
    this.#what = program!.slice(program!.lastIndexOf("/") + 1);
    this.#child = new Deno.Command("taskset", {
      args: ["-c", cores, program!, ...args],
      cwd: ROOT,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.pid = this.#child.pid;
    this.#input = this.#child.stdin.getWriter();
    this.#gone = Promise.all([this.#hear(), this.#listen()]).then(() => this.#end());
  }

  /** Whether it has ended. */
  get ended(): boolean {
    return this.#ended;
  }

  /** What it complained about last. */
  get complaints(): string {
    return this.#complaints.trim();
  }

  /** Says a line to it. */
  async say(text: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(`${text}\n`));
  }

  /** The next line that fits; throws if it ends before or takes too long. */
  async line(fits: (line: Line) => boolean, patienceMs: number): Promise<Line> {
    const at = this.#lines.findIndex(fits);
    if (at >= 0) return this.#lines.splice(at, 1)[0]!;
    if (this.#ended) throw this.#failure("ended");
    const waiter: Waiter = { fits, told: Promise.withResolvers() };
    this.#waiters.add(waiter);
    const timer = setTimeout(
      () => waiter.told.reject(this.#failure(`said nothing for ${patienceMs} ms`)),
      patienceMs,
    );
    try {
      return await waiter.told.promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  /** Ends it: plainly first, then by force. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#ended) this.#signal("SIGTERM");
    const force = setTimeout(() => this.#signal("SIGKILL"), ENDING_MS);
    await this.#gone;
    clearTimeout(force);
  }

  #signal(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch {
      // It has just ended.
    }
  }

  async #hear(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextLineStream())) {
      if (!text.startsWith("{")) continue;
      const line: Line = JSON.parse(text);
      const waiter = [...this.#waiters].find(({ fits }) => fits(line));
      if (waiter === undefined) this.#lines.push(line);
      else waiter.told.resolve(line);
    }
  }

  async #listen(): Promise<void> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      this.#complaints = (this.#complaints + text).slice(-COMPLAINT_CHARS);
    }
  }

  async #end(): Promise<void> {
    await this.#child.status;
    this.#ended = true;
    await this.#input.close().catch(() => {});
    for (const { told } of this.#waiters) told.reject(this.#failure("ended"));
  }

  #failure(what: string): Error {
    return new Error(`${this.#what} ${what}. ${this.complaints}`.trim());
  }
}

/** What a program prints; undefined if it isn't there or fails. */
export async function outputOf(...command: readonly string[]): Promise<string | undefined> {
  const args = ["-c", "0", ...command];
  const pipes = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  const { success, stdout, stderr } = await new Deno.Command("taskset", { args, ...pipes })
    .output();
  if (!success) return undefined;
  const decoder = new TextDecoder();
  return (decoder.decode(stdout) + decoder.decode(stderr)).trim();
}
