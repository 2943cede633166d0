/**
 * `deno task broker` as a child process: started as the task starts it, driven by its streams and
 * signals. Whoever waits, waits on output.
 *
 * @module
 */
import { TextLineStream } from "../interop/text_lines.ts";

const ROOT = new URL("../../", import.meta.url);

/** The arguments that the task gives to Deno, and nothing more: its permissions are tested too. */
export async function taskArgs(): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const [deno, ...args] = tasks.broker.command.split(" ");
  if (deno !== "deno") throw new Error(`the task runs ${deno}`);
  return args;
}

/** Nothing that is waited for takes this long: a test that hangs tells what it saw. */
const PATIENCE_MS = 60_000;

/** What a promise comes to; throws if it takes too long, with what was seen until then. */
export async function inTime<T>(promise: Promise<T>, seen: () => string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`waited in vain:\n${seen()}`)), PATIENCE_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lines of a stream, kept as they come. */
export class LineReader {
  /** All lines so far. */
  readonly seen: string[] = [];
  readonly #reader: ReadableStreamDefaultReader<string>;

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = stream.pipeThrough(new TextLineStream()).getReader();
  }

  /** The next line; undefined at the end. */
  async next(): Promise<string | undefined> {
    const { value } = await inTime(this.#reader.read(), () => this.seen.join("\n"));
    if (value !== undefined) this.seen.push(value);
    return value;
  }

  /** The next line that matches; throws if the stream ends without one. */
  async until(pattern: RegExp): Promise<string> {
    for (let line = await this.next(); line !== undefined; line = await this.next()) {
      if (pattern.test(line)) return line;
    }
    throw new Error(`no line matches ${pattern}:\n${this.seen.join("\n")}`);
  }

  /** All lines up to the end. */
  async rest(): Promise<string[]> {
    const from = this.seen.length;
    while (await this.next() !== undefined);
    return this.seen.slice(from);
  }

  /** Reads no more: the other side finds that nobody listens. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

/** How a broker is started. */
export interface StartOptions {
  /** What it reads: what `type()` says, or nothing. */
  readonly stdin?: "piped" | "null";
  /** Started by `deno task`, as users do, or by the task's own command. */
  readonly byTask?: boolean;
}

/** A broker in a process of its own, at free ports unless told otherwise. */
export class BrokerProcess implements AsyncDisposable {
  readonly stdout: LineReader;
  readonly stderr: LineReader;
  frontend = "";
  backend = "";
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #ended = false;

  private constructor(child: Deno.ChildProcess, hasInput: boolean) {
    this.#child = child;
    this.stdout = new LineReader(child.stdout);
    this.stderr = new LineReader(child.stderr);
    this.#stdin = hasInput ? child.stdin.getWriter() : undefined;
    child.status.then(() => this.#ended = true);
  }

  /** Starts a process with these arguments, whatever becomes of it. */
  static async spawn(args: readonly string[], options: StartOptions = {}): Promise<BrokerProcess> {
    const { stdin = "piped", byTask = false } = options;
    const child = new Deno.Command(Deno.execPath(), {
      args: [...(byTask ? ["task", "-q", "broker"] : await taskArgs()), ...args],
      cwd: ROOT,
      stdin,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    return new BrokerProcess(child, stdin === "piped");
  }

  /** Starts a broker and waits until it serves. */
  static async start(args: readonly string[], options: StartOptions = {}): Promise<BrokerProcess> {
    const free = ["--frontend", "tcp://127.0.0.1:*", "--backend", "tcp://127.0.0.1:*"];
    const broker = await BrokerProcess.spawn([...free, ...args], options);
    const line = await broker.stdout.next();
    const match = /^rota broker ready frontend=(\S+) backend=(\S+)$/.exec(line ?? "");
    if (match === null) {
      throw new Error(`not ready: ${line}\n${(await broker.stderr.rest()).join("\n")}`);
    }
    [, broker.frontend, broker.backend] = match as unknown as [string, string, string];
    return broker;
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
