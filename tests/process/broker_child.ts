/**
 * A broker in a process of its own, started as `deno task broker` starts it, for tests of what it
 * does for its peers: watched through its console's views and its log as JSON.
 *
 * @module
 */
import type { BrokerSnapshot } from "../../broker/views.ts";
import type { WorkerSnapshot } from "../../broker/core/snapshot.ts";
import { TextLineStream } from "../interop/text_lines.ts";
import { taskArgs } from "./task_process.ts";

const ROOT = new URL("../../", import.meta.url);
/** No broker lives longer: a fault is a failure and never a hang. */
const PATIENCE_MS = 120_000;

/** One line of the log. */
export interface Logged {
  readonly event: string;
  readonly [detail: string]: string | number;
}

/** How a broker's process is started. */
export interface BrokerChildOptions {
  /** Options of the program. */
  readonly args?: readonly string[];
  /** File descriptors that it may have. */
  readonly descriptors?: number;
}

interface Waiter<T> {
  readonly fits: (value: T) => boolean;
  readonly promise: PromiseWithResolvers<T>;
}

/** Lines that came, and those who wait for one. */
class Lines<T> {
  readonly all: T[] = [];
  #waiting: Waiter<T>[] = [];
  #over = false;

  add(line: T): void {
    this.all.push(line);
    const fits = (waiter: Waiter<T>) => waiter.fits(line);
    for (const { promise } of this.#waiting.filter(fits)) promise.resolve(line);
    this.#waiting = this.#waiting.filter((waiter) => !fits(waiter));
  }

  end(): void {
    this.#over = true;
    for (const { promise } of this.#waiting.splice(0)) promise.reject(ended());
  }

  /** The next line that fits. */
  next(fits: (line: T) => boolean): Promise<T> {
    if (this.#over) return Promise.reject(ended());
    const promise = Promise.withResolvers<T>();
    this.#waiting.push({ fits, promise });
    return promise.promise;
  }
}

const ended = () => new Error("the broker's process has ended");

/** The broker. */
export class BrokerChild implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #printed: Lines<string> = new Lines();
  readonly #logged: Lines<Logged> = new Lines();
  readonly #reading: Promise<unknown>;
  readonly #patience: number;
  #ready = "";

  private constructor(command: Deno.Command) {
    this.#child = command.spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = Promise.all([
      read(this.#child.stdout, (line) => this.#printed.add(line)).then(() => this.#printed.end()),
      read(this.#child.stderr, (line) => this.#logged.add(parse(line)))
        .then(() => this.#logged.end()),
    ]);
    this.#patience = Number(setTimeout(() => this.signal("SIGKILL"), PATIENCE_MS));
  }

  /** Starts it, on free ports unless told otherwise; it serves when this resolves. */
  static async start(options: BrokerChildOptions = {}): Promise<BrokerChild> {
    const broker = new BrokerChild(await commandOf(options));
    try {
      broker.#ready = await broker.#printed.next(() => true);
    } catch {
      await broker.status;
      throw new Error(`it did not start: ${JSON.stringify(broker.#logged.all)}`);
    }
    return broker;
  }

  /** The line that it printed when it was ready. */
  get ready(): string {
    return this.#ready;
  }

  get frontend(): string {
    return endpointOf(this.#ready, "frontend");
  }

  get backend(): string {
    return endpointOf(this.#ready, "backend");
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Resolves when it has ended. */
  get status(): Promise<Deno.CommandStatus> {
    return this.#child.status;
  }

  /** All log lines so far. */
  get log(): readonly Logged[] {
    return this.#logged.all;
  }

  /** Everything that is counted. */
  async stats(): Promise<BrokerSnapshot> {
    return JSON.parse(await this.#ask("stats --json"));
  }

  /** All workers. */
  async workers(): Promise<WorkerSnapshot[]> {
    return JSON.parse(await this.#ask("workers --json"));
  }

  /** Waits until what is counted fits; gives it. */
  async until(fits: (stats: BrokerSnapshot) => boolean): Promise<BrokerSnapshot> {
    let stats = await this.stats();
    while (!fits(stats)) stats = await this.stats();
    return stats;
  }

  /** Waits for a log line, unless it has come already. */
  async logged(event: string, details: Record<string, string | number> = {}): Promise<Logged> {
    const fits = (line: Logged) =>
      line.event === event && Object.entries(details).every(([name, is]) => line[name] === is);
    return this.#logged.all.find(fits) ?? await this.#logged.next(fits);
  }

  /** Sends it a signal. */
  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Ends it at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#patience);
    try {
      this.signal("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await this.#child.status;
    await this.#writer.close().catch(() => {});
    await this.#reading;
  }

  async #ask(command: string): Promise<string> {
    const answer = this.#printed.next(() => true);
    await this.#writer.write(new TextEncoder().encode(`${command}\n`)).catch(() => {});
    return await answer;
  }
}

async function commandOf({ args = [], descriptors }: BrokerChildOptions): Promise<Deno.Command> {
  const own = ["--frontend", "tcp://127.0.0.1:*", "--backend", "tcp://127.0.0.1:*"];
  const free = args.includes("--frontend") ? [] : own;
  const all = [...await taskArgs("broker"), ...free, "-d", "1", "--json", ...args];
  const limited = `ulimit -n ${descriptors} && exec "$0" "$@"`;
  const command = descriptors === undefined ? Deno.execPath() : "sh";
  return new Deno.Command(command, {
    args: descriptors === undefined ? all : ["-c", limited, Deno.execPath(), ...all],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

async function read(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (line: string) => void,
): Promise<void> {
  for await (const line of stream.pipeThrough(new TextLineStream())) take(line);
}

function parse(line: string): Logged {
  try {
    return JSON.parse(line);
  } catch {
    return { event: line };
  }
}

function endpointOf(line: string, name: string): string {
  const word = line.split(" ").find((it) => it.startsWith(`${name}=`));
  if (word === undefined) throw new Error(`no ${name} in ${JSON.stringify(line)}`);
  return word.slice(name.length + 1);
}
