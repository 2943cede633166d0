/**
 * Child processes that obey lines (obey.mjs).
 *
 * @module
 */
import { TextLineStream } from "../../tests/interop/text_lines.ts";

/** What a process answers. */
export interface Answer {
  /** What the operation gave. */
  readonly value: unknown;
  /** CPU seconds that it has used so far. */
  readonly cpu: number;
}

/** A child process that obeys lines (obey.mjs). */
export class Process {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #lines: ReadableStreamDefaultReader<string>;

  /** Starts it. */
  constructor([program, ...args]: string[]) {
    const pipes = { stdin: "piped", stdout: "piped", stderr: "inherit" } as const;
    this.#child = new Deno.Command(program!, { args, ...pipes }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#lines = this.#child.stdout.pipeThrough(new TextLineStream()).getReader();
  }

  /** Has it do something; gives what came of it. */
  async ask(operation: string, work?: unknown): Promise<Answer> {
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify({ operation, work })}\n`));
    const { value, done } = await this.#lines.read();
    if (done) throw new Error(`Cannot measure: the process ended at ${operation}`);
    const answer = JSON.parse(value);
    if (answer.error !== undefined) throw new Error(`Cannot measure: ${answer.error}`);
    return answer;
  }

  /** Lets it end. */
  async end(): Promise<void> {
    await this.#input.close();
    await this.#child.status;
    await this.#lines.cancel();
  }
}

/** How a file of ours is run: it may talk to this machine and do nothing else. */
export function denoCommand(file: URL): string[] {
  const flags = ["--no-check", "--no-prompt", "--allow-net=127.0.0.1"];
  return [Deno.execPath(), "run", ...flags, pathOf(file)];
}

/** A file's path. */
export function pathOf(file: URL): string {
  return decodeURIComponent(file.pathname);
}
