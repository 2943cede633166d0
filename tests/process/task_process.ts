/**
 * A task of ours as a child process: started as the task starts it, driven by its streams and signals.
 * Whoever waits, waits on output.
 *
 * @module
 */
import { LineReader } from "./line_reader.ts";

const ROOT = new URL("../../", import.meta.url);

/** The arguments that the task gives to Deno, and nothing more: its permissions are tested too. */
export async function taskArgs(task: string): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const [deno, ...args] = tasks[task].command.split(" ");
  if (deno !== "deno") throw new Error(`the task runs ${deno}`);
  return args;
}

/** How a task is started. */
export interface StartOptions {
  /** What it reads: what `type()` says, or nothing. */
  readonly stdin?: "piped" | "null";
  /** Started by `deno task`, as users do, or by the task's own command. */
  readonly byTask?: boolean;
}

/** A task in a process of its own. */
export class TaskProcess implements AsyncDisposable {
  readonly stdout: LineReader;
  readonly stderr: LineReader;
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #ended = false;

  protected constructor(child: Deno.ChildProcess, hasInput: boolean) {
    this.#child = child;
    this.stdout = new LineReader(child.stdout);
    this.stderr = new LineReader(child.stderr);
    this.#stdin = hasInput ? child.stdin.getWriter() : undefined;
    child.status.then(() => this.#ended = true);
  }

  /** Starts a task with these arguments, whatever becomes of it. */
  static async run(
    task: string,
    args: readonly string[],
    options: StartOptions = {},
  ): Promise<TaskProcess> {
    return new TaskProcess(...await spawn(task, args, options));
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Types lines. */
  async type(...lines: string[]): Promise<void> {
    await this.#stdin!.write(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
  }

  /** Ends its input. */
  async endInput(): Promise<void> {
    await this.#stdin!.close();
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Waits for its end; gives its exit code and what it printed last. */
  async outcome(): Promise<{ code: number; stdout: string[]; stderr: string[] }> {
    const [stdout, stderr] = await Promise.all([this.stdout.rest(), this.stderr.rest()]);
    const { code } = await this.#child.status;
    return { code, stdout, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#ended) this.kill("SIGKILL");
    await this.#stdin?.close().catch(() => {});
    await Promise.all([this.stdout.cancel(), this.stderr.cancel()]);
    await this.#child.status;
  }
}

/** Starts a task; says whether it has an input. */
export async function spawn(
  task: string,
  args: readonly string[],
  { stdin = "piped", byTask = false }: StartOptions,
): Promise<[child: Deno.ChildProcess, hasInput: boolean]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...(byTask ? ["task", "-q", task] : await taskArgs(task)), ...args],
    cwd: ROOT,
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return [child, stdin === "piped"];
}
