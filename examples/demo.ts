/**
 * `deno task demo`: a broker, five workers as threads and a client, in one process. While the client
 * calls, one worker is ended in the middle of its jobs. At the end the broker's own figures show that
 * these went to others, and that none was lost.
 *
 * Ends with 0, with 1 if a job was lost or failed, with 2 if it was called wrongly, with 130 if it was
 * stopped by Ctrl-C.
 *
 * @module
 */
import { workersText } from "../broker/console/views.ts";
import { carry, type Figures, WrongDataError } from "../client/console/load.ts";
import { summaryLines, summaryValue } from "../client/console/summary.ts";
import { Broker, Client, SocketError } from "../mod.ts";
import { EXIT, type ExitCode } from "../terminal/exit_code.ts";
import { type OptionSpec, readOptions, UsageError } from "../terminal/options.ts";
import { optionLines } from "../terminal/help.ts";
import { isPattern } from "../terminal/pattern.ts";
import { barWidth, viewWidth } from "../terminal/program.ts";
import { Progress } from "../terminal/progress.ts";
import { countText } from "../terminal/quantity.ts";
import { Crew } from "./demo/crew.ts";

const WORKERS = 5;
/** As many as all workers have slots, so that all are busy. */
const PARALLEL = 50;
const PINGS = 10_000;
const MOST_PINGS = 1_000_000;
/** For each STREAM there are so many PINGs. */
const PINGS_A_STREAM = 10;
const STREAM_BYTES = 64 * 1024;
/** Nothing takes this long: what does is lost. */
const PATIENCE_MS = 20_000;

const OPTIONS: readonly OptionSpec[] = [
  {
    name: "jobs",
    takes: "N",
    about: `how many PINGs, 1 to ${countText(MOST_PINGS)}`,
    otherwise: countText(PINGS),
  },
  { name: "json", about: "print the figures as JSON and nothing else" },
  { name: "help", short: "h", about: "print this" },
];

const HELP = `A broker, ${WORKERS} workers as threads and a client, on this machine.

Usage: deno task demo [OPTION...]

${optionLines(OPTIONS).join("\n")}

Exit code: 0 nothing was lost, 1 something was, 2 called wrongly, 130 stopped by Ctrl-C
`;

/** What was asked for on the command line. */
interface Wish {
  readonly jobs: number;
  readonly json: boolean;
  readonly help: boolean;
}

/** What came of it all. */
interface Outcome {
  readonly pings: Figures;
  readonly streams: Figures;
  /** The worker that was ended, and the jobs that it had by the broker's book. */
  readonly ended: { readonly worker: string; readonly running: number };
  readonly snapshot: ReturnType<Broker["views"]["snapshot"]>;
  readonly workers: ReturnType<Broker["views"]["workers"]>;
}

const encoder = new TextEncoder();

/** Prints to the end, or not at all once nobody reads: the exit code still tells how it went. */
function print(text: string, to: { writeSync(bytes: Uint8Array): number } = Deno.stdout): void {
  const bytes = encoder.encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += to.writeSync(bytes.subarray(at));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

function readArgs(args: readonly string[]): Wish {
  const { switches, values } = readOptions(args, OPTIONS);
  const text = values.get("jobs")?.at(-1) ?? String(PINGS);
  const jobs = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (jobs < 1 || jobs > MOST_PINGS) {
    throw new UsageError(`--jobs takes a number from 1 to ${countText(MOST_PINGS)}`);
  }
  return { jobs, json: switches.has("json"), help: switches.has("help") };
}

/** The demo. */
class Demo {
  readonly #wish: Wish;
  readonly #signal: AbortSignal;
  readonly #broker: Broker;
  readonly #crew: Crew;
  readonly #client: Client;

  constructor(wish: Wish, signal: AbortSignal, broker: Broker, crew: Crew, client: Client) {
    this.#wish = wish;
    this.#signal = signal;
    this.#broker = broker;
    this.#crew = crew;
    this.#client = client;
  }

  async play(): Promise<Outcome> {
    const { jobs } = this.#wish;
    this.#say(
      `A broker at ${this.#broker.frontend}, ${WORKERS} workers as threads, a client.\n\n` +
        `bulkping ${countText(jobs)}: TRACKEXEC PING, at most ${PARALLEL} at a time\n`,
    );
    const ended = { worker: "", running: 0 };
    const pings = await this.#calls(jobs, PARALLEL, () => this.#ping(), (done, progress) => {
      if (done >= jobs / 2 && ended.worker === "") this.#endOne(ended, progress);
    });
    const count = this.#signal.aborted ? 0 : Math.ceil(jobs / PINGS_A_STREAM);
    if (count > 0) {
      this.#say(
        `\nbulkdata ${countText(count)}: STREAM of 64 KiB, at most 10 at a time, ` +
          "every octet looked at\n",
      );
    }
    const streams = await this.#calls(count, 10, () => this.#stream(), () => {});
    const { views } = this.#broker;
    return { pings, streams, ended, snapshot: views.snapshot(), workers: views.workers() };
  }

  async #ping(): Promise<number> {
    const options = { signal: this.#signal, timeout: PATIENCE_MS };
    await this.#client.call("PING", undefined, options);
    return 0;
  }

  async #stream(): Promise<number> {
    const options = { signal: this.#signal, timeout: PATIENCE_MS };
    let octets = 0;
    for await (const { bytes } of this.#client.stream("STREAM", String(STREAM_BYTES), options)) {
      if (!isPattern(bytes, octets)) throw new WrongDataError(`Wrong from octet ${octets} on`);
      octets += bytes.length;
    }
    if (octets !== STREAM_BYTES) throw new WrongDataError(`${octets} octets came`);
    return octets;
  }

  /** Ends the worker that has most to do, if one has anything to do. */
  #endOne(ended: { worker: string; running: number }, progress: Progress): void {
    const [busiest] = this.#broker.views.workers().sort((a, b) => b.running - a.running);
    if (busiest === undefined || busiest.running === 0) return;
    ended.worker = busiest.address;
    ended.running = busiest.running;
    this.#crew.end(busiest.address);
    const count = `${busiest.running} ${busiest.running === 1 ? "job" : "jobs"}`;
    const line = `${busiest.address} is ended in the middle of ${count}\n`;
    progress.above(() => this.#say(line));
  }

  /** Makes calls with a bar or marks, and prints their summary. */
  async #calls(
    count: number,
    parallel: number,
    once: () => Promise<number>,
    onStep: (done: number, progress: Progress) => void,
  ): Promise<Figures> {
    const now = () => performance.now();
    const write = (text: string) => this.#wish.json || print(text, Deno.stderr);
    const progress = new Progress({ total: count, write, width: barWidth(), now });
    let done = 0;
    const step = () => {
      progress.step();
      onStep(++done, progress);
    };
    const signal = this.#signal;
    const figures = await carry({
      count,
      parallel,
      until: Infinity,
      now,
      signal,
      once,
      onStep: step,
    });
    progress.end();
    if (count > 0) this.#say(`${summaryLines(figures, false).join("\n")}\n`);
    return figures;
  }

  #say(text: string): void {
    if (!this.#wish.json) print(text);
  }
}

/** Jobs that ended in no way that was asked for. */
function lostOf({ pings, streams, snapshot: { jobs } }: Outcome): number {
  const unanswered = [pings, streams].map(({ sent, succeeded }) => sent - succeeded);
  return Math.max(jobs.accepted - jobs.completed, unanswered[0]! + unanswered[1]!);
}

/** The worker table, and what the broker says of the jobs. */
function report(outcome: Outcome): string {
  const { snapshot, workers, ended } = outcome;
  const { jobs, workersLost } = snapshot;
  const lost = lostOf(outcome);
  const isStopped = outcome.pings.stopped || outcome.streams.stopped;
  const others = `${countText(jobs.requeued)} requeued when ${ended.worker} was lost`;
  return [
    "",
    ...workersText(snapshot, workers, viewWidth()),
    "",
    `The broker took ${countText(jobs.accepted)} jobs and finished ${countText(jobs.completed)}; ` +
    `${workersLost === 0 ? "no worker was lost" : others}.`,
    isStopped
      ? "Stopped by Ctrl-C."
      : lost === 0
      ? "Nothing was lost."
      : `${countText(lost)} lost.`,
    "",
  ].join("\n");
}

/** The figures for a program. */
function figuresOf(outcome: Outcome, milliseconds: number): string {
  const { pings, streams, ended, snapshot, workers } = outcome;
  const { jobs, workersLost } = snapshot;
  return `${
    JSON.stringify({
      bulkping: summaryValue("bulkping", pings),
      bulkdata: summaryValue("bulkdata", streams),
      ended,
      jobs,
      workersLost,
      workers,
      lost: lostOf(outcome),
      stopped: pings.stopped || streams.stopped,
      milliseconds: Math.round(milliseconds),
    })
  }\n`;
}

/** Starts everybody, plays, and lets everybody leave. */
async function play(wish: Wish, signal: AbortSignal): Promise<ExitCode> {
  const began = performance.now();
  const local = "tcp://127.0.0.1:*";
  await using broker = await Broker.start({ frontend: local, backend: local });
  const crew = await Crew.start(WORKERS, broker.backend);
  await using client = new Client({ broker: broker.frontend });
  const outcome = await new Demo(wish, signal, broker, crew, client).play();
  await crew.leave();
  print(wish.json ? figuresOf(outcome, performance.now() - began) : report(outcome));
  if (signal.aborted) return EXIT.interrupted;
  return lostOf(outcome) === 0 ? EXIT.ok : EXIT.failed;
}

async function main(args: readonly string[]): Promise<ExitCode> {
  let wish: Wish;
  try {
    wish = readArgs(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(`${error.message}\n\n${HELP}`, Deno.stderr);
    return EXIT.usage;
  }
  if (wish.help) {
    print(HELP);
    return EXIT.ok;
  }
  const path = new URL("../", import.meta.url);
  const { state } = await Deno.permissions.query({ name: "read", path });
  if (state !== "granted") {
    print("Cannot start threads: Deno was not given --allow-read for this folder\n", Deno.stderr);
    return EXIT.failed;
  }
  const stop = new AbortController();
  Deno.addSignalListener("SIGINT", () => stop.abort());
  try {
    return await play(wish, stop.signal);
  } catch (error) {
    if (!(error instanceof SocketError)) throw error;
    print(`${error.message}\n`, Deno.stderr);
    return EXIT.failed;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
