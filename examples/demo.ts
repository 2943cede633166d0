/**
 * A Router and three Dealers exchange 10,000 messages on this machine, and a table says how it went.
 *
 * `deno run -q --allow-net=127.0.0.1 examples/demo.ts [--messages N] [--json] [--help]`. Ends with 0,
 * with 1 if a message was lost or came back wrong, with 2 if it was called wrongly, with 130 if it
 * was stopped by Ctrl-C.
 *
 * @module
 */
import { Dealer, Router, SocketError } from "../mod.ts";

const MESSAGES = 10_000;
/** Each round trip is kept for the percentiles: this many take a few dozen MiB. */
const MOST_MESSAGES = 5_000_000;
const DEALERS = ["ada", "ben", "cleo"];
/** Questions of one dealer that may be on their way at a time; far below the high-water mark. */
const WINDOW = 50;
/** A dealer that hears nothing for this long takes what it misses for lost. */
const PATIENCE_MS = 3000;
/** The bar's longest form, and what stands beside it: the counts must not break the line. */
const BAR_CELLS = 40;
const COUNT_CELLS = 26;

const HELP = `A Router and three Dealers exchange messages on this machine.

Usage: deno task demo [--messages N] [--json] [--help]

  --messages N   how many, 1 to ${whole(MOST_MESSAGES)} (${whole(MESSAGES)} unless told)
  --json         print the figures as JSON and nothing else
  --help         print this

Exit code: 0 all came back, 1 some did not, 2 called wrongly, 130 stopped by Ctrl-C
`;

/** What one dealer saw. */
interface Figures {
  readonly name: string;
  sent: number;
  answered: number;
  /** Answers that were not what was asked for. */
  wrong: number;
  seconds: number;
  /** Round trips in milliseconds. */
  readonly trips: number[];
}

/** What was asked for on the command line. */
interface Wish {
  readonly messages: number;
  readonly json: boolean;
  readonly help: boolean;
}

const encoder = new TextEncoder();

/** Prints to the end, or not at all once nobody reads: the exit code still tells how it went. */
function print(text: string, to: { writeSync(bytes: Uint8Array): number } = Deno.stdout): void {
  const bytes = encoder.encode(text);
  try {
    for (let at = 0; at < bytes.length;) {
      at += to.writeSync(bytes.subarray(at));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** A whole number as people write it. */
function whole(value: number): string {
  return value.toLocaleString("en");
}

/** Reads the command line; a string says what is wrong with it. */
function readArgs(args: readonly string[]): Wish | string {
  let messages = MESSAGES;
  const flags = new Set<string>();
  for (let i = 0; i < args.length; i++) {
    const [name, value] = args[i]!.split("=", 2) as [string, string?];
    if (name === "--messages") {
      const text = value ?? args[++i] ?? "";
      messages = /^[0-9]+$/.test(text) ? Number(text) : 0;
      if (messages < 1 || messages > MOST_MESSAGES) {
        return `--messages takes a number from 1 to ${whole(MOST_MESSAGES)}`;
      }
    } else if (["--json", "--help", "-h"].includes(args[i]!)) {
      flags.add(name);
    } else {
      return `Unknown argument: ${args[i]}`;
    }
  }
  return { messages, json: flags.has("--json"), help: flags.has("--help") || flags.has("-h") };
}

/** Answers every message with its own body, until the socket is closed. */
async function answerAll(router: Router): Promise<void> {
  for await (const [identity, ...body] of router) {
    await router.send([identity!, ...body]);
  }
}

/** Sends `count` numbered messages, never more than WINDOW ahead of their answers. */
async function ask(
  endpoint: string,
  name: string,
  count: number,
  onAnswer: () => void,
  signal: AbortSignal,
): Promise<Figures> {
  const figures: Figures = { name, sent: 0, answered: 0, wrong: 0, seconds: 0, trips: [] };
  await using dealer = new Dealer({ routingId: name, receiveTimeout: PATIENCE_MS });
  signal.addEventListener("abort", () => dealer.close());
  dealer.connect(endpoint);
  const sentAt: number[] = [];
  const started = performance.now();
  try {
    while (figures.answered < count && !signal.aborted) {
      while (figures.sent < count && figures.sent - figures.answered < WINDOW) {
        sentAt.push(performance.now());
        await dealer.send(["job", figures.sent]);
        figures.sent++;
      }
      const answer = await dealer.receive();
      // Answers come in the order of the questions.
      const number = figures.answered++;
      if (answer.join(" ") !== `job ${number}`) figures.wrong++;
      figures.trips.push(performance.now() - sentAt[number]!);
      onAnswer();
    }
  } catch (error) {
    // Nothing came in time, or Ctrl-C closed the socket: the figures say what is missing.
    if (!(error instanceof SocketError)) throw error;
  }
  figures.seconds = (performance.now() - started) / 1000;
  return figures;
}

/** Shows how far it is: a bar on a terminal, one marker for each tenth elsewhere. */
function progress(total: number): () => void {
  const live = Deno.stdout.isTerminal();
  const columns = live ? Deno.consoleSize().columns : 80;
  const length = Math.max(1, Math.min(BAR_CELLS, columns - COUNT_CELLS));
  let done = 0;
  let shown = -1;
  return () => {
    done++;
    const part = Math.floor(done / total * (live ? 100 : 10));
    if (part === shown) return;
    shown = part;
    if (!live) {
      if (part > 0) print(part < 10 ? `${part * 10}% ` : "100%\n");
      return;
    }
    const cells = Math.round(done / total * length);
    const bar = "#".repeat(cells) + "-".repeat(length - cells);
    const count = whole(done).padStart(whole(total).length);
    print(`\r[${bar}] ${count} of ${whole(total)}${done === total ? "\n" : ""}`);
  };
}

/** The time that the part `p` of all round trips stayed below. */
function percentile(sorted: readonly number[], p: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ??
    0;
}

function summary(name: string, all: readonly Figures[], seconds: number) {
  const trips = all.flatMap((it) => it.trips).sort((a, b) => a - b);
  const sum = (pick: (it: Figures) => number) => all.reduce((total, it) => total + pick(it), 0);
  const answered = sum((it) => it.answered);
  return {
    name,
    sent: sum((it) => it.sent),
    answered,
    wrong: sum((it) => it.wrong),
    perSecond: Math.round(answered / seconds),
    p50Ms: Number(percentile(trips, 0.5).toFixed(3)),
    p99Ms: Number(percentile(trips, 0.99).toFixed(3)),
  };
}

type Summary = ReturnType<typeof summary>;

function table(rows: readonly Summary[]): string {
  const head = ["dealer", "sent", "answered", "msg/s", "p50 ms", "p99 ms"];
  const lines = [
    head,
    ...rows.map((row) => [
      row.name,
      whole(row.sent),
      whole(row.answered),
      whole(row.perSecond),
      row.p50Ms.toFixed(2),
      row.p99Ms.toFixed(2),
    ]),
  ];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) =>
    line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
    ).join("  ") + "\n"
  ).join("");
}

/** Lets all dealers ask at once; gives what they saw and how long it took. */
async function play(
  wish: Wish,
  signal: AbortSignal,
): Promise<{ readonly all: Figures[]; readonly seconds: number }> {
  const { messages } = wish;
  const router = new Router();
  await router.bind("tcp://127.0.0.1:*");
  const endpoint = router.lastEndpoint!;
  if (!wish.json) {
    print(
      `A Router at ${endpoint} and ${DEALERS.length} Dealers:\n` +
        `${whole(messages)} messages there and back, ` +
        `at most ${WINDOW} of each Dealer under way\n`,
    );
  }
  const answering = answerAll(router);
  const onAnswer = wish.json ? () => {} : progress(messages);
  const started = performance.now();
  const each = Math.floor(messages / DEALERS.length);
  const all = await Promise.all(DEALERS.map((name, i) => {
    const extra = i < messages % DEALERS.length ? 1 : 0;
    return ask(endpoint, name, each + extra, onAnswer, signal);
  }));
  const seconds = (performance.now() - started) / 1000;
  await router[Symbol.asyncDispose]();
  await answering;
  return { all, seconds };
}

async function main(args: readonly string[]): Promise<number> {
  const wish = readArgs(args);
  if (typeof wish === "string") {
    print(`${wish}\n\n${HELP}`, Deno.stderr);
    return 2;
  }
  if (wish.help) {
    print(HELP);
    return 0;
  }
  const { messages, json } = wish;
  const stop = new AbortController();
  Deno.addSignalListener("SIGINT", () => stop.abort());
  const { all, seconds } = await play(wish, stop.signal);
  const dealers = all.map((it) => summary(it.name, [it], it.seconds));
  const total = summary("all", all, seconds);
  const stopped = stop.signal.aborted && total.answered < messages;
  const lost = stopped ? 0 : messages - total.answered;
  if (json) {
    const milliseconds = Math.round(seconds * 1000);
    print(`${JSON.stringify({ messages, stopped, lost, milliseconds, dealers, total })}\n`);
  } else {
    // The progress ends its own line only when it is complete.
    if (total.answered < messages) print("\n");
    print(`\n${table([...dealers, total])}\n`);
    print(
      stopped
        ? `Stopped by Ctrl-C after ${whole(total.answered)} of ${whole(messages)}.\n`
        : lost === 0 && total.wrong === 0
        ? `Nothing was lost, in ${seconds.toFixed(2)} s.\n`
        : `${whole(lost)} lost, ${whole(total.wrong)} wrong.\n`,
    );
  }
  return stopped ? 130 : lost === 0 && total.wrong === 0 ? 0 : 1;
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    if (!(error instanceof SocketError)) throw error;
    print(`${error.message}\n`, Deno.stderr);
    Deno.exit(1);
  }
}
