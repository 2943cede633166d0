/**
 * Any program as a child process: its output line by line, and its end.
 *
 * @module
 */
import { inTime, LineReader } from "./line_reader.ts";

/** How a program ended. */
export interface Outcome {
  readonly code: number;
  /** Lines that nobody had read. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** What is told of how a program is started. */
export interface ProgramOptions {
  /** Where it runs. */
  readonly cwd?: string | URL;
  /** Its whole environment; ours unless told. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that runs. It is killed when it is disposed of. */
export class Program implements AsyncDisposable {
  readonly stdout: LineReader;
  readonly stderr: LineReader;
  readonly #child: Deno.ChildProcess;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.stdout = new LineReader(child.stdout);
    this.stderr = new LineReader(child.stderr);
  }

  /** Starts it, with nothing to read. */
  static start(command: string, args: readonly string[], options: ProgramOptions = {}): Program {
    const { cwd, env } = options;
    return new Program(
      new Deno.Command(command, {
        args: [...args],
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env, clearEnv: true }),
      }).spawn(),
    );
  }

  /** Runs it to its end. */
  static async run(
    command: string,
    args: readonly string[],
    options: ProgramOptions = {},
  ): Promise<Outcome> {
    await using program = Program.start(command, args, options);
    return await program.outcome();
  }

  /** Waits for its end. */
  async outcome(): Promise<Outcome> {
    const [stdout, stderr] = await Promise.all([this.stdout.rest(), this.stderr.rest()]);
    const { code } = await inTime(this.#child.status, () => "it doesn't end");
    return { code, stdout, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await Promise.all([this.stdout.cancel(), this.stderr.cancel()]);
    await this.#child.status;
  }
}
